from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QListWidget, QMessageBox

from tests.fakes.intents import heard, is_a, unasked
from ui.dialogs.recently_deleted import RecentlyDeletedDialog
from ui.intents import Erase, EraseAll, Undelete
from ui.state import DeletedRow
from ui.theme.theme import DARK, LIGHT, Theme

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ROWS = tuple(
    DeletedRow(name, f"Title {name}", "**Some** words", days) for name, days in zip("abc", (29, 1, 0), strict=True)
)


@pytest.fixture
def sheet(qtbot: QtBot) -> RecentlyDeletedDialog:
    made = RecentlyDeletedDialog(LIGHT)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)  # pytest-qt closes it, too
    qtbot.addWidget(made)
    made.show()
    made.show_deleted(ROWS)
    return made


def choose(sheet: RecentlyDeletedDialog, *names: str) -> None:
    sheet.list.clearSelection()
    for number, row in enumerate(ROWS):
        if row.id in names:
            sheet.list.item(number).setSelected(True)


def answer(sheet: RecentlyDeletedDialog, words: str) -> None:
    box = sheet.findChild(QMessageBox, "question")
    assert box is not None
    next(button for button in box.findChildren(QAbstractButton) if button.text().replace("&", "") == words).click()


def said(sheet: RecentlyDeletedDialog, number: int) -> str:
    return str(sheet.list.item(number).data(Qt.ItemDataRole.AccessibleTextRole))


def test_each_row_says_how_long_it_stays(sheet: RecentlyDeletedDialog) -> None:
    """The time left is given in days."""
    assert [said(sheet, n) for n in range(3)] == ["Title a, 29 days left", "Title b, 1 day left", "Title c, last day"]


def test_it_shows_nothing_before_the_rows_arrive(qtbot: QtBot) -> None:
    """ "Nothing was deleted" is shown only if it is true."""
    sheet = RecentlyDeletedDialog(LIGHT)
    qtbot.addWidget(sheet)
    assert sheet.nothing.text() == ""
    sheet.show_deleted(())
    assert sheet.nothing.text() == "Nothing was deleted"
    assert not sheet.erase_all_button.isEnabled()


def test_the_selected_chats_are_restored(sheet: RecentlyDeletedDialog) -> None:
    """They are restored from top to bottom. Without a selection nothing happens."""
    restored = heard(sheet)
    assert not sheet.restore_button.isEnabled()
    choose(sheet, "c", "a")
    sheet.restore_button.click()
    assert restored == [Undelete("a"), Undelete("c")]


def test_a_double_click_restores(sheet: RecentlyDeletedDialog, qtbot: QtBot) -> None:
    """The quick action is the harmless one."""
    place = sheet.list.visualItemRect(sheet.list.item(1)).center()
    QTest.mouseClick(sheet.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    with qtbot.waitSignal(sheet.requested, check_params_cb=is_a(Undelete)) as restored:
        QTest.mouseDClick(sheet.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert restored.args == [Undelete("b")]


def test_deleting_for_good_needs_a_confirmation(sheet: RecentlyDeletedDialog) -> None:
    """Enter cancels."""
    choose(sheet, "b")
    with unasked(sheet, Erase):
        sheet.erase_button.click()
        answer(sheet, "Cancel")
    box = sheet.findChild(QMessageBox, "question")
    assert box is not None
    assert box.text() == "Delete “Title b” for good?"
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)


def test_the_selected_chats_are_deleted_for_good(sheet: RecentlyDeletedDialog) -> None:
    """A selection made after the question opened does not count."""
    erased = heard(sheet)
    choose(sheet, "a", "b")
    sheet.erase_button.click()
    choose(sheet, "c")
    answer(sheet, "Delete")
    assert erased == [Erase("a"), Erase("b")]


def test_all_chats_are_deleted_for_good(sheet: RecentlyDeletedDialog, qtbot: QtBot) -> None:
    """The question says how many."""
    sheet.erase_all_button.click()
    box = sheet.findChild(QMessageBox, "question")
    assert box is not None
    assert box.text() == "Delete all 3 chats for good?"
    with qtbot.waitSignal(sheet.requested, check_params_cb=is_a(EraseAll)):
        answer(sheet, "Delete")


def test_the_next_row_is_selected_when_one_is_removed(sheet: RecentlyDeletedDialog) -> None:
    """Repeated keys restore one chat after the other."""
    sheet.list.setCurrentRow(1)
    sheet.show_deleted((ROWS[0], ROWS[2]))
    assert sheet.chosen() == ("c",)
    sheet.show_deleted(())
    assert sheet.chosen() == ()


def test_a_refresh_keeps_the_selection(sheet: RecentlyDeletedDialog) -> None:
    """New rows do not change which chats are selected."""
    choose(sheet, "a", "c")
    sheet.show_deleted(ROWS)
    assert sheet.chosen() == ("a", "c")
    sheet.list.clearSelection()
    sheet.show_deleted(ROWS)
    assert sheet.chosen() == ()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_selected_row_is_highlighted(sheet: RecentlyDeletedDialog, theme: Theme) -> None:
    """This holds in both themes."""
    sheet.set_theme(theme)
    sheet.list.setCurrentRow(1)
    sheet.list.setSelectionMode(QListWidget.SelectionMode.SingleSelection)
    image = sheet.list.viewport().grab(sheet.list.visualItemRect(sheet.list.item(1))).toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {theme.selected_row, theme.text} <= found


def test_a_long_title_is_shortened_in_the_question(sheet: RecentlyDeletedDialog) -> None:
    """The question stays short enough to read."""
    sheet.show_deleted((DeletedRow("a", "Donaudampfschifffahrt " * 9, "", 3),))
    sheet.list.item(0).setSelected(True)
    sheet.erase_button.click()
    box = sheet.findChild(QMessageBox, "question")
    assert box is not None
    assert len(box.text()) < 70
    box.reject()
