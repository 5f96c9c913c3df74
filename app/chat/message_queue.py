"""MessageQueue: the messages of one chat that wait for the end of its answer. Pure.

A message that waits is part of the saved draft, so that it survives a crash and a quit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import uuid4

from storage.library.rows import Attachment, Message, QueuedText, SavedDraft
from ui.state.chat import Edits, QueuedView, QueueView


def shown_draft(saved: SavedDraft) -> str:
    """A saved draft for the eye: its messages and what was typed, without edits."""
    return "\n\n".join(filter(None, (*(one.text for one in saved.queue), saved.typed))).strip()


@dataclass(frozen=True, slots=True)
class WaitingMessage:
    """A message that waits, with its files."""

    id: str
    text: str
    files: tuple[Attachment, ...] = ()


class MessageQueue:
    """In the order in which they will be sent. While the queue is `paused`, nothing of it is sent.

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

    def move_to_front(self, identifier: str) -> bool:
        """Make a message the next one. Returns False if it is not here any more."""
        if (found := self.remove(identifier)) is None:
            return False
        self.put_back(found)
        return True

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
