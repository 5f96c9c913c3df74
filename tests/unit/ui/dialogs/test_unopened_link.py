"""The dialog about a link that nothing opens."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.dialogs.confirmation import tell_unopened


def test_the_address_can_be_copied(qtbot: QtBot) -> None:
    """The user reads it as plain text, and can open it elsewhere."""
    parent = QWidget()
    qtbot.addWidget(parent)
    box = tell_unopened(parent, "https://a.example/<b>")
    assert box.informativeText() == "https://a.example/<b>"
    next(button for button in box.buttons() if button.text() == "Copy link").click()
    assert QGuiApplication.clipboard().text() == "https://a.example/<b>"
