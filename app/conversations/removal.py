"""Removal: what becomes of a conversation when its tab is closed, when it is deleted, and when that is undone. No Qt.

A private conversation is erased in the first two cases.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.protocol.cache_messages import Forget

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import ChatsSink
    from app.chat.sessions import Sessions
    from app.conversations.list import ChatList
    from app.conversations.stores import Stores
    from app.conversations.tabs import Tabs
    from storage.library.library import Library
    from storage.library.rows import Conversation


class Removal:
    """Takes conversations off the screen, and out of the library if nothing of them is to stay.

    `untouched` finds a chat in the library if it is as a new one begins.
    """

    def __init__(
        self,
        stores: Stores,
        sessions: Sessions,
        window: ChatsSink,
        chats: ChatList,
        tabs: Tabs,
        untouched: Callable[[Library, str], Conversation | None],
    ) -> None:
        self._stores = stores
        self._sessions = sessions
        self._window = window
        self._list = chats
        self._tabs = tabs
        self._untouched = untouched
        self._closed: tuple[str, ...] = ()

    def close(self, conversation: str) -> None:
        """The user closed the tab. An answer that is being written continues; an untouched new chat is deleted."""
        self._tabs.forget(conversation)
        if self._stores.is_private(conversation):
            self._erase_private(conversation)
        else:
            self._stores.run(conversation, lambda _: None, lambda _: self._delete_untouched(conversation))

    def _delete_untouched(self, conversation: str) -> None:
        """All that the tab had to save is saved or refused by now. A text that was pasted may still be on its way."""
        is_used = self._tabs.is_used(conversation) or self._sessions.of(conversation).cost.file_count
        if not is_used and not self._list.is_being_deleted(conversation):
            self._stores.run(conversation, partial(self._delete_if_untouched, conversation=conversation))
            self._list.refresh()

    def _delete_if_untouched(self, library: Library, conversation: str) -> None:
        if self._untouched(library, conversation) is not None:
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
