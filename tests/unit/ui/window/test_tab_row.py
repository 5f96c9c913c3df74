"""The row of the tabs with its buttons."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes.context import context
from ui.window.tab_row import TabRow


@pytest.fixture
def row(qtbot: QtBot) -> TabRow:
    """A wide row with four tabs."""
    made = TabRow(context())
    qtbot.addWidget(made)
    made.resize(1400, made.height())
    made.show()
    for name in "abcd":
        made.tabs.add(name, f"A rather long title {name}")
    made.tabs.show_tab("d")
    return made


def narrowest(row: TabRow) -> int:
    """The least width at which no tab is hidden, coming from a wide row."""
    while row.tabs.hidden() == 0:
        row.resize(row.width() - 1, row.height())
        QApplication.processEvents()
    return row.width() + 1


def test_a_tab_has_its_place_at_once(row: TabRow) -> None:
    """The window may paint a chat before Qt lays out the row. The first picture after a start had no tab above it."""
    before = row.tabs.width()
    row.tabs.add("e", "A rather long title e")
    row.tabs.show_tab("e")
    assert row.tabs.width() == row.tabs.sizeHint().width() > before
    assert row.plus.x() > row.tabs.geometry().right()


def test_a_tab_that_has_room_again_comes_back(row: TabRow, qtbot: QtBot) -> None:
    """The button that lists all chats takes room from the tabs. It keeps no tab hidden that had room before it came."""
    width = narrowest(row)
    row.resize(1400, row.height())
    QApplication.processEvents()
    row.resize(width, row.height())
    QApplication.processEvents()
    assert (row.tabs.hidden(), row.list_button.isVisible()) == (0, False)
    row.tabs.add("e", "A rather long title e")
    row.tabs.show_tab("e")
    qtbot.waitUntil(row.list_button.isVisible)
    row.tabs.remove("e")
    qtbot.waitUntil(lambda: not row.list_button.isVisible())
    QApplication.processEvents()
    assert (row.tabs.hidden(), row.list_button.isVisible()) == (0, False)
    row.resize(width - 1, row.height())
    qtbot.waitUntil(row.list_button.isVisible)
    assert row.tabs.hidden() > 0


def test_the_button_never_comes_and_goes_by_itself(row: TabRow) -> None:
    """At no width: what is hidden and shown settles at once."""
    for width in (*range(300, 1400, 7), *range(1400, 300, -11)):
        row.resize(width, row.height())
        for _ in range(4):
            QApplication.processEvents()
        settled = row.tabs.hidden(), row.list_button.isVisible()
        assert settled == (row.tabs.hidden(), row.tabs.hidden() > 0)
        for _ in range(4):
            QApplication.processEvents()
            assert (row.tabs.hidden(), row.list_button.isVisible()) == settled
