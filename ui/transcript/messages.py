"""The messages of one conversation as the window knows them, shown or not.

Owns their order, what is marked on them, and their lines; what a reply says is `transcript_reply`'s, when lines are
shown is the transcript's. No Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.state import MessageState
from ui.transcript.message_lines import MessageLines, ReplyContent
from ui.transcript.reply_state import ReplyState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from ui.markdown.lines import Line
    from ui.state import Channel, MessageView


@dataclass(slots=True)
class _Entry:
    view: MessageView
    reply: ReplyState | None = None

    def __post_init__(self) -> None:
        if self.view.role == "assistant":
            self.reply = ReplyState(self.view)

    def take(self, view: MessageView) -> None:
        self.view = view
        if self.reply is not None:
            self.reply.take(view)


class Messages:
    """An ordered set of messages, found by their id. `changed` names those whose lines have to be read again."""

    def __init__(self, views: Iterable[MessageView] = ()) -> None:
        self._entries = [_Entry(view) for view in views]
        self._copied: tuple[str, int] | None = None
        self._edited = ""
        self.changed: set[str] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def index(self, message: str) -> int | None:
        """Where the message stands, looked for from the newest on; None if it is not there."""
        found = (at for at in reversed(range(len(self._entries))) if self._entries[at].view.id == message)
        return next(found, None)

    def find(self, message: str) -> MessageView | None:
        """The message as the app told it last; None if it is not there."""
        index = self.index(message)
        return None if index is None else self.view(index)

    def newest(self) -> MessageView | None:
        """The message that the conversation ends with, None before the first."""
        return next(self._from_newest(), None)

    def newest_of(self, role: Literal["user", "assistant"]) -> MessageView | None:
        """The message nearest to the end that is the user's, or the model's."""
        return next((view for view in self._from_newest() if view.role == role), None)

    def newest_with_alternatives(self) -> MessageView | None:
        """The message nearest to the end that has alternatives."""
        return next((view for view in self._from_newest() if view.places > 1), None)

    def newest_ended(self) -> MessageView | None:
        """The message nearest to the end that is not being written."""
        return next((view for view in self._from_newest() if view.state is not MessageState.OPEN), None)

    def _from_newest(self) -> Iterator[MessageView]:
        return (entry.view for entry in reversed(self._entries))

    def view(self, index: int) -> MessageView:
        """The message at `index`; the text of an open one may be older than `text`."""
        return self._entries[index].view

    def text(self, index: int) -> str:
        """The message's raw text so far."""
        reply = self._entries[index].reply
        return self._entries[index].view.text if reply is None else reply.text

    def text_of(self, message: str) -> str:
        """The raw text so far of a message that is here."""
        index = self.index(message)
        assert index is not None, "only a message that is here has a text"
        return self.text(index)

    def is_folded(self, index: int) -> bool:
        """Whether the message's reasoning is, or would be, put away."""
        reply = self._entries[index].reply
        return reply is not None and reply.is_folded

    def lines(self, index: int) -> tuple[Line, ...]:
        """What is to be shown for the message at `index`."""
        entry = self._entries[index]
        message = entry.view.id
        copied = self._copied[1] if self._copied and self._copied[0] == message else None
        newest = index == len(self._entries) - 1
        rows = MessageLines(entry.view, newest, copied, message == self._edited, self._is_context_start(index))
        return rows.lines(ReplyContent() if entry.reply is None else entry.reply.said())

    def add(self, view: MessageView) -> None:
        """Append a message; the one before it is the newest no longer."""
        self._touch(len(self._entries) - 1)
        self._entries.append(_Entry(view))
        self.changed.add(view.id)

    def prepend(self, views: tuple[MessageView, ...]) -> int:
        """Put messages before all others; those that are here already stay where they are. Returns how many came."""
        here = {entry.view.id for entry in self._entries}
        new = [_Entry(view) for view in views if view.id not in here]
        if new:
            self._touch(0)
        self._entries[:0] = new
        return len(new)

    def append(self, message: str, text: str, channel: Channel = "answer") -> None:
        """More text of an open message. Text for any other comes too late and is dropped."""
        index = self.index(message)
        reply = None if index is None else self._entries[index].reply
        if reply is not None and reply.is_open:
            reply.feed(text, channel)
            self.changed.add(message)

    def replace(self, view: MessageView) -> None:
        """Take a message's new state; an unknown message is ignored."""
        index = self.index(view.id)
        if index is None:
            return
        if self._entries[index].view.out_of_context != view.out_of_context:
            self._touch(index + 1)
        self._entries[index].take(view)
        self.changed.add(view.id)

    def remove(self, index: int) -> None:
        """Take the message at `index` out."""
        self.changed.discard(self._entries.pop(index).view.id)
        self._touch(index)
        self._touch(len(self._entries) - 1)

    def kept(self, views: tuple[MessageView, ...]) -> int:
        """How many messages at the beginning are the same ones as these."""
        pairs = enumerate(zip(self._entries, views, strict=False))
        return next((at for at, (old, new) in pairs if old.view.id != new.id), min(len(self._entries), len(views)))

    def branch(self, kept: int, views: tuple[MessageView, ...]) -> None:
        """Be these messages, of which the first `kept` are here already."""
        self._touch(kept - 1)
        self._touch(len(self._entries) - 1)
        del self._entries[kept:]
        for entry, view in zip(self._entries, views, strict=False):
            if entry.view != view:
                self.replace(view)
        for view in views[kept:]:
            self.add(view)

    def fold(self, message: str, folded: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Put a reply's reasoning away or keep it open."""
        index = self.index(message)
        reply = None if index is None else self._entries[index].reply
        if reply is not None:
            reply.fold(folded)
            self.changed.add(message)

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

    def mark_edited(self, message: str) -> None:
        """Show which message is being written anew, "" for none."""
        self.changed |= {message, self._edited} - {""}
        self._edited = message

    def _is_context_start(self, index: int) -> bool:
        """Whether the model's context begins with this message, and not with the first of the conversation."""
        before = index > 0 and self._entries[index - 1].view.out_of_context
        return before and not self._entries[index].view.out_of_context

    def _touch(self, index: int) -> None:
        if 0 <= index < len(self._entries):
            self.changed.add(self._entries[index].view.id)
