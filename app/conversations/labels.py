"""Changes the labels of conversations: title, pin, folder and tags. No Qt.

`ChatFolders` renames and removes whole folders. Their chats are kept, and put back if the user undoes that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from app.base.ports import ChatsSink
from app.chat.sessions import Sessions
from app.conversations.list import ChatList
from app.conversations.stores import Stores
from resources.language.text import tr
from storage.library.library import Library
from ui.intents.library import UndoFolder
from ui.intents.notice import undo_notice


class ChatLabels:
    """Saves each change, then refreshes the list. `pins_changed` is called when the set of pinned conversations
    changed.
    """

    def __init__(
        self,
        stores: Stores,
        sessions: Sessions,
        chats: ChatList,
        pins_changed: Callable[[], object],
    ) -> None:
        self._stores = stores
        self._sessions = sessions
        self._list = chats
        self._pins_changed = pins_changed

    def rename(self, conversation: str, title: str) -> None:
        """Set the user's own title."""
        self._stores.run(
            conversation,
            lambda library: library.labels.rename(conversation, title),
            lambda _: self._sessions.of(conversation).presenter.title(title),
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


EMPTIED: Final = "folder:"
"""The prefix of the key of the notice that offers to undo a removal or a merger; the folder's name follows."""


class Move(NamedTuple):
    """The chats that were in a folder, and the folder to which they moved: "" for none."""

    conversations: tuple[str, ...]
    to: str
    is_merger: bool


class ChatFolders:
    """A notice offers to undo each removal, and each renaming that merges two folders. They can be undone in any
    order.
    """

    def __init__(self, stores: Stores, window: ChatsSink, chats: ChatList) -> None:
        self._stores = stores
        self._window = window
        self._list = chats
        self._moves: dict[str, Move] = {}

    def remove(self, folder: str) -> None:
        """Move all conversations out of `folder`."""
        told = tr("The folder “{name}” was removed. Its chats were kept.", name=folder)
        self._stores.run("", partial(_move, folder=folder, to=""), partial(self._offer_undo, folder, told))
        self._list.refresh()

    def rename(self, folder: str, to: str) -> None:
        """Move all conversations of `folder` to another one, which may be new."""
        self._stores.run("", partial(_move, folder=folder, to=to), partial(self._was_renamed, folder))
        self._list.refresh()

    def undo(self, folder: str) -> None:
        """Move the conversations into `folder` again, except those that the user has put elsewhere since."""
        self._window.clear_notice(EMPTIED + folder)
        move = self._moves.pop(folder, None)
        if move is not None:
            self._stores.run("", partial(_move_back, folder=folder, move=move))
            self._list.refresh()

    def _was_renamed(self, folder: str, move: Move) -> None:
        """What was moved to the renamed folder before is in the new one now."""
        self._moves = {
            name: earlier._replace(to=move.to) if earlier.to == folder else earlier
            for name, earlier in self._moves.items()
        }
        if move.is_merger:
            told = tr("The chats of “{name}” are in “{other}” now.", name=folder, other=move.to)
            self._offer_undo(folder, told, move)

    def _offer_undo(self, folder: str, told: str, move: Move) -> None:
        self._moves[folder] = move
        self._window.show_notice(undo_notice(EMPTIED + folder, told, UndoFolder(folder)))


def _move(library: Library, folder: str, to: str) -> Move:
    """Move all conversations of a folder."""
    others = set(library.labels.folders()) - {folder}
    found = tuple(one.id for one in library.conversations.listed() if one.folder == folder)
    library.labels.set_folder(*found, folder=to)
    name = library.conversations.get(found[0]).folder if found else ""  # without blanks at its ends, for example
    return Move(found, name, name in others)


def _move_back(library: Library, folder: str, move: Move) -> None:
    """Leave out what the user has filed or deleted since. Without a folder are also those whose new folder is gone."""
    folders = {one.id: one.folder for one in library.conversations.listed()}
    left = (one for one in move.conversations if folders.get(one) in {move.to, ""})
    library.labels.set_folder(*left, folder=folder)
