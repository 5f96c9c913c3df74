from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context
from tests.fakes.palette import current_entry
from ui.palette import command_palette
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
    assert current_entry(palette) is not None


def test_a_line_from_before_a_reset_is_empty(qtbot: QtBot) -> None:
    """Qt may ask for it, and on Python 3.11 an IndexError in the answer ends the process."""
    window = QWidget()
    qtbot.addWidget(window)
    palette = CommandPalette(context(), window)
    palette.open([PaletteEntry(EntryGroup.CHATS, name, name, lambda: None, "plus") for name in "ab"])
    stale = palette.model.index(1, 0)
    palette.field.setText("nothing has this")
    assert (palette.model.data(stale), palette.model.flags(stale)) == (None, Qt.ItemFlag.NoItemFlags)


def test_a_long_title_leaves_room_for_the_detail(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hit in a message shows its chat's name whole, however long the message is."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    palette = CommandPalette(context(), window)
    drawn: dict[str, QRect] = {}

    def draw(_painter: QPainter, line: QRect, text: str, *_: object) -> None:
        drawn[text] = QRect(line)

    monkeypatch.setattr(command_palette, "draw_elided", draw)
    hit = PaletteEntry(EntryGroup.CHATS, "a", "a word " * 60, lambda: None, "search", lambda: "Trip to Lisbon in May")
    palette.open([hit])
    palette.grab()
    needed = QFontMetrics(palette.list.itemDelegate()._detail).horizontalAdvance("Trip to Lisbon in May")  # type: ignore[attr-defined] # its font
    assert drawn["Trip to Lisbon in May"].width() >= needed
