"""Selecting several chats in the sidebar, by clicks and keys, and what is done to all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.fakes.context import sent, store
from tests.fakes.intents import heard, unasked
from tests.fakes.views import row
from ui.intents.chat import InChat, Open
from ui.intents.library import DeleteChats, FileChats, PinChats
from ui.sidebar.sidebar import Sidebar


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_D])
def test_no_other_key_deletes(sidebar: Sidebar, key: Qt.Key) -> None:
    """Backspace corrects a search: it deletes no chat by accident."""
    sidebar.select("b")
    with unasked(sent(), DeleteChats):
        QTest.keyClick(sidebar.list, key)


def click_row(sidebar: Sidebar, conversation: str, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    place = sidebar.list.visualRect(sidebar.model.index_of(conversation)).center()
    QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, keys, place)


def test_several_chats_are_selected_by_clicks(sidebar: Sidebar) -> None:
    """With control one by one, with shift all up to the one that is clicked. None is opened, but by a plain click."""
    asked = heard(sent())
    sidebar.select("a")
    click_row(sidebar, "c", Qt.KeyboardModifier.ControlModifier)
    assert (sidebar.list.chosen(), asked) == (("a", "c"), [])
    QTest.keyClick(sidebar.list, Qt.Key.Key_Escape)
    click_row(sidebar, "c", Qt.KeyboardModifier.ShiftModifier)
    assert (sidebar.list.chosen(), asked) == (("a", "b", "c"), [])
    click_row(sidebar, "b")
    assert (sidebar.list.chosen(), asked) == (("b",), [InChat("b", Open())])


def test_several_chats_are_selected_by_keys(sidebar: Sidebar) -> None:
    """Shift with the arrows; Escape returns to the open chat."""
    sidebar.select("a")
    sidebar.list.setFocus()
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert sidebar.list.chosen() == ("a", "b")
    QTest.keyClick(sidebar.list, Qt.Key.Key_Escape)
    assert (sidebar.list.chosen(), sidebar.current()) == (("a",), "a")


def test_a_click_below_the_chats_leaves_the_open_one_marked(sidebar: Sidebar) -> None:
    """It ends the selection of several, as Escape does."""
    sidebar.resize(280, 600)
    sidebar.select("a")
    below = QPoint(20, sidebar.list.viewport().height() - 3)
    assert not sidebar.list.indexAt(below).isValid()
    for chosen in ("a", "c"):
        click_row(sidebar, chosen, Qt.KeyboardModifier.ShiftModifier)
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=below)
        assert (sidebar.list.chosen(), sidebar.current()) == (("a",), "a")


def test_the_shortcut_of_a_tab_selects_one_chat_only(sidebar: Sidebar) -> None:
    """Ctrl and Shift are held down while a shortcut opens another tab, and extend no selection: only the open chat is
    highlighted, also after the list was sent again.
    """
    sidebar.select("a")
    for keys in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier):
        QTest.keyPress(sidebar.windowHandle(), Qt.Key.Key_F9, keys)
        try:
            assert QApplication.keyboardModifiers() == keys
            sidebar.select("c")
            assert (sidebar.list.chosen(), sidebar.current()) == (("c",), "c")
            sidebar.show_conversations(tuple(row(name, 0.1) for name in "abcd"))
            sidebar.select("d")
            sidebar.select("d")
            assert (sidebar.list.chosen(), sidebar.current()) == (("d",), "d")
        finally:
            QTest.keyRelease(sidebar.windowHandle(), Qt.Key.Key_F9)


def test_a_selection_survives_a_change_of_the_list(sidebar: Sidebar) -> None:
    """An answer that ends elsewhere moves rows; what the user selects stays selected, if it is still there."""
    sidebar.select("a")
    click_row(sidebar, "b", Qt.KeyboardModifier.ControlModifier)
    click_row(sidebar, "c", Qt.KeyboardModifier.ControlModifier)
    sidebar.show_conversations((row("d", 0.01), row("b", 0.1), row("a", 0.2)))
    assert sidebar.list.chosen() == ("b", "a")


def test_a_selection_survives_what_other_tabs_do(sidebar: Sidebar) -> None:
    """Another tab closes, and the same one stays in front: the Delete key deletes what the user selected."""
    asked = heard(sent(), DeleteChats)
    sidebar.select("a")
    click_row(sidebar, "b")
    click_row(sidebar, "c", Qt.KeyboardModifier.ControlModifier)
    sidebar.select("a")
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert asked == [DeleteChats(("b", "c"))]


def test_the_keyboard_stays_at_its_row_when_the_list_changes(sidebar: Sidebar) -> None:
    """An answer that ends elsewhere moves rows, and the Delete key deletes the chat that the user has moved to. Once
    the keyboard is elsewhere, the open chat is highlighted.
    """
    asked = heard(sent(), DeleteChats)
    sidebar.select("a")
    sidebar.list.setFocus()
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down)
    sidebar.show_conversations((row("c"), row("a"), row("b")))
    sidebar.minute_timer.timeout.emit()
    assert sidebar.current() == "b"
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert asked == [DeleteChats(("b",))]
    sidebar.show_conversations((row("c"), row("a")))
    assert sidebar.current() == "a"
    QTest.keyClick(sidebar.list, Qt.Key.Key_Up)
    sidebar.search.setFocus()
    sidebar.show_conversations((row("a"), row("c")))
    assert sidebar.current() == "a"


def test_the_menu_of_several_chats_is_for_all_of_them(sidebar: Sidebar) -> None:
    """Each entry says for how many chats it is."""
    store().folders.put(("Work",))
    menu = sidebar.menu_for_several(("a", "c"))
    choices = {action.text(): action for action in menu.actions() if action.text()}
    assert list(choices) == ["Pin 2 chats", "Folder", "Export 2 chats…", "Delete 2 chats"]
    folder = choices["Folder"].menu()
    assert isinstance(folder, QMenu)
    asked = heard(sent())
    next(action for action in folder.actions() if action.text() == "Work").trigger()
    choices["Pin 2 chats"].trigger()
    choices["Delete 2 chats"].trigger()
    both = ("a", "c")
    assert asked == [FileChats(both, "Work"), PinChats(both, pinned=True), DeleteChats(both)]
    menu.close()


def test_a_right_click_outside_the_selection_is_for_its_own_row(
    sidebar: Sidebar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu is for the selection only if it is opened on one of its rows."""
    opened: list[object] = []
    monkeypatch.setattr("ui.widgets.menu.Menu.open_at", lambda menu, _: opened.append(menu.objectName()))
    sidebar.select("a")
    click_row(sidebar, "b", Qt.KeyboardModifier.ControlModifier)
    for name in ("b", "c"):
        sidebar.list.customContextMenuRequested.emit(sidebar.list.visualRect(sidebar.model.index_of(name)).center())
    assert opened == ["chatsMenu", "chatMenu"]


def test_several_chats_are_dragged_together(sidebar: Sidebar) -> None:
    """All that are selected move to the section where they are dropped, by one request for all of them: thousands of
    requests would occupy the library for minutes.
    """
    sidebar.show_conversations((row("a", 0.1), row("b", 0.1), replace(row("p", 0.1), pinned=True)))
    data = sidebar.model.mimeData([sidebar.model.index_of("a"), sidebar.model.index_of("b")])
    asked = heard(sent())
    sidebar.model.dropMimeData(data, Qt.DropAction.MoveAction, -1, 0, sidebar.model.index_of("p"))
    assert asked == [PinChats(("a", "b"), pinned=True)]


def test_delete_deletes_the_selected_chats(sidebar: Sidebar) -> None:
    """By keyboard alone: one row, or several. On a heading the key does nothing."""
    said = heard(sent())
    sidebar.list.setFocus()
    sidebar.list.setCurrentIndex(sidebar.model.index_of("b"))
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert said == [DeleteChats(("b",))]
    sidebar.list.choose([sidebar.model.index_of("a"), sidebar.model.index_of("b")])
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert said[1:] == [DeleteChats(("a", "b"))]
    sidebar.list.clearSelection()
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete, Qt.KeyboardModifier.ShiftModifier)
    assert len(said) == 2


def test_the_open_chat_is_highlighted_again_when_the_keyboard_leaves(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The arrow keys move through the list; afterwards it shows which chat is open."""
    sidebar.select("a")
    sidebar.activateWindow()
    sidebar.list.setFocus()
    qtbot.waitUntil(sidebar.list.hasFocus)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down)
    assert sidebar.current() == "b"
    sidebar.search.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert sidebar.current() == "a"
