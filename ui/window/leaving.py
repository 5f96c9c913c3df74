"""Leaving: asks before words are lost because a tab or the whole window is to be closed: those of a private chat, and
those that cannot be saved, such as on a full disk.

It runs on the GUI thread. At most one question is open, so a window that is closed twice does not ask twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from resources.language.text import mark, plural, tr
from ui.dialogs.confirmation import confirm
from ui.state.chat import ChatPhase
from ui.window.open_chats import OpenChats

_ERASED = mark("A private chat is kept nowhere. Once its tab is closed, it is gone and cannot be brought back.")
_ERASED_ANSWER = mark(
    "Its answer is still being written. A private chat is kept nowhere. Once its tab is closed, it is gone and cannot "
    "be brought back."
)
_UNSAVED = mark(
    "The newest words are in memory only, because they cannot be written to the disk. Hearth writes them as soon as it "
    "can."
)
_ERASED_BY_QUITTING = mark("Private chats are kept nowhere. They are gone then and cannot be brought back.")


class Leaving(QObject):
    """A private chat without content goes without a question."""

    def __init__(self, window: QWidget, chats: OpenChats) -> None:
        super().__init__(window)
        self._is_agreed = False
        self._window = window
        self._chats = chats
        self._question: QMessageBox | None = None
        chats.erasing.connect(self._ask_to_close)

    def leave(self) -> None:
        """Close the window without a question."""
        self._is_agreed = True
        self._window.close()

    def may_quit(self, *, are_refused: bool) -> bool:
        """Whether the window may close now. If not, the user is asked, and the window closes if the user agrees.
        `are_refused` says whether words cannot be saved.
        """
        if self._is_agreed or self._question is not None:
            return self._is_agreed
        erased, stay = len(self._chats.erasable()), tr("Keep Hearth open")
        if are_refused:
            about = " ".join((tr(_UNSAVED), *((tr(_ERASED_BY_QUITTING),) if erased else ())))
            self._ask(tr("Quit and lose the newest words?"), about, tr("Quit and lose them"), self.leave, stay)
        elif erased:
            question = plural("Quit and erase {count} private chat?", "Quit and erase {count} private chats?", erased)
            self._ask(question, tr(_ERASED_BY_QUITTING), tr("Quit and erase"), self.leave, stay)
        else:
            self._is_agreed = True
        return self._is_agreed

    def _ask_to_close(self, conversation: str) -> None:
        tab = self._chats.tab(conversation)
        about = tr(_ERASED_ANSWER if tab is not None and tab.phase is not ChatPhase.IDLE else _ERASED)
        close = partial(self._chats.close_anyway, conversation)
        if self._question is None:
            self._ask(tr("Close this private chat?"), about, tr("Close and erase"), close, tr("Keep it open"))

    def _ask(self, question: str, about: str, yes: str, erase: Callable[[], object], no: str) -> None:
        self._question = confirm(self._window, question, about, yes, erase, no)
        self._question.finished.connect(self._forget)

    def _forget(self) -> None:
        self._question = None
