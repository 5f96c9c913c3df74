"""A user without a mouse: presses keys alone, and looks at what has the keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.end2end.conftest import Desk
from ui.chat.chat_tab import ChatTab
from ui.sidebar.conversations_model import ConversationRole
from ui.window.main_window import MainWindow

FARTHEST = 60
"""No control is more than so many Tabs away."""


class Typist:
    """A user without a mouse."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @property
    def window(self) -> MainWindow:
        """The window, to look at."""
        return self.desk.app.window

    @property
    def chat(self) -> str:
        """The chat in front."""
        return self.window.tabs.current()

    @property
    def tab(self) -> ChatTab:
        """Its tab."""
        return self.desk.tab(self.chat)

    @property
    def focus(self) -> QWidget:
        """Where keys go. The platform of the tests gives the keyboard neither to a dialog that opens nor to the window
        after a menu.
        """
        if (menu := QApplication.activePopupWidget()) is not None:
            return menu
        wanted = QApplication.activeModalWidget() or QApplication.activeWindow()
        if wanted is None or not wanted.isVisible():
            wanted = self.window
        if QApplication.activeWindow() is not wanted:
            wanted.activateWindow()
            self.until(wanted.isActiveWindow)
        return QApplication.focusWidget() or wanted

    def press(self, *keys: str) -> None:
        """Press these keys, one after another."""
        for key in keys:
            QTest.keySequence(self.focus, key)

    def types(self, text: str) -> None:
        """Type into the field that has the focus."""
        QTest.keyClicks(self.focus, text)

    def seek(self, name: str, key: str = "Tab") -> None:
        """Press Tab until the control of this name has the focus."""
        passed = []
        for _ in range(FARTHEST):
            passed.append(self.focus.objectName())
            if passed[-1] == name:
                return
            self.press(key)
        pytest.fail(f"{name} cannot be reached by {key}: {passed}")

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait."""
        self.desk.until(condition)

    def new_chat(self) -> str:
        """Open a chat, ready to type into."""
        before = self.chat
        self.press("Ctrl+N")
        self.until(lambda: self.chat not in ("", before) and self.tab.composer.edit.hasFocus())
        return self.chat

    def says(self, text: str) -> None:
        """Type a message and send it."""
        self.types(text)
        self.press("Return")
        self.until(lambda: text in self.questions())

    def asks(self, text: str) -> str:
        """Say something, and wait for the answer. Returns its id."""
        self.says(text)
        self.until(self.is_answered)
        return self.desk.answer(self.chat).id

    def is_answered(self) -> bool:
        """Whether the answer in front has ended."""
        newest = self.tab.transcript.messages.newest()
        is_reply = newest is not None and newest.role == "assistant" and bool(newest.footer)
        return is_reply and self.desk.is_idle(self.chat)

    def questions(self) -> list[str]:
        """What was asked in this chat."""
        messages = self.tab.transcript.messages
        views = (messages[place].view for place in range(len(messages)))
        return [view.text for view in views if view.role == "user"]

    def wants_long_answers(self) -> None:
        """Choose the style whose answers do not end soon."""
        self.seek("preset")
        self.press("Space", "End", "Return")
        self.until(lambda: "Creative" in self.tab.composer.preset_chip.text())
        self.seek("prompt", "Shift+Tab")

    def starts_a_long_answer(self, text: str) -> None:
        """Ask for an answer that is being written until it is stopped."""
        self.wants_long_answers()
        self.says(text)
        self.until(lambda: self.desk.is_generating(self.chat) and len(self.desk.answer(self.chat).text) > 10)

    def listed(self) -> list[str]:
        """The chats that the sidebar lists now."""
        rows = self.window.sidebar.model
        chats = (rows.index(number, 0).data(ConversationRole.ID) for number in range(rows.rowCount()))
        return [chat for chat in chats if chat]

    def names_the_tab(self) -> str:
        """The title on the tab in front."""
        return self.window.tabs.title_of(self.chat)
