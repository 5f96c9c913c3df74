from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QListWidget, QMessageBox
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard, is_a, unasked
from ui.dialogs.recently_deleted import RecentlyDeletedDialog
from ui.intents.library import Erase, EraseAll, Undelete
from ui.state.library import DeletedRow
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Theme

ROWS = tuple(
    DeletedRow(name, f"Title {name}", "**Some** words", days) for name, days in zip("abc", (29, 1, 0), strict=True)
)


@pytest.fixture
def dialog(qtbot: QtBot) -> RecentlyDeletedDialog:
    made = RecentlyDeletedDialog(context())
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)  # pytest-qt closes it, too
    qtbot.addWidget(made)
    made.show()
    store().deleted.put(ROWS)
    return made


def choose(dialog: RecentlyDeletedDialog, *names: str) -> None:
    dialog.list.clearSelection()
    for number, row in enumerate(ROWS):
        if row.id in names:
            dialog.list.item(number).setSelected(True)


def answer(dialog: RecentlyDeletedDialog, words: str) -> None:
    box = dialog.findChild(QMessageBox, "question")
    assert box is not None
    next(button for button in box.findChildren(QAbstractButton) if button.text().replace("&", "") == words).click()


def spoken(dialog: RecentlyDeletedDialog, number: int) -> str:
    return str(dialog.list.item(number).data(Qt.ItemDataRole.AccessibleTextRole))


def test_each_row_says_how_long_it_stays(dialog: RecentlyDeletedDialog) -> None:
    """The time left is given in days."""
    assert [spoken(dialog, n) for n in range(3)] == [
        "Title a, 29 days left",
        "Title b, 1 day left",
        "Title c, last day",
    ]


def test_it_shows_nothing_before_the_rows_arrive(qtbot: QtBot) -> None:
    """ "No deleted chats" is shown only if it is true."""
    dialog = RecentlyDeletedDialog(context())
    qtbot.addWidget(dialog)
    assert dialog.empty_label.text() == ""
    store().deleted.put(())
    assert dialog.empty_label.text() == "No deleted chats"
    assert not dialog.erase_all_button.isEnabled()


def test_the_selected_chats_are_restored(dialog: RecentlyDeletedDialog) -> None:
    """They are restored from top to bottom, by one request: a thousand of them would occupy the library for minutes.
    Without a selection nothing happens.
    """
    restored = heard(sent())
    choose(dialog)
    assert not dialog.restore_button.isEnabled()
    choose(dialog, "c", "a")
    dialog.restore_button.click()
    assert restored == [Undelete(("a", "c"))]


def test_a_thousand_selected_chats_are_listed_anew_at_once(dialog: RecentlyDeletedDialog) -> None:
    """As after all of them were restored: the window does not stand still."""
    rows = tuple(DeletedRow(str(number), "Title", "words", 3) for number in range(1000))
    store().deleted.put(rows)
    dialog.list.selectAll()
    start = time.thread_time()
    store().deleted.put(rows[:-1])
    assert time.thread_time() - start < 1.0
    assert len(dialog.selected()) == 999


def test_the_keyboard_alone_restores(dialog: RecentlyDeletedDialog) -> None:
    """The first row is selected when the dialog opens, the arrow keys go on from there, and Return presses the button
    that has the focus.
    """
    restored = heard(sent())
    assert dialog.selected() == ("a",)
    dialog.list.setFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    assert dialog.selected() == ("b",)
    dialog.restore_button.setFocus()
    QTest.keyClick(dialog.restore_button, Qt.Key.Key_Return)
    assert restored == [Undelete(("b",))]
    assert dialog.isVisible()


def test_a_double_click_restores(dialog: RecentlyDeletedDialog, qtbot: QtBot) -> None:
    """The quick action is the harmless one."""
    place = dialog.list.visualItemRect(dialog.list.item(1)).center()
    QTest.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Undelete)) as restored:
        QTest.mouseDClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert restored.args == [Undelete(("b",))]


def test_deleting_for_good_needs_a_confirmation(dialog: RecentlyDeletedDialog) -> None:
    """Enter cancels."""
    choose(dialog, "b")
    with unasked(sent(), Erase):
        dialog.erase_button.click()
        answer(dialog, "Cancel")
    box = dialog.findChild(QMessageBox, "question")
    assert box is not None
    assert box.text() == "Delete “Title b” for good?"
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)


def test_the_selected_chats_are_deleted_for_good(dialog: RecentlyDeletedDialog) -> None:
    """By one request. A selection made after the question opened does not count."""
    erased = heard(sent())
    choose(dialog, "a", "b")
    dialog.erase_button.click()
    choose(dialog, "c")
    answer(dialog, "Delete")
    assert erased == [Erase(("a", "b"))]


def test_all_chats_are_deleted_for_good(dialog: RecentlyDeletedDialog, qtbot: QtBot) -> None:
    """The question says how many."""
    dialog.erase_all_button.click()
    box = dialog.findChild(QMessageBox, "question")
    assert box is not None
    assert box.text() == "Delete all 3 chats for good?"
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(EraseAll)):
        answer(dialog, "Delete")


def test_the_next_row_is_selected_when_one_is_removed(dialog: RecentlyDeletedDialog) -> None:
    """Repeated keys restore one chat after the other."""
    dialog.list.setCurrentRow(1)
    store().deleted.put((ROWS[0], ROWS[2]))
    assert dialog.selected() == ("c",)
    store().deleted.put(())
    assert dialog.selected() == ()


def test_the_chat_that_was_deleted_last_is_selected(qtbot: QtBot) -> None:
    """Until the app sends the rows, those of the last look are listed. Restore may not act on one of them."""
    store().deleted.put(ROWS[1:])
    again = RecentlyDeletedDialog(context())
    again.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(again)
    again.show()
    store().deleted.put(ROWS)
    assert again.selected() == ("a",)


def test_a_refresh_keeps_the_selection(dialog: RecentlyDeletedDialog) -> None:
    """New rows do not change which chats are selected."""
    choose(dialog, "a", "c")
    store().deleted.put(ROWS)
    assert dialog.selected() == ("a", "c")
    dialog.list.clearSelection()
    store().deleted.put(ROWS)
    assert dialog.selected() == ()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_selected_row_is_highlighted(dialog: RecentlyDeletedDialog, theme: Theme) -> None:
    """This holds in both themes."""
    appearance.turn_to(theme)
    dialog.list.setCurrentRow(1)
    dialog.list.setSelectionMode(QListWidget.SelectionMode.SingleSelection)
    image = dialog.list.viewport().grab(dialog.list.visualItemRect(dialog.list.item(1))).toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {theme.selected_row, theme.text} <= found


def test_a_long_title_is_shortened_in_the_question(dialog: RecentlyDeletedDialog) -> None:
    """The question stays short enough to read."""
    store().deleted.put((DeletedRow("a", "Donaudampfschifffahrt " * 9, "", 3),))
    dialog.list.item(0).setSelected(True)
    dialog.erase_button.click()
    box = dialog.findChild(QMessageBox, "question")
    assert box is not None
    assert len(box.text()) < 70
    box.reject()
