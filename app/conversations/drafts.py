"""Drafts: saves what was typed and not sent, and retries until the library accepts it. No Qt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.base.errors import refusal
from app.chat.save_retry import PASSING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.chat.message_queue import MessageQueue
    from app.chat.sessions import Sessions
    from app.conversations.list import ChatList
    from app.conversations.stores import Stores
    from ui.state.chat import Edits


class Drafts:
    """Keeps only the newest draft of each chat. The first failure is shown, those of the retries are not."""

    def __init__(self, stores: Stores, sessions: Sessions, chats: ChatList) -> None:
        self._stores = stores
        self._sessions = sessions
        self._list = chats
        self._newest: dict[str, str] = {}
        self._queues: dict[str, MessageQueue] = {}  # they stay if the session goes with its library
        self._refused: set[str] = set()

    def save(self, conversation: str, typed: str, edits: Edits = ()) -> None:
        """Save the draft of a chat behind its messages that wait, with edits that were not sent, unless the chat is
        being deleted.
        """
        if self._list.is_being_deleted(conversation):
            return
        outbox = self._sessions.of(conversation).outbox
        outbox.queue.edits = edits
        text = outbox.draft_with(typed)
        self._newest[conversation], self._queues[conversation] = text, outbox.queue
        self._list.show_draft(conversation, text)
        self._refused.discard(conversation)
        self._save(conversation, text, self._refuse)

    def unsaved(self, conversation: str) -> str | None:
        """The newest draft of a chat, unless the library has it. A retry may be saving it now."""
        return self._queues[conversation].draft() if conversation in self._queues else None

    def retry(self) -> None:
        """Save again what could not be saved. A message that waited then may have been sent since."""
        refused, self._refused = self._refused, set()
        for conversation in refused:
            self._newest[conversation] = self._queues[conversation].draft()
            self._save(conversation, self._newest[conversation], self._put_off)

    def _save(self, conversation: str, text: str, failed: Callable[[str, str, Exception], object]) -> None:
        self._stores.of(conversation).tasks.run(
            lambda library: library.conversations.save_draft(conversation, text),
            lambda _: self._saved(conversation, text),
            partial(failed, conversation, text),
        )

    def _saved(self, conversation: str, text: str) -> None:
        if self._newest.get(conversation) == text:
            del self._newest[conversation], self._queues[conversation]
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
            del self._newest[conversation], self._queues[conversation]
