"""What a test does in the main window, and what it looks at there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ui.chat.chat_tab import ChatTab
from ui.window.main_window import MainWindow


def tab(window: MainWindow, conversation: str) -> ChatTab:
    found = window.chats.tab(conversation)
    assert found is not None
    return found


def type_and_send(window: MainWindow, conversation: str, text: str) -> None:
    composer = tab(window, conversation).composer
    composer.edit.setPlainText(text)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
