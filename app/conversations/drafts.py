"""What is typed and not sent, on its way to the library. Owns that it is offered again until the library takes it.

When it is announced is left to the window's composer. No Qt.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.base.errors import refusal
from app.chat.save_retry import PASSING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.conversations.list import ChatList
    from app.conversations.stores import Stores


class Drafts:
    """Of each chat only its newest draft matters. The window is told of the first refusal, not of each new try."""

    def __init__(self, stores: Stores, chats: ChatList) -> None:
        self._stores = stores
        self._list = chats
        self._newest: dict[str, str] = {}
        self._refused: set[str] = set()

    def save(self, conversation: str, text: str) -> None:
        """Save the draft of a chat, unless the chat is being deleted."""
        if self._list.is_being_deleted(conversation):
            return
        self._newest[conversation] = text
        self._refused.discard(conversation)
        self._save(conversation, text, self._refuse)

    def retry(self) -> None:
        """Offer again what was refused."""
        refused, self._refused = self._refused, set()
        for conversation in refused:
            self._save(conversation, self._newest[conversation], self._put_off)

    def _save(self, conversation: str, text: str, failed: Callable[[str, str, Exception], object]) -> None:
        self._stores.of(conversation).tasks.run(
            lambda library: library.conversations.save_draft(conversation, text),
            lambda _: self._saved(conversation, text),
            partial(failed, conversation, text),
        )

    def _saved(self, conversation: str, text: str) -> None:
        if self._newest.get(conversation) == text:
            del self._newest[conversation]
            self._refused.discard(conversation)

    def _refuse(self, conversation: str, text: str, error: Exception) -> None:
        self._stores.of(conversation).sink.show_notice(refusal(error))
        self._put_off(conversation, text, error)

    def _put_off(self, conversation: str, text: str, error: Exception) -> None:
        if self._newest.get(conversation) != text:
            return
        if isinstance(error, PASSING):
            self._refused.add(conversation)
        else:
            del self._newest[conversation]
