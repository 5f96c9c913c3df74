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

    def pin(self, conversation: str, pinned: bool) -> None:  # noqa: FBT001 - a signal's value
        """Pin a conversation above all others. The caches of pinned ones are never evicted."""
        self._stores.run(
            conversation,
            lambda library: library.labels.set_pinned(conversation, pinned),
            lambda _: self._pins_changed(),
        )
        self._list.refresh()

    def pin_all(self, conversations: tuple[str, ...], pinned: bool) -> None:  # noqa: FBT001 - a signal's value
        """Pin several conversations, or unpin them."""
        self._stores.run("", lambda library: library.labels.pin_all(conversations, pinned), self._pinned)
        self._list.refresh()

    def _pinned(self, _: None) -> None:
        self._pins_changed()

    def move_to_folder(self, conversation: str, folder: str) -> None:
        """Move a conversation to a folder; "" moves it out of its folder."""
        self._stores.run(conversation, lambda library: library.labels.set_folder(conversation, folder))
        self._list.refresh()

    def file_all(self, conversations: tuple[str, ...], folder: str) -> None:
        """Move several conversations to a folder; "" moves them out of theirs."""
        self._stores.run("", lambda library: library.labels.file_all(conversations, folder))
        self._list.refresh()

    def set_tags(self, conversation: str, tags: str) -> None:
        """Replace the tags. `tags` are separated by commas."""
        names = tuple(dict.fromkeys(name for name in map(str.strip, tags.split(",")) if name))
        self._stores.run(conversation, lambda library: library.labels.set_tags(conversation, names))
        self._list.refresh()
