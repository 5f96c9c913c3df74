from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from tests.fakes.intents import heard
from tests.fakes.views import GENERATING, chat
from ui.intents.chat import CloseTab, CopyAsMarkdown, InChat, Open
from ui.intents.library import ArrangeTabs, DeleteChats
from ui.state.chat import ChatView
from ui.widgets.menu import Menu
from ui.window.main_window import MainWindow


def opened(window: MainWindow, *names: str) -> None:
    for name in names:
        window.chats.open(chat(name))


def menu_of(window: MainWindow, conversation: str) -> Menu:
    window.tabs.menu_requested.emit(conversation, window.mapToGlobal(QPoint(300, 60)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu)
    return menu


def entry(menu: Menu, words: str) -> QAction:
    return next(action for action in menu.actions() if action.text() == words)


def test_neighbours_are_closed_from_the_menu(window: MainWindow) -> None:
    """Those to the right, or all others. The tab itself stays and comes to the front."""
    opened(window, *"abcd")
    asked = heard(window)
    menu = menu_of(window, "b")
    entry(menu, "Close tabs to the right").trigger()
    menu.close()
    assert window.tabs.order() == ("a", "b")
    menu = menu_of(window, "b")
    entry(menu, "Close other tabs").trigger()
    menu.close()
    assert window.tabs.order() == ("b",)
    assert [i.conversation for i in asked if isinstance(i, InChat) and i.intent == CloseTab()] == ["c", "d", "a"]


def test_a_closed_tab_is_reopened_from_the_menu(window: MainWindow) -> None:
    """Where nothing was closed, and where nothing is to the right, those entries are off."""
    opened(window, *"ab")
    menu = menu_of(window, "b")
    assert not entry(menu, "Reopen closed tab").isEnabled()
    assert not entry(menu, "Close tabs to the right").isEnabled()
    menu.close()
    window.chats.close("a")
    asked = heard(window)
    menu = menu_of(window, "b")
    entry(menu, "Reopen closed tab").trigger()
    menu.close()
    assert InChat("a", Open()) in asked


def test_a_menu_whose_chats_are_erased_meanwhile_does_nothing(window: MainWindow) -> None:
    """Another process may erase the chat of the menu, and the one whose tab was closed last, while the menu is open."""
    opened(window, *"abc")
    window.chats.close("a")
    menu = menu_of(window, "b")
    for gone in "ab":
        window.chats.remove(gone)
    asked = heard(window)
    for words in ("Reopen closed tab", "Open beside", "Close tab"):
        entry(menu, words).trigger()
    menu.close()
    assert (asked, window.tabs.order()) == ([], ("c",))


def test_a_chat_in_the_background_is_copied_and_deleted(window: MainWindow) -> None:
    """The menu acts on its own tab, not on the one in front. A private chat is deleted by closing its tab."""
    opened(window, *"ab")
    window.chats.open(ChatView("p", "Secret", private=True))
    asked = heard(window)
    menu = menu_of(window, "a")
    entry(menu, "Copy as Markdown").trigger()
    entry(menu, "Delete chat").trigger()
    menu.close()
    assert {InChat("a", CopyAsMarkdown()), DeleteChats(("a",))} <= set(asked)
    menu = menu_of(window, "p")
    assert "Delete chat" not in [action.text() for action in menu.actions()]
    entry(menu, "Export…").trigger()
    menu.close()
    exporting = window.findChild(QFileDialog, "exportDialog")
    assert exporting is not None
    exporting.reject()


def test_chats_without_room_are_in_a_list(window: MainWindow) -> None:
    """The button is there while some tabs are hidden. The list has all chats, with what is new of them."""
    window.resize(720, 520)
    opened(window, *"abc")
    button = window.tab_row.list_button
    QApplication.processEvents()
    assert not button.isVisible()
    opened(window, *"defghijk")
    QApplication.processEvents()
    assert button.isVisible()
    window.set_status("b", GENERATING)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu)
    assert [action.text() for action in menu.actions()][:2] == ["Title a", "Title b, answering"]
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["Title k"]
    menu.actions()[0].trigger()
    assert window.tabs.current() == "a"
    menu.close()


def test_the_app_hears_of_every_change_of_the_tabs(window: MainWindow) -> None:
    """Of those that open, move, come to the front and close; of private ones it hears nothing."""
    asked = heard(window)
    opened(window, *"ab")
    window.chats.open(ChatView("p", "Secret", private=True))
    window.tabs.show_tab("a")
    window.tabs.move_current(1)
    window.chats.close("b")
    arranged = [(intent.conversations, intent.shown) for intent in asked if isinstance(intent, ArrangeTabs)]
    assert arranged == [
        (("a",), "a"),
        (("a", "b"), "b"),
        (("a", "b"), ""),
        (("a", "b"), "a"),
        (("b", "a"), "a"),
        (("a",), "a"),
    ]
