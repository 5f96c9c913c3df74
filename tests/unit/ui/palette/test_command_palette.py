from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context
from ui.palette.command_palette import CommandPalette
from ui.palette.entries import EntryGroup, PaletteEntry


def test_a_page_that_is_pasted_is_cut(qtbot: QtBot) -> None:
    """All of its words would be looked for in each title, for seconds. The beginning finds as much."""
    window = QWidget()
    qtbot.addWidget(window)
    palette = CommandPalette(context(), window)
    palette.open([PaletteEntry(EntryGroup.CHATS, "a", "abcd " * 200, lambda: None, "plus")])
    QGuiApplication.clipboard().setText("abcd " * 6000)
    palette.field.paste()
    assert palette.field.text() == "abcd " * 40
    assert palette.current() is not None
