"""The menus of the window and the button with all commands: how they open, and what they show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox

from tests.fakes.views import chat
from tests.fakes.window_hands import tab
from ui.dialogs.shortcuts_dialog import ShortcutsDialog
from ui.widgets.menu import Menu
from ui.window.main_window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier


def test_actions_of_a_tab_are_disabled_without_one(window: MainWindow) -> None:
    """Actions that would do nothing are disabled."""
    names = (
        *("close_tab", "rename", "delete", "next_tab", "previous_tab", "stop", "regenerate", "alternatives"),
        *("previous_alternative", "next_alternative", "edit_last", "copy_answer", "fork"),
        *("export", "pin", "folder", "tags", "keep_warm"),
    )
    assert not any(window.actions_by_name[name].isEnabled() for name in names)
    assert not window.actions_by_name["tab_1"].isVisible()


def test_the_sheet_shows_the_keys_and_filters_them(window: MainWindow) -> None:
    """In groups under headings; a search hides what does not fit, and says if nothing does."""
    QTest.keyClick(window, Qt.Key.Key_Slash, CTRL)
    sheet = window.findChild(ShortcutsDialog)
    assert sheet is not None

    def shown() -> list[str]:
        return [label.text() for label in sheet.findChildren(QLabel) if label.isVisible()]

    assert {"Message", "Send message", "Return", "Chat", "Fork chat", "Tab 1 to 9"} <= set(shown())
    QTest.keyClicks(sheet.field, "fork")
    assert shown()[:2] == ["Chat", "Fork chat"]
    assert "Window" not in shown()
    QTest.keyClicks(sheet.field, "zzz")
    assert shown() == ["No shortcuts found"]
    sheet.close()


def test_the_about_text_is_not_cut_off(window: MainWindow) -> None:
    """The text of the About box is not cut off."""
    window.actions_by_name["about"].trigger()
    box = window.findChild(QMessageBox)
    words = box.findChild(QLabel, "qt_msgbox_label") if box is not None else None
    assert box is not None
    assert words is not None
    assert words.width() >= words.sizeHint().width()
    box.reject()


def test_every_command_is_in_the_menu_of_the_button(window: MainWindow) -> None:
    """Also without a menu bar: import, export, Recently Deleted, About and full screen are there."""
    menu = window.actions_by_name.menu
    QTest.mouseClick(window.tab_row.more, Qt.MouseButton.LeftButton)
    assert menu.isVisible()
    parts = [part.menu() for part in menu.actions()]
    inside = {action for part in parts if isinstance(part, Menu) for action in part.actions()}
    named = {"import", "export_all", "deleted", "about", "full_screen", "rename", "delete"}
    assert {window.actions_by_name[name] for name in named} <= inside
    menu.hide()


def test_the_menu_opens_by_f10(window: MainWindow) -> None:
    """Its first entry is active, so that the arrow keys work at once."""
    QTest.keyClick(window, Qt.Key.Key_F10)
    menu = window.actions_by_name.menu
    assert menu.isVisible()
    assert menu.activeAction() is menu.actions()[0]
    menu.hide()


def test_the_menu_opens_without_a_submenu(window: MainWindow) -> None:
    """A submenu opens by the mouse or by a key. If it opened with the menu, a click on its entries would run none."""
    QTest.mouseClick(window.tab_row.more, Qt.MouseButton.LeftButton)
    menu = window.actions_by_name.menu
    submenu = menu.actions()[0].menu()
    assert isinstance(submenu, Menu)
    assert menu.activeAction() is submenu.menuAction()
    assert not submenu.isVisible()
    QTest.keyClick(menu, Qt.Key.Key_Right)
    assert submenu.isVisible()
    menu.hide()


def test_the_menu_opens_by_a_tap_of_alt_and_by_nothing_longer(window: MainWindow) -> None:
    """Alt with another key or a click belongs to that key or click."""
    menu, alt = window.actions_by_name.menu, Qt.KeyboardModifier.AltModifier
    window.chats.open(chat("a"))
    prompt = tab(window, "a").composer.edit
    QTest.keyPress(prompt, Qt.Key.Key_Alt)
    QTest.keyClick(prompt, Qt.Key.Key_E, alt)
    QTest.keyRelease(prompt, Qt.Key.Key_Alt)
    assert not menu.isVisible()
    QTest.keyPress(prompt, Qt.Key.Key_Alt)
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, alt)
    QTest.keyRelease(prompt, Qt.Key.Key_Alt)
    assert not menu.isVisible()
    QTest.keyPress(prompt, Qt.Key.Key_Alt)
    QTest.keyRelease(prompt, Qt.Key.Key_Alt)
    assert menu.isVisible()
    menu.hide()


def test_the_menu_opens_on_a_page_without_its_button(window: MainWindow) -> None:
    """On the page of models F10 opens it in the window's corner."""
    window.stage.show_models()
    QTest.keyClick(window, Qt.Key.Key_F10)
    assert window.actions_by_name.menu.isVisible()
    window.actions_by_name.menu.hide()
