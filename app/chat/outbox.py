"""Outbox: saves the draft of one chat, and sends its messages that wait for the end of its answer. No Qt.

The messages that wait are a part of the draft.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.chat import attachments
from app.chat.message_queue import MessageQueue
from app.chat.newest_saves import NewestSaves
from app.chat.put_aside import PutAside
from app.chat.turn_jobs import Question
from storage.library.rows import NO_DRAFT

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports, TurnEnd
    from app.chat.message_queue import WaitingMessage
    from app.chat.presenter import ChatPresenter
    from storage.library.library import Library
    from storage.library.rows import Attachment, SavedDraft
    from ui.state.chat import Edits

    Send = Callable[[Question, Callable[[], object]], object]

_GOES_ON = frozenset({"stop", "length"})
"""The endings after which the next message is sent."""


class Outbox:
    """Shows each change, and saves the newest draft until the library has it. `send` begins a turn, or calls its second
    argument if the question cannot be saved. It is called only if `is_free`.
    """

    def __init__(
        self, conversation: str, ports: Ports, presenter: ChatPresenter, send: Send, is_free: Callable[[], bool]
    ) -> None:
        self._id = conversation
        self._ports = ports
        self._presenter = presenter
        self._send = send
        self._is_free = is_free
        self._is_hurried = False
        self._is_closing = False
        self._saves = NewestSaves(
            lambda _: ports.tasks, self._job, lambda *_: None, lambda _, error: presenter.show_error(error)
        )
        self.queue = MessageQueue()
        self.aside = PutAside(conversation, ports, self.queue)

    @property
    def is_sending(self) -> bool:
        """Whether messages wait that are sent without a word of the user."""
        return len(self.queue) > 0 and not self.queue.paused

    @property
    def is_saved(self) -> bool:
        """Whether the library has all words of the draft, and those that were put aside."""
        return self.aside.is_empty and self.unsaved_draft() in (None, NO_DRAFT)

    def unsaved_draft(self) -> SavedDraft | None:
        """The newest draft, None if the library has it. A retry may be saving it now."""
        return self.queue.draft() if self._id in self._saves else None

    def held(self) -> frozenset[str]:
        """The ids of files that do not go with the next message: those of messages that wait, and of a question that is
        being withdrawn.
        """
        return self.queue.held() | self._presenter.sent_files

    def add(self, text: str) -> None:
        """Let a message wait."""
        self.queue.add(text)
        self._changed()

    def edit(self, message: str) -> None:
        """Return a message that waits to the composer, with its files. It is saved there in one step with the queue
        that is left: a crash between two steps would lose it.
        """
        if (found := self.queue.remove(message)) is not None:
            self._presenter.queue(self.queue.view())
            self._presenter.give_back(found.text)
            self._presenter.files((*self.queue.files, *found.files))

    def drop(self, message: str) -> None:
        """Remove a message that waits, and its files."""
        if (found := self.queue.remove(message)) is not None:
            self._changed()
            for file in found.files:
                job = partial(attachments.detach, conversation=self._id, attachment=file.id)
                self._ports.tasks.run(job, self._presenter.files, self._presenter.show_error)

    def begun(self) -> None:
        """A turn begins."""
        self._is_closing = False

    def close(self) -> None:
        """The chat closes, and the turn in progress ends with it."""
        self._is_closing = True
        self.retry()

    def take_back(self, words: str, files: tuple[Attachment, ...], is_stopped: bool) -> None:  # noqa: FBT001 - how the turn ended
        """A question was withdrawn: return its words to the composer. `files` are all that are attached and not sent.

        If messages wait, and the chat closes or no engine answers, the question waits before them. Otherwise they would
        be sent before it later.
        """
        self._presenter.sent_files = frozenset()
        if (self._is_closing or not is_stopped) and len(self.queue):
            self.queue.add_first(words, files)
            self._changed()
        else:
            self._presenter.give_back(words)
        self._presenter.files(files)

    def resume(self) -> None:
        """Send the messages that wait, one after another. An answer that is being stopped does not pause them again."""
        if not len(self.queue):
            return  # the saved draft may have words that were put aside there
        self._is_hurried, self.queue.paused = not self._is_free(), False
        self._changed()
        self.send_next()

    def hurry(self, message: str) -> bool:
        """Let this message be the next, also if the answer before it is stopped. Returns False if it is not here."""
        if not self.queue.move_to_front(message):
            return False
        self._is_hurried, self.queue.paused = True, False
        self._changed()
        return True

    def ended(self, end: TurnEnd) -> None:
        """An answer is on disk: send the next message that waits, unless something went wrong, or the user has turned
        to another branch: the message follows this answer.
        """
        is_elsewhere = end.question != self._presenter.question
        if not self._is_hurried and (end.error or end.reason not in _GOES_ON or is_elsewhere):
            self.pause()
        self.send_next()

    def pause(self) -> None:
        """Send nothing more until the user asks for it."""
        self._is_hurried = False
        if len(self.queue) and not self.queue.paused:
            self.queue.paused = True
            self._presenter.queue(self.queue.view())

    def send_next(self) -> None:
        """Send the next message, if there is one and the chat is free."""
        if not self._is_free() or self.queue.paused or (message := self.queue.first()) is None:
            return
        self._is_hurried = False
        if not self._ports.serves(self._id):  # another model is wanted: the user has not agreed to that one
            self._put_back(message)
            return
        self._presenter.queue(self.queue.view())
        keep = self.queue.held() | {file.id for file in self.queue.files}
        self._send(Question(message.text, self.queue.draft(), keep), partial(self._put_back, message))

    def save_draft(self, typed: str, edits: Edits = ()) -> SavedDraft:
        """Save what is in the composer, with edits that were not sent. Returns the draft."""
        self.queue.edits = edits
        draft = self.draft_with(typed)
        self._save()
        return draft

    def draft_with(self, typed: str) -> SavedDraft:
        """What to save as the draft when this is in the composer."""
        self.queue.typed = typed
        return self.queue.draft()

    def _put_back(self, message: WaitingMessage) -> None:
        self.queue.put_back(message)
        self._save()  # the draft may have been saved without it
        self.pause()

    def retry(self) -> None:
        """Save the draft, and the words that were put aside, if the library refused them before."""
        self.aside.retry()
        self._saves.retry()

    def _changed(self) -> None:
        self._presenter.queue(self.queue.view())
        self._save()

    def _save(self) -> None:
        self._saves.put(self._id, self.queue)

    def _job(self, conversation: str, queue: MessageQueue) -> Callable[[Library], None]:
        """A message that waited at an earlier attempt may have been sent since."""
        draft = queue.draft()
        return lambda library: library.conversations.save_draft(conversation, draft)
