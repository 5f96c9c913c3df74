"""The list of conversations in the sidebar. Owns what is searched for, and deletions that can still be undone; what
happens inside a conversation is not its concern. No Qt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app import views
from app.errors import notice
from engine.protocol import Forget
from ui.state import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from app.ports import ChatsSink, Ports
    from storage.library.rows import Summary

UNDO_TICKS = 10
"""Ticks (seconds) in which a deletion can be taken back. It happens when they are over."""
UNDO = "undo:"


class ChatList:
    """A conversation that is being deleted is not listed; it goes from the disk when the time to undo is over."""

    def __init__(self, ports: Ports, window: ChatsSink) -> None:
        self._ports = ports
        self._window = window
        self._search = ""
        self._undoable: dict[str, int] = {}

    def start(self, backups: Path) -> None:
        """Show the list for the first time. `backups` is where the user is sent if the library cannot be read."""

        def not_readable(error: Exception) -> None:
            told = notice(error)
            text = f"{told.text} Nothing was changed. Copies may be in {backups}."
            self._window.show_notice(replace(told, text=text))

        self._ports.tasks.run(lambda library: library.conversations(), self._show, not_readable)

    def search(self, text: str) -> None:
        """List only what holds these words; all for none."""
        self._search = text
        self.refresh()

    def refresh(self) -> None:
        """Show the list as it is on disk after all that was asked before."""
        search = self._search
        self._ports.tasks.run(lambda library: library.conversations(search), self._show, self._failed)

    def is_going(self, conversation: str) -> bool:
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
            lambda library: library.delete(conversation),
            lambda _: self._ports.engine.send(Forget(conversation)),
            self._failed,
        )

    def _show(self, found: tuple[Summary, ...]) -> None:
        self._window.show_conversations(tuple(views.row(one) for one in found if not self.is_going(one.id)))

    def _failed(self, error: Exception) -> None:
        self._window.show_notice(notice(error))
