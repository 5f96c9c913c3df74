"""Outbox: saves the draft of one chat, and sends its messages that wait for the end of its answer. No Qt.

`PutAside` keeps words that could not be sent and that no tab can show. They are put before the draft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from uuid import uuid4

from app.base.ports import Ports, TurnEnd
from app.chat import attachments, turn_jobs
from app.chat.draft_cost import DraftCost
from app.chat.presenter import ChatPresenter
from app.chat.saves import NewestSaves, save
from storage.library.library import Library
from storage.library.rows import NO_DRAFT, Attachment, Message, QueuedText, SavedDraft
from ui.state.chat import Edits, QueuedView, QueueView


@dataclass(frozen=True, slots=True)
class WaitingMessage:
    """A message that waits, with its files."""

    id: str
    text: str
    files: tuple[Attachment, ...] = ()


class MessageQueue:
    """The messages of one chat that wait for the end of its answer, in the order in which they will be sent. While the
    queue is `paused`, nothing of it is sent. One that waits is part of the saved draft, so that it survives a crash and
    a quit.

    `typed` is the draft behind it, `edits` are edits that were not sent, by the messages that they would replace, and
    `files` are those of the draft.
    """

    def __init__(self) -> None:
        self.paused = False
        self.typed = ""
        self.edits: Edits = ()
        self.files: tuple[Attachment, ...] = ()
        self._waiting: tuple[WaitingMessage, ...] = ()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, text: str) -> None:
        """Add a message with the files of the draft at the end."""
        self._waiting = (*self._waiting, WaitingMessage(uuid4().hex, text, self.files))
        self.typed, self.files = "", ()

    def add_first(self, text: str, files: tuple[Attachment, ...]) -> None:
        """Add a message with those of `files` that belong to no other message and not to the draft."""
        others = self.held() | {file.id for file in self.files}
        self.put_back(WaitingMessage(uuid4().hex, text, tuple(file for file in files if file.id not in others)))

    def put_back(self, message: WaitingMessage) -> None:
        """Put a message that could not be sent at the beginning."""
        self._waiting = (message, *self._waiting)

    def first(self) -> WaitingMessage | None:
        """Remove and return the next message."""
        return self.remove(self._waiting[0].id) if self._waiting else None

    def remove(self, identifier: str) -> WaitingMessage | None:
        """Remove a message. Returns it, None if it is not here any more."""
        found = next((message for message in self._waiting if message.id == identifier), None)
        self._waiting = tuple(message for message in self._waiting if message is not found)
        self.paused = self.paused and bool(self._waiting)
        return found

    def held(self) -> frozenset[str]:
        """The ids of the files of the messages that wait."""
        return frozenset(file.id for message in self._waiting for file in message.files)

    def take_files(self, files: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
        """Of all files that are attached and not sent, note and return those of the draft."""
        held = self.held()
        self.files = tuple(file for file in files if file.id not in held)
        return self.files

    def draft(self) -> SavedDraft:
        """What to save."""
        waiting = (QueuedText(one.text, tuple(file.id for file in one.files)) for one in self._waiting)
        return SavedDraft(self.typed, tuple(waiting), self.edits)

    def take_draft(
        self, saved: SavedDraft, messages: Iterable[Message] = (), files: tuple[Attachment, ...] = ()
    ) -> str:
        """Note and return what was typed. The messages of an earlier run wait again, with those of their files that are
        among `files`. The words of an edit are typed if its message is not among `messages`, which the user sees.
        """
        shown = {message.id for message in messages}
        self.edits = tuple(edit for edit in saved.edits if edit[0] in shown)
        unseen = (words for message, words in saved.edits if message not in shown)
        self.typed = "\n\n".join(filter(None, (saved.typed, *unseen)))
        if not self._waiting:
            self._waiting = tuple(
                WaitingMessage(uuid4().hex, one.text, tuple(file for file in files if file.id in one.files))
                for one in saved.queue
            )
            self.paused = bool(self._waiting)
        return self.typed

    def view(self) -> QueueView:
        """The queue for the window."""
        shown = (QueuedView(message.id, message.text, len(message.files)) for message in self._waiting)
        return QueueView(tuple(shown), self.paused)


Send = Callable[[turn_jobs.Question, Callable[[], object]], object]


class PutAside:
    """`queue` has the draft in memory, and `saves` the words that neither the library nor a tab has yet. The first
    error is shown, those of the retries are not.
    """

    def __init__(self, ports: Ports, presenter: ChatPresenter, queue: MessageQueue) -> None:
        self._presenter = presenter
        self._queue = queue

        def job(_: str, words: str) -> Callable[[Library], None]:
            return partial(turn_jobs.put_aside, conversation=presenter.id, words=words)

        def saved(_key: str, words: str, _: None) -> None:
            """A tab that is open by now has read the draft before these words were in it."""
            if (tab := presenter.tab) is not None:
                tab.give_back(words)

        self.saves = NewestSaves(lambda _: ports.tasks, job, saved, lambda _, error: presenter.show_error(error))

    def give_back(self, words: str) -> None:
        """Return text that could not be sent: to the composer if the tab is open, else to the saved draft."""
        if not words:
            return  # it was a message of files alone
        if (tab := self._presenter.tab) is not None:
            tab.give_back(words)
            return
        self._queue.typed = "\n\n".join(filter(None, (words, self._queue.typed)))
        self.saves.put(uuid4().hex, words)

    def retry(self) -> None:
        """Put all words into the open tab. If there is none, save again what was refused."""
        if (tab := self._presenter.tab) is None:
            self.saves.retry()
            return
        for key, words in self.saves.items():
            self.saves.drop(key)
            tab.give_back(words)

    def shown(self, typed: str) -> None:
        """A tab opens with this draft, which may have the words already."""
        for key, words in self.saves.items():
            if f"\n\n{words}\n\n" in f"\n\n{typed}\n\n":
                self.saves.drop(key)


_GOES_ON = frozenset({"stop", "length"})
"""The endings after which the next message is sent."""


class Outbox:
    """Shows each change, and saves the newest draft until the library has it. `send` begins a turn, or calls its second
    argument if the question cannot be saved. It is called only if `is_free`.
    """

    def __init__(
        self, ports: Ports, presenter: ChatPresenter, cost: DraftCost, send: Send, is_free: Callable[[], bool]
    ) -> None:
        self._id = presenter.id
        self._ports = ports
        self._presenter = presenter
        self._cost = cost
        self._send = send
        self._is_free = is_free
        self._is_hurried = False
        self._is_closing = False
        self._saves = NewestSaves(
            lambda _: ports.tasks, self._job, lambda *_: None, lambda _, error: presenter.show_error(error)
        )
        self.replies = NewestSaves[Message, None](
            lambda _: ports.tasks,
            lambda _, reply: partial(save, reply=reply),
            lambda _, reply, _none: presenter.saved(reply),
            lambda _, _error: None,
        )
        self.queue = MessageQueue()
        self.aside = PutAside(ports, presenter, self.queue)

    @property
    def is_saved(self) -> bool:
        """Whether the library has all words of the draft, those that were put aside, and all replies."""
        return not self.replies.items() and not self.aside.saves.items() and self.unsaved_draft() in (None, NO_DRAFT)

    @property
    def is_refused(self) -> bool:
        """Whether the library refuses any of these words."""
        return self.replies.is_refused or self.aside.saves.is_refused or self._saves.is_refused

    def unsaved_draft(self) -> SavedDraft | None:
        """The newest draft, None if the library has it. A retry may be saving it now."""
        return self.queue.draft() if self._id in self._saves else None

    def held(self) -> frozenset[str]:
        """The ids of files that do not go with the next message: those of messages that wait, and of a question that is
        being withdrawn.
        """
        return self.queue.held() | self._presenter.sent_files

    def show_files(self, files: tuple[Attachment, ...]) -> None:
        """Show those of these files that belong to the draft, and not to a message that waits. `files` are all that are
        attached and not sent.
        """
        self._cost.attach(self.queue.take_files(files))

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
            self.aside.give_back(found.text)
            self.show_files((*self.queue.files, *found.files))

    def drop(self, message: str) -> None:
        """Remove a message that waits, and its files."""
        if (found := self.queue.remove(message)) is not None:
            self._changed()
            for file in found.files:
                job = partial(attachments.detach, conversation=self._id, attachment=file.id)
                self._ports.tasks.run(job, self.show_files, self._presenter.show_error)

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
            self.aside.give_back(words)
        self.show_files(files)

    def resume(self) -> None:
        """Send the messages that wait, one after another. An answer that is being stopped does not pause them again."""
        if not len(self.queue):
            return  # the saved draft may have words that were put aside there
        self._is_hurried, self.queue.paused = not self._is_free(), False
        self._changed()
        self.send_next()

    def send_now(self, message: str) -> bool:
        """Let this message be the next, also if the answer before it is stopped. Returns False if it is not here."""
        if (found := self.queue.remove(message)) is None:
            return False
        self.queue.put_back(found)
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
        self._send(turn_jobs.Question(message.text, self.queue.draft(), keep), partial(self._put_back, message))

    def save_draft(self, typed: str, edits: Edits = ()) -> SavedDraft:
        """Save what is in the composer, with edits that were not sent. Returns the draft."""
        self.queue.edits = edits
        draft = self.draft_with(typed)
        self._saves.put(self._id, self.queue)
        return draft

    def draft_with(self, typed: str) -> SavedDraft:
        """What to save as the draft when this is in the composer."""
        self.queue.typed = typed
        return self.queue.draft()

    def _put_back(self, message: WaitingMessage) -> None:
        self.queue.put_back(message)
        self._saves.put(self._id, self.queue)  # the draft may have been saved without it
        self.pause()

    def retry(self) -> None:
        """Save what the library refused before: replies, words that were put aside, and the draft."""
        self.replies.retry()
        self.aside.retry()
        self._saves.retry()

    def _changed(self) -> None:
        self._presenter.queue(self.queue.view())
        self._saves.put(self._id, self.queue)

    def _job(self, conversation: str, queue: MessageQueue) -> Callable[[Library], None]:
        """A message that waited at an earlier attempt may have been sent since."""
        draft = queue.draft()
        return lambda library: library.conversations.save_draft(conversation, draft)
