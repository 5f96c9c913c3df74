"""One conversation on the window. Owns its status, and that the newest words are shown over those on disk; what they
are is the session's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import context, views
from app.errors import notice
from ui.state import ChatStatus, ChatView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.ports import ChatSink
    from app.turns import Branch, Start
    from engine.protocol import Delta
    from storage.library.rows import Message
    from ui.state import MessageView


class ChatScreen:
    """`sink` is the window. Words that are not on disk yet are remembered until they are."""

    def __init__(self, conversation: str, sink: ChatSink, status: ChatStatus) -> None:
        self.id = conversation
        self.status = status
        self._sink = sink
        self._unsaved: dict[str, Message] = {}

    def show(self, status: ChatStatus) -> None:
        """Show what the conversation's model does."""
        self.status = status
        self._sink.set_status(self.id, status)

    def begin(self, start: Start) -> None:
        """Show a turn that begins."""
        self._sink.clear_notice(context.FULL + self.id)
        self.title(start.conversation.title)
        for message in start.added:
            self._sink.add_message(self.id, views.message(message))
        for message in start.changed:
            self._sink.replace_message(self.id, views.message(message))
        if not (start.added or start.changed):
            self._sink.show_branch(self.id, views.branch(start.conversation, start.branch))

    def append(self, message: str, row: Delta) -> None:
        """Show new words of a reply."""
        self._sink.append_delta(self.id, message, row.text, row.channel)

    def close(self, message: Message) -> None:
        """Show a reply as it ended, though the disk may not have it yet."""
        self._unsaved[message.id] = message
        self._sink.replace_message(self.id, views.message(message))

    def saved(self, message: Message) -> None:
        """The disk has it."""
        self._unsaved.pop(message.id, None)

    def branch(self, branch: Branch, live: Iterable[Message]) -> None:
        """Show this branch instead of what was shown."""
        self.title(branch.conversation.title)
        self._sink.show_branch(self.id, self._views(branch, live))

    def view(self, branch: Branch, draft: str, live: Iterable[Message]) -> ChatView:
        """All that a tab needs."""
        owner = branch.conversation
        return ChatView(
            self.id,
            owner.title or views.UNTITLED,
            self._views(branch, live),
            draft,
            owner.preset,
            thinking=owner.thinking,
            status=self.status,
        )

    def title(self, title: str) -> None:
        """Name its tab."""
        self._sink.set_title(self.id, title or views.UNTITLED)

    def draft(self, text: str) -> None:
        """Put words into the composer."""
        self._sink.set_draft(self.id, text)

    def trouble(self, error: Exception) -> None:
        """Say what went wrong."""
        self._sink.show_notice(notice(error))

    def full(self, start: Start) -> None:
        """Offer what can be done about a chat that is too long."""
        self._sink.show_notice(context.notice(start))

    def _views(self, branch: Branch, live: Iterable[Message]) -> tuple[MessageView, ...]:
        newest = self._unsaved | {message.id: message for message in live}
        shown = tuple(newest.get(message.id, message) for message in branch.messages)
        return views.branch(branch.conversation, shown)
