"""Clearing: drops what is kept of a chat, or of all chats, some seconds after the user asked for it. No Qt.

Until then an undo is complete, because nothing was touched. A turn that begins, and the end of the app, end the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.chat import status as figures
from app.conversations.chats import Chats

_SECONDS: Final = 10
_ALL: Final = ""


class Clearing:
    """`cleared` is called after it has happened to a chat, or to all chats ("")."""

    def __init__(self, chats: Chats, cleared: Callable[[str], object]) -> None:
        self._chats = chats
        self._cleared = cleared
        self._left: dict[str, int] = {}

    def begin(self, conversation: str = _ALL) -> None:
        """Clear a chat, or all chats, unless that is undone. What is about to go is shown as gone."""
        self._left[conversation] = _SECONDS
        for session in self._chats.sessions.of_all(conversation):
            if not session.busy:
                rate = self._chats.of(session.id).reading_rate()
                session.presenter.show(figures.forgotten(session.status, rate))
        self._show()

    def undo(self, conversation: str = _ALL) -> None:
        """Keep everything after all. What there is of it shows once the chats are warmed."""
        self._left.pop(conversation, None)
        self._show()
        for session in self._chats.sessions.of_all(conversation):
            if not session.busy:
                session.presenter.show(figures.away(session.status))
                self._chats.sessions.warm(session.id)

    def tick(self) -> None:
        """Called every second."""
        for conversation in tuple(self._left):
            self._left[conversation] -= 1
            if self._left[conversation] <= 0:
                self._clear(conversation)
            else:
                self._show()

    def settle(self, conversation: str) -> None:
        """A turn of this chat begins: what was to be cleared of it is cleared now."""
        for waiting in {conversation, _ALL} & self._left.keys():
            self._clear(waiting)

    def settle_all(self) -> None:
        """The app is closing."""
        for conversation in tuple(self._left):
            self._clear(conversation)

    def leave_library(self) -> None:
        """Another library has replaced the one on disk, with other chats."""
        self._left.clear()
        self._show()

    def _clear(self, conversation: str) -> None:
        del self._left[conversation]
        for session in self._chats.sessions.of_all(conversation):
            session.forget()
        self._show()
        self._cleared(conversation)

    def _show(self) -> None:
        self._chats.window.store.clearing.put(dict(self._left))
