"""The messages of one conversation as the window knows them, shown or not.

Owns each message's text, also while it streams, and its lines; when they are shown is the transcript's. No Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.markdown.lines import lines
from ui.markdown.stream import Stream
from ui.state import MessageState, MessageView
from ui.transcript_rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.markdown.lines import Line


@dataclass(slots=True)
class _Entry:
    view: MessageView
    stream: Stream | None = None
    body: tuple[Line, ...] | None = None

    def __post_init__(self) -> None:
        if self.view.role == "assistant" and self.view.state is MessageState.OPEN:
            self.stream = Stream(self.view.text)

    @property
    def text(self) -> str:
        return self.view.text if self.stream is None else self.stream.text

    def read(self) -> tuple[Line, ...]:
        if self.view.role == "user":
            return ()
        if self.stream is not None:
            return self.stream.lines()
        if self.body is None:
            self.body = lines(self.view.text)
        return self.body


class Messages:
    """An ordered set of messages, found by their id. `changed` names those whose lines have to be read again."""

    def __init__(self, views: Iterable[MessageView] = ()) -> None:
        self._entries = [_Entry(view) for view in views]
        self._copied: tuple[str, int] | None = None
        self.changed: set[str] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def index(self, message: str) -> int | None:
        """Where the message stands, looked for from the newest on; None if it is not there."""
        found = (at for at in reversed(range(len(self._entries))) if self._entries[at].view.id == message)
        return next(found, None)

    def view(self, index: int) -> MessageView:
        """The message at `index`; the text of an open one may be older than `text`."""
        return self._entries[index].view

    def text(self, index: int) -> str:
        """The message's raw text so far."""
        return self._entries[index].text

    def lines(self, index: int) -> tuple[Line, ...]:
        """What is to be shown for the message at `index`."""
        entry = self._entries[index]
        copied = self._copied[1] if self._copied and self._copied[0] == entry.view.id else None
        return Rows(entry.view, index == len(self._entries) - 1, copied).lines(entry.read())

    def add(self, view: MessageView) -> None:
        """Append a message; the one before it is the newest no longer."""
        self._touch_newest()
        self._entries.append(_Entry(view))
        self.changed.add(view.id)

    def append(self, message: str, text: str) -> None:
        """More text of an open message. Text for any other comes too late and is dropped."""
        index = self.index(message)
        stream = None if index is None else self._entries[index].stream
        if stream is not None:
            stream.feed(text)
            self.changed.add(message)

    def replace(self, view: MessageView) -> None:
        """Take a message's new state; an unknown message is ignored."""
        index = self.index(view.id)
        if index is None:
            return
        old, new = self._entries[index], _Entry(view)
        if old.stream is not None and new.stream is not None and old.stream.text == view.text:
            new.stream = old.stream
        self._entries[index] = new
        self.changed.add(view.id)

    def remove(self, index: int) -> None:
        """Take the message at `index` out."""
        self.changed.discard(self._entries.pop(index).view.id)
        self._touch_newest()

    def mark_copied(self, message: str, number: int) -> None:
        """Say under the message that this of it was copied."""
        self.unmark_copied()
        self._copied = (message, number)
        self.changed.add(message)

    def unmark_copied(self) -> None:
        """Say so no longer."""
        if self._copied is not None:
            self.changed.add(self._copied[0])
        self._copied = None

    def _touch_newest(self) -> None:
        if self._entries:
            self.changed.add(self._entries[-1].view.id)
