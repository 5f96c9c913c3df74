"""FolderRemoval: removes folders and keeps their chats, and puts the chats back if the user undoes that. No Qt."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from resources.language.text import tr
from storage.errors import NoSuchConversation
from ui.state.notice import Notice

if TYPE_CHECKING:
    from app.base.ports import ChatsSink
    from app.conversations.list import ChatList
    from app.conversations.stores import Stores
    from storage.library.library import Library

UNFILED: Final = "folder:"
"""The prefix of the key of the notice that offers to undo a removal; the folder's name follows."""


class FolderRemoval:
    """A notice offers to undo each removal. Removals of several folders can be undone in any order."""

    def __init__(self, stores: Stores, window: ChatsSink, chats: ChatList) -> None:
        self._stores = stores
        self._window = window
        self._list = chats
        self._removed: dict[str, tuple[str, ...]] = {}

    def remove(self, folder: str) -> None:
        """Move all conversations out of `folder`."""
        self._stores.run("", partial(_empty, folder=folder), partial(self._was_removed, folder))
        self._list.refresh()

    def undo(self, folder: str) -> None:
        """Move them into `folder` again, except those that the user has put into another folder since."""
        self._window.clear_notice(UNFILED + folder)
        chats = self._removed.pop(folder, ())
        self._stores.run("", partial(_refill, folder=folder, conversations=chats))
        self._list.refresh()

    def _was_removed(self, folder: str, conversations: tuple[str, ...]) -> None:
        self._removed[folder] = conversations
        told = tr("The folder “{name}” was removed. Its chats were kept.", name=folder)
        self._window.show_notice(Notice(UNFILED + folder, told, tr("Undo"), undoes=True, passing=True))


def _empty(library: Library, folder: str) -> tuple[str, ...]:
    """Returns the ids of the conversations that were in the folder."""
    found = tuple(one.id for one in library.conversations.listed() if one.folder == folder)
    for conversation in found:
        library.labels.set_folder(conversation, "")
    return found


def _refill(library: Library, folder: str, conversations: tuple[str, ...]) -> None:
    for conversation in conversations:
        with suppress(NoSuchConversation):
            if not library.conversations.get(conversation).folder:
                library.labels.set_folder(conversation, folder)
