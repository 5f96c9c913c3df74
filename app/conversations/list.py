"""The list of conversations in the sidebar. Owns what is searched for, and deletions that can still be undone; what
happens inside a conversation is not its concern. No Qt.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.base.errors import refusal
from app.chat import views
from storage.errors import DamagedDatabase
from ui.state import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import ChatsSink, Ports
    from storage.library.library import Library
    from storage.library.rows import Summary

UNDO_TICKS = 10
"""Ticks (seconds) in which a deletion can be taken back. It happens when they are over."""
UNDO = "undo:"


class ChatList:
    """A conversation that is being deleted is not listed; it goes to Recently Deleted when the time to undo is over.

    `pins_changed` is called then: it may have been pinned.
    """

    def __init__(self, ports: Ports, window: ChatsSink, pins_changed: Callable[[], object]) -> None:
        self._ports = ports
        self._window = window
        self._pins_changed = pins_changed
        self._search = ""
        self._undoable: dict[str, int] = {}
        self._not_readable: Callable[[Exception], object] = self._tell

    def start(self, not_readable: Callable[[Exception], object]) -> None:
        """Show the list for the first time. `not_readable` is told why that is not possible, and later, if the library
        turns out to be damaged.
        """
        self._not_readable = not_readable
        self._ports.tasks.run(partial(_listed, search=""), self._show, not_readable)

    def search(self, text: str) -> None:
        """List only what holds these words; all for none."""
        self._search = text
        self.refresh()

    def refresh(self) -> None:
        """Show the list as it is on disk after all that was asked before."""
        self._ports.tasks.run(partial(_listed, search=self._search), self._show, self._failed)

    def is_being_deleted(self, conversation: str) -> bool:
        """Whether it is deleted, though that can still be undone."""
        return conversation in self._undoable

    def delete(self, conversation: str) -> None:
        """Take it off the list, and delete it unless that is undone in time."""
        self._undoable[conversation] = UNDO_TICKS
        self._window.show_notice(Notice(UNDO + conversation, "The chat was deleted.", "Undo"))
        self.refresh()

    def undo_delete(self, conversation: str) -> None:
        """Take a deletion back, if there is still time."""
        if self._undoable.pop(conversation, None) is not None:
            self._window.clear_notice(UNDO + conversation)
            self.refresh()

    def tick(self) -> None:
        """Every second: let deletions happen that were not undone."""
        for conversation in list(self._undoable):
            self._undoable[conversation] -= 1
            if self._undoable[conversation] <= 0:
                self._delete_now(conversation)

    def settle(self) -> None:
        """The app is about to close: let every deletion happen."""
        for conversation in list(self._undoable):
            self._delete_now(conversation)

    def _delete_now(self, conversation: str) -> None:
        del self._undoable[conversation]
        self._window.clear_notice(UNDO + conversation)
        self._ports.tasks.run(
            lambda library: library.trash.add(conversation), lambda _: self._pins_changed(), self._failed
        )

    def _show(self, found: Listed) -> None:
        rows, folders = found
        self._window.show_folders(folders)
        self._window.show_conversations(tuple(views.row(one) for one in rows if not self.is_being_deleted(one.id)))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, DamagedDatabase):
            self._not_readable(error)
        else:
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        self._window.show_notice(refusal(error))


Listed = tuple[tuple["Summary", ...], tuple[str, ...]]


def _listed(library: Library, search: str) -> Listed:
    """What is listed, and the names of all folders."""
    found = library.search.find(search) if search.strip() else library.conversations.listed()
    return found, library.labels.folders()
