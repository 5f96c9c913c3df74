"""The messages of one conversation as the window knows them, on the page or not. No Qt.

`ShownMessages` turns each message into lines, and records which messages changed since the transcript last wrote them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ui.markdown.lines import Line
from ui.state.chat import Channel, MessageView
from ui.transcript.message_lines import MessageLines, ReplyContent
from ui.transcript.question_lines import is_long, question_text
from ui.transcript.reply_state import IMAGE_SIGN, ReplyState


@dataclass(slots=True)
class _Entry:
    view: MessageView
    reply: ReplyState | None = None
    is_folded: bool = True

    def __post_init__(self) -> None:
        if self.view.role == "assistant":
            self.reply = ReplyState(self.view)

    def update(self, view: MessageView) -> None:
        self.view = view
        if self.reply is not None:
            self.reply.update(view)


class ShownMessages:
    """An ordered list of messages, found by id. `changed` holds the ids of the messages to write again.

    `writers` are the models of all replies that were here, also on other branches and in `before`, the messages that
    these replace. If there are several, each reply names its model.
    """

    def __init__(self, views: Iterable[MessageView] = (), before: ShownMessages | None = None) -> None:
        self._entries = [_Entry(view) for view in views]
        self.writers: set[str] = set() if before is None else set(before.writers)
        self.writers |= {entry.view.writer for entry in self._entries} - {""}
        self._copied: tuple[str, int] | None = None
        self._edited = ""
        self.changed: set[str] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def index(self, message: str) -> int | None:
        """The index of a message, or None if it is not in the list. The search starts at the newest."""
        found = (at for at in reversed(range(len(self._entries))) if self._entries[at].view.id == message)
        return next(found, None)

    def find(self, message: str) -> MessageView | None:
        """The view that the app last sent for a message, or None if the message is not in the list."""
        index = self.index(message)
        return None if index is None else self.view(index)

    def newest(self) -> MessageView | None:
        """The last message, or None in an empty conversation."""
        return next(self._from_newest(), None)

    def newest_of(self, role: Literal["user", "assistant"]) -> MessageView | None:
        """The last message of the user or of the model, or None."""
        return next((view for view in self._from_newest() if view.role == role), None)

    def newest_with_alternatives(self) -> MessageView | None:
        """The last message that has alternatives, or None."""
        return next((view for view in self._from_newest() if view.places > 1), None)

    def _from_newest(self) -> Iterator[MessageView]:
        return (entry.view for entry in reversed(self._entries))

    def view(self, index: int) -> MessageView:
        """The view of the message at `index`. While the message is open, its text may be older than `text`."""
        return self._entries[index].view

    def text(self, index: int) -> str:
        """The raw text so far of the message at `index`."""
        reply = self._entries[index].reply
        return self._entries[index].view.text if reply is None else reply.text

    def length(self, index: int) -> int:
        """How many characters of the message at `index` may be on the page."""
        reply = self._entries[index].reply
        return len(self._entries[index].view.text) if reply is None else reply.length

    def parse(self, index: int) -> bool:
        """Parse the message at `index`, so that `lines` needs little time. Return whether that was left to do, or is in
        progress.
        """
        reply = self._entries[index].reply
        return reply is not None and reply.prepare()

    def is_parsing(self, index: int) -> bool:
        """Whether the message at `index` is parsed on a thread now."""
        reply = self._entries[index].reply
        return reply is not None and reply.is_parsing

    def may_have_formulas(self, index: int) -> bool:
        """Whether a sign that begins a formula or an image is in the message. Most have none, and this is quick."""
        reply, view = self._entries[index].reply, self._entries[index].view
        return IMAGE_SIGN in view.text if reply is None else reply.may_have_formulas

    def text_of(self, message: str) -> str:
        """The raw text so far of a message, which must be in the list."""
        index = self.index(message)
        assert index is not None, "only a message that is here has a text"
        return self.text(index)

    def is_folded(self, index: int) -> bool:
        """Whether the reasoning of the message is folded, or would be if it had any."""
        reply = self._entries[index].reply
        return reply is not None and reply.is_folded

    def is_shortened(self, index: int) -> bool:
        """Whether the message is a question of which only the beginning is shown."""
        entry = self._entries[index]
        return entry.reply is None and entry.is_folded and is_long(question_text(entry.view.text))

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines to show for the message at `index`."""
        entry = self._entries[index]
        message = entry.view.id
        copied = self._copied[1] if self._copied and self._copied[0] == message else None
        newest = index == len(self._entries) - 1
        rows = MessageLines(
            entry.view,
            newest,
            copied,
            message == self._edited,
            self._is_context_start(index),
            entry.is_folded,
            signed=len(self.writers) > 1,
        )
        return rows.lines(ReplyContent() if entry.reply is None else entry.reply.content())

    def add(self, view: MessageView) -> None:
        """Append a message. The message before it changes too, as it is no longer the newest."""
        self._mark_changed(len(self._entries) - 1)
        self._entries.append(_Entry(view))
        self.changed.add(view.id)
        self._note_writers((view,))

    def prepend(self, views: tuple[MessageView, ...]) -> int:
        """Insert messages before all others, except those that are in the list already. Return how many are new."""
        here = {entry.view.id for entry in self._entries}
        new = [_Entry(view) for view in views if view.id not in here]
        if new:
            self._mark_changed(0)
        self._entries[:0] = new
        self._note_writers(views)
        return len(new)

    def append(self, message: str, text: str, channel: Channel = "answer") -> None:
        """Append text to an open message. Text for any other message is late and is dropped."""
        index = self.index(message)
        reply = None if index is None else self._entries[index].reply
        if reply is not None and reply.is_open:
            reply.feed(text, channel)
            self.changed.add(message)

    def replace(self, view: MessageView) -> None:
        """Take over the new state of a message. Unknown messages are ignored."""
        index = self.index(view.id)
        if index is None:
            return
        if self._entries[index].view.out_of_context != view.out_of_context:
            self._mark_changed(index + 1)
        self._entries[index].update(view)
        self.changed.add(view.id)
        self._note_writers((view,))

    def common_prefix(self, views: tuple[MessageView, ...]) -> int:
        """How many messages at the beginning have the same ids as `views`."""
        pairs = enumerate(zip(self._entries, views, strict=False))
        return next((at for at, (old, new) in pairs if old.view.id != new.id), min(len(self._entries), len(views)))

    def switch_branch(self, kept: int, views: tuple[MessageView, ...]) -> None:
        """Replace the messages by `views`. The first `kept` of them are in the list already."""
        self._mark_changed(kept - 1)
        self._mark_changed(len(self._entries) - 1)
        del self._entries[kept:]
        for entry, view in zip(self._entries, views, strict=False):
            if entry.view != view:
                self.replace(view)
        for view in views[kept:]:
            self.add(view)

    def fold(self, message: str, folded: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Fold or unfold the reasoning of a reply, or a long question."""
        index = self.index(message)
        if index is None:
            return
        entry = self._entries[index]
        if entry.reply is None:
            entry.is_folded = folded
        else:
            entry.reply.fold(folded)
        self.changed.add(message)

    def mark_copied(self, message: str, number: int) -> None:
        """Mark a code block or a whole message as just copied."""
        self.unmark_copied()
        self._copied = (message, number)
        self.changed.add(message)

    def unmark_copied(self) -> None:
        """Remove the mark of `mark_copied`."""
        if self._copied is not None:
            self.changed.add(self._copied[0])
        self._copied = None

    def mark_edited(self, message: str) -> None:
        """Mark the message that the user is editing; "" marks none."""
        self.changed |= {message, self._edited} - {""}
        self._edited = message

    def _is_context_start(self, index: int) -> bool:
        """Whether the model's context begins with this message, and not with the first of the conversation."""
        before = index > 0 and self._entries[index - 1].view.out_of_context
        return before and not self._entries[index].view.out_of_context

    def _note_writers(self, views: Iterable[MessageView]) -> None:
        """If these are the first replies of another model, all replies change."""
        before = len(self.writers)
        self.writers |= {view.writer for view in views} - {""}
        if before <= 1 < len(self.writers):
            self.changed |= {entry.view.id for entry in self._entries if entry.view.writer}

    def _mark_changed(self, index: int) -> None:
        if 0 <= index < len(self._entries):
            self.changed.add(self._entries[index].view.id)
