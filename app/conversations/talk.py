"""What the user asks of the turns of conversations. Owns the way to the session, and that the list follows.

What becomes of a turn is the session's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chat import overflow

if TYPE_CHECKING:
    from app.base.ports import ChatsSink
    from app.chat.sessions import Sessions
    from app.conversations.list import ChatList


class Talk:
    """Every call names the conversation first."""

    def __init__(self, sessions: Sessions, window: ChatsSink, chats: ChatList) -> None:
        self._sessions = sessions
        self._window = window
        self._list = chats

    def submit(self, conversation: str, text: str) -> None:
        """Send the user's message."""
        self._sessions.of(conversation).submit(text)
        self._list.refresh()

    def stop(self, conversation: str) -> None:
        """End its answer."""
        self._sessions.of(conversation).stop()

    def retry(self, conversation: str, message: str) -> None:
        """Have a message answered again."""
        self._sessions.of(conversation).retry(message)

    def alternatives(self, conversation: str, message: str, count: int) -> None:
        """Have a message answered again, `count` times at once."""
        self._sessions.of(conversation).retry(message, count)

    def extend(self, conversation: str, message: str) -> None:
        """Have a reply continued."""
        self._sessions.of(conversation).extend(message)

    def edit(self, conversation: str, message: str, text: str) -> None:
        """Say something else in the place of a message."""
        self._sessions.of(conversation).edit(message, text)
        self._list.refresh()

    def step(self, conversation: str, message: str, by: int) -> None:
        """Show another alternative of a message."""
        self._sessions.of(conversation).step(message, by)
        self._list.refresh()

    def earlier(self, conversation: str, before: str) -> None:
        """Show what stands above a message."""
        self._sessions.of(conversation).earlier(before)

    def pause(self, conversation: str) -> None:
        """Let its answer wait."""
        self._sessions.of(conversation).pause()

    def resume(self, conversation: str) -> None:
        """Go on with an answer that waits."""
        self._sessions.of(conversation).resume()

    def leave_out(self, conversation: str) -> None:
        """Let the model read the newer half of it only, and ask again."""
        self._window.clear_notice(overflow.FULL + conversation)
        self._sessions.of(conversation).leave_out()
