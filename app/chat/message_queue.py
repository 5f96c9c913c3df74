"""MessageQueue: the messages of one chat that wait for the end of its answer. Pure.

A message that waits is part of the saved draft, so that it survives a crash and a quit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from ui.state.chat import QueuedView, QueueView

if TYPE_CHECKING:
    from storage.library.rows import Attachment

_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that waits, with its files."""

    id: str
    text: str
    files: tuple[Attachment, ...] = ()


class MessageQueue:
    """In the order in which they will be sent. While the queue is `paused`, nothing of it is sent.

    `typed` is the draft behind it, and `files` are those of the draft.
    """

    def __init__(self) -> None:
        self.paused = False
        self.typed = ""
        self.files: tuple[Attachment, ...] = ()
        self._waiting: tuple[Waiting, ...] = ()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, text: str) -> None:
        """Add a message with the files of the draft at the end."""
        self._waiting = (*self._waiting, Waiting(uuid4().hex, text, self.files))
        self.typed, self.files = "", ()

    def put_back(self, message: Waiting) -> None:
        """Put a message that could not be sent at the beginning."""
        self._waiting = (message, *self._waiting)

    def move_to_front(self, identifier: str) -> bool:
        """Make a message the next one. Returns False if it is not here any more."""
        if (found := self.remove(identifier)) is None:
            return False
        self.put_back(found)
        return True

    def first(self) -> Waiting | None:
        """Remove and return the next message."""
        return self.remove(self._waiting[0].id) if self._waiting else None

    def remove(self, identifier: str) -> Waiting | None:
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

    def draft(self) -> str:
        """What to save as the draft: the messages that wait, then what was typed."""
        return _BETWEEN.join(text for text in (*(message.text for message in self._waiting), self.typed) if text)

    def take_draft(self, saved: str) -> str:
        """Note and return the typed part of a saved draft."""
        self.typed = ""
        before = self.draft()
        if before and saved.startswith(before):
            saved = saved.removeprefix(before).removeprefix(_BETWEEN)
        self.typed = saved
        return saved

    def view(self) -> QueueView:
        """The queue for the window."""
        shown = (QueuedView(message.id, message.text, len(message.files)) for message in self._waiting)
        return QueueView(tuple(shown), self.paused)
