"""Changes the labels of conversations: title, pin, folder and tags. No Qt.

If a whole folder is renamed or removed, its chats are kept, and put back if the user undoes that.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import dropwhile
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
        """Those that can be undone, by the folder that the chats were in, the last one last."""

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
        self._chats.change(
            conversations[0],
            lambda library: library.labels.set_folder(*conversations, folder=folder),
            lambda _: self._leave_out(conversations, self._moves),
        )

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
        if (move := self._moves.get(folder)) is not None:
            self._chats.change("", partial(_move_back, folder=folder, move=move), lambda _: self._undone(folder, move))

    def _undone(self, folder: str, move: Move) -> None:
        """What happened to the conversations from then on is undone, too."""
        self._leave_out(move.conversations, dropwhile(lambda name: name != folder, self._moves))
        self._moves.pop(folder, None)

    def _leave_out(self, conversations: tuple[str, ...], folders: Iterable[str]) -> None:
        """These conversations stay where they are when the moves out of `folders` are undone."""
        for name in folders:
            left = tuple(one for one in self._moves[name].conversations if one not in conversations)
            self._moves[name] = self._moves[name]._replace(conversations=left)

    def _was_renamed(self, folder: str, move: Move) -> None:
        if move.is_merger:
            told = tr("The chats of “{name}” are in “{other}” now.", name=folder, other=move.to)
            self._offer_undo(folder, told, move)

    def _offer_undo(self, folder: str, told: str, move: Move) -> None:
        self._moves.pop(folder, None)  # it would keep its place
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
    """Leave out what the user has deleted since."""
    listed = {one.id for one in library.conversations.listed()}
    library.labels.set_folder(*listed.intersection(move.conversations), folder=folder)
