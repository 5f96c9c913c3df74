"""Labels: changes the title, pin, folder and tags of a conversation. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chat import views

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import ChatsSink
    from app.conversations.list import ChatList
    from app.conversations.stores import Stores


class ChatLabels:
    """Saves each change, then refreshes the list. `pins_changed` is called when the set of pinned conversations
    changed.
    """

    def __init__(
        self,
        stores: Stores,
        window: ChatsSink,
        chats: ChatList,
        pins_changed: Callable[[], object],
    ) -> None:
        self._stores = stores
        self._window = window
        self._list = chats
        self._pins_changed = pins_changed

    def rename(self, conversation: str, title: str) -> None:
        """Set the user's own title."""
        self._stores.run(
            conversation,
            lambda library: library.labels.rename(conversation, title),
            lambda _: self._window.chats.set_title(conversation, title or views.untitled()),
        )
        self._list.refresh()

    def pin(self, *conversations: str, pinned: bool) -> None:
        """Pin conversations of one library above all others, or unpin them. The caches of pinned ones are never
        evicted.
        """
        self._stores.run(
            conversations[0],
            lambda library: library.labels.set_pinned(*conversations, pinned=pinned),
            lambda _: self._pins_changed(),
        )
        self._list.refresh()

    def move_to_folder(self, *conversations: str, folder: str) -> None:
        """Move conversations of one library to a folder; "" moves them out of theirs."""
        self._stores.run(conversations[0], lambda library: library.labels.set_folder(*conversations, folder=folder))
        self._list.refresh()

    def set_tags(self, conversation: str, tags: str) -> None:
        """Replace the tags. `tags` are separated by commas."""
        names = tuple(dict.fromkeys(name for name in map(str.strip, tags.split(",")) if name))
        self._stores.run(conversation, lambda library: library.labels.set_tags(conversation, names))
        self._list.refresh()
