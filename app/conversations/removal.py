"""Removal: what becomes of a conversation when its tab is closed, when it is deleted, and when that is undone. No Qt.

A private conversation is erased in the first two cases.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.protocol.cache_messages import Forget

if TYPE_CHECKING:
    from app.base.ports import ChatsSink
    from app.chat.sessions import Sessions
    from app.conversations.chat_settings import ChatSettings
    from app.conversations.list import ChatList
    from app.conversations.stores import Stores
    from app.conversations.tabs import Tabs
    from storage.library.library import Library


class Removal:
    """Takes conversations off the screen, and out of the library if nothing of them is to stay."""

    def __init__(
        self,
        stores: Stores,
        sessions: Sessions,
        window: ChatsSink,
        chats: ChatList,
        tabs: Tabs,
        settings: ChatSettings,
    ) -> None:
        self._stores = stores
        self._sessions = sessions
        self._window = window
        self._list = chats
        self._tabs = tabs
        self._settings = settings
        self._closed: tuple[str, ...] = ()

    def close(self, conversation: str) -> None:
        """The user closed the tab. An answer that is being written continues; an untouched new chat is deleted."""
        self._tabs.forget(conversation)
        if self._stores.is_private(conversation):
            self._erase_private(conversation)
        elif not self._is_used(conversation):
            self._stores.run(conversation, partial(self._delete_if_untouched, conversation=conversation))
            self._list.refresh()

    def _is_used(self, conversation: str) -> bool:
        """Whether a chat has something that the library does not have, or not yet. The disk may refuse it."""
        session = self._sessions.of(conversation)
        has_words = not session.outbox.is_saved or self._settings.is_unsaved(conversation)
        is_in_use = session.busy or self._tabs.is_opening(conversation)
        return has_words or session.cost.file_count > 0 or is_in_use or self._list.is_being_deleted(conversation)

    def _delete_if_untouched(self, library: Library, conversation: str) -> None:
        if self._settings.untouched(library, conversation) is not None:
            library.trash.discard(conversation)

    def delete(self, *conversations: str) -> None:
        """Close their tabs, and delete the conversations unless the user undoes that in time."""
        listed = tuple(conversation for conversation in conversations if not self._stores.is_private(conversation))
        opened = self._tabs.opened
        self._closed = (*filter(self._list.is_being_deleted, self._closed), *(one for one in listed if one in opened))
        for conversation in conversations:
            self._tabs.forget(conversation)
            if conversation not in listed:
                self._erase_private(conversation)
        for conversation in listed:
            self._sessions.of(conversation).stop()
            self._window.chats.remove(conversation)
        if listed:
            self._list.delete(*listed)

    def undo(self, conversation: str) -> None:
        """Bring back what was deleted together with `conversation`, and reopen the tabs that were closed by that. The
        tab that was closed last opens first, because each one goes back beside its former neighbours.
        """
        closed = tuple(one for one in self._list.undo_delete(conversation) if one in self._closed)
        self._closed = tuple(one for one in self._closed if one not in closed)
        for one in reversed(closed):
            self._tabs.open(one)

    def _erase_private(self, conversation: str) -> None:
        """Erase it behind the jobs that its ending answers still have in the queue, so that none of those fails."""
        session = self._sessions.of(conversation)
        session.stop()
        session.give_up()
        self._window.chats.remove(conversation)
        self._stores.run(conversation, lambda _: None, lambda _: self._erase(conversation))

    def _erase(self, conversation: str) -> None:
        self._stores.run(conversation, lambda library: library.trash.erase(conversation))
        self._stores.private.engine.send(Forget(conversation, on_disk=False))
        self._sessions.drop(conversation)
        self._stores.remove(conversation)
