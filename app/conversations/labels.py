"""Changes the labels of conversations: title, pin, folder and tags. No Qt.

If a whole folder is renamed or removed, its chats are kept, and put back if the user undoes that.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from app.conversations.chats import Chats
from resources.language.text import tr
from storage.library.library import Library
from ui.intents.library import UndoFolder
from ui.intents.notice import undo_notice

EMPTIED: Final = "folder:"
"""The prefix of the key of the notice that offers to undo a removal or a merger; the folder's name follows."""


class Move(NamedTuple):
    """The chats that were in a folder, and the folder to which they moved: "" for none."""

    conversations: tuple[str, ...]
    to: str
    is_merger: bool


class ChatLabels:
    """Saves each change, then shows the list again. A notice offers to undo each removal of a folder, and each renaming
    that merges two. They can be undone in any order.
    """

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._moves: dict[str, Move] = {}

    def rename(self, conversation: str, title: str) -> None:
        """Set the user's own title."""
        self._chats.change(
            conversation,
            lambda library: library.labels.rename(conversation, title),
            lambda _: self._chats.sessions.of(conversation).presenter.title(title),
        )

    def pin(self, *conversations: str, pinned: bool) -> None:
        """Pin conversations of one library above all others, or unpin them. The caches of pinned ones are never
        evicted.
        """
        self._chats.change(
            conversations[0],
            lambda library: library.labels.set_pinned(*conversations, pinned=pinned),
            lambda _: self._chats.pins_changed(),
        )

    def move_to_folder(self, *conversations: str, folder: str) -> None:
        """Move conversations of one library to a folder; "" moves them out of theirs."""
        self._chats.change(conversations[0], lambda library: library.labels.set_folder(*conversations, folder=folder))

    def set_tags(self, conversation: str, tags: str) -> None:
        """Replace the tags. `tags` are separated by commas."""
        names = tuple(dict.fromkeys(name for name in map(str.strip, tags.split(",")) if name))
        self._chats.change(conversation, lambda library: library.labels.set_tags(conversation, names))

    def remove_folder(self, folder: str) -> None:
        """Move all conversations out of `folder`."""
        told = tr("The folder “{name}” was removed. Its chats were kept.", name=folder)
        self._chats.change("", partial(_move, folder=folder, to=""), partial(self._offer_undo, folder, told))

    def rename_folder(self, folder: str, to: str) -> None:
        """Move all conversations of `folder` to another one, which may be new."""
        self._chats.change("", partial(_move, folder=folder, to=to), partial(self._was_renamed, folder))

    def undo_folder(self, folder: str) -> None:
        """Move the conversations into `folder` again, except those that the user has put elsewhere since."""
        self._chats.window.clear_notice(EMPTIED + folder)
        if (move := self._moves.pop(folder, None)) is not None:
            self._chats.change("", partial(_move_back, folder=folder, move=move))

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
        self._chats.window.show_notice(undo_notice(EMPTIED + folder, told, UndoFolder(folder)))


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
    library.labels.set_folder(*(one for one in move.conversations if folders.get(one) in {move.to, ""}), folder=folder)
