"""Two chats beside each other."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard, is_a
from tests.fakes.views import answering, asked, chat
from ui.chat.chat_tab import ChatTab
from ui.intents.library import ArrangeTabs, NewChat
from ui.intents.notice import Notice
from ui.state.chat import ChatView
from ui.window.main_window import MainWindow


def tab(window: MainWindow, conversation: str) -> ChatTab:
    found = window.chats.tab(conversation)
    assert found is not None
    return found


def split(window: MainWindow) -> None:
    """Chats a and b beside each other, b in front, and c in a tab."""
    for name in "cab":
        window.chats.open(chat(name, asked(f"{name}1")))
    window.tabs.show_tab("a")
    window.chats.open_beside("b")


def test_two_chats_are_shown_beside_each_other_and_both_stream(window: MainWindow, qtbot: QtBot) -> None:
    """Each has its own composer and its title above it."""
    split(window)
    assert window.pages.in_view() == ("a", "b")
    for name in "ab":
        tab(window, name).add_message(answering(f"{name}2"))
        tab(window, name).append_delta(f"{name}2", f"Words of {name}", "answer")
    qtbot.waitUntil(lambda: all(f"Words of {n}" in tab(window, n).transcript.toPlainText() for n in "ab"), timeout=5000)
    left, right = (tab(window, name) for name in "ab")
    assert left.isVisible()
    assert right.isVisible()
    assert left.mapToGlobal(left.rect().topRight()).x() <= right.mapToGlobal(right.rect().topLeft()).x()
    assert [pane.header.accessibleName() for pane in window.pages.panes] == ["Title a", "Title b"]
    assert all(pane.header.isVisible() for pane in window.pages.panes)


def test_a_chat_that_is_picked_in_a_narrow_window_opens_in_the_active_half(window: MainWindow, qtbot: QtBot) -> None:
    """The list lies over the page there and closes. The keyboard does not go into the other half with it."""
    split(window)
    window.resize(720, 620)
    qtbot.waitUntil(window.sidebar.isHidden)
    window.stage.sidebar_place.toggle()
    window.sidebar.list.setFocus()
    window.chats.open(chat("d", asked("d1")))
    assert window.pages.sides() == ("a", "d")


def test_the_inspector_leaves_its_chat_free_in_the_smallest_window(window: MainWindow, qtbot: QtBot) -> None:
    """Two chats have no room beside it. The one in front is shown whole, on whichever side it is. The user does not see
    the other one, which keeps its side and comes back with the room.
    """
    window.resize(window.minimumSize())
    split(window)
    left, right = window.pages.panes
    window.desk.set_inspecting(inspecting=True)
    inspector = window.desk.inspector
    asked = heard(window)
    for name, pane, other in (("b", right, left), ("a", left, right)):
        window.tabs.show_tab(name)
        qtbot.waitUntil(lambda: window.pages.geometry().right() < inspector.geometry().left())
        assert (pane.isVisible(), other.isVisible()) == (True, False)
        assert inspector.geometry().right() == window.desk.rect().right()
        assert tab(window, name).composer.isVisible()
        assert (window.pages.in_view(), window.pages.sides()) == ((name,), ("a", "b"))
    assert [intent.sides for intent in asked if isinstance(intent, ArrangeTabs)] == [("a", "b")]
    window.desk.set_inspecting(inspecting=False)
    qtbot.waitUntil(lambda: left.isVisible() and right.isVisible())
    assert window.pages.in_view() == ("a", "b")
    assert abs(left.width() - right.width()) <= 1
    window.resize(1300, 700)
    window.desk.set_inspecting(inspecting=True)
    qtbot.waitUntil(lambda: window.pages.geometry().right() < inspector.geometry().left())
    assert (left.isVisible(), right.isVisible()) == (True, True)


def test_a_split_can_end_while_one_of_its_chats_is_not_seen(window: MainWindow, qtbot: QtBot) -> None:
    """The chat in front stays, and a new split has both chats again once there is room."""
    window.resize(window.minimumSize())
    split(window)
    window.desk.set_inspecting(inspecting=True)
    qtbot.waitUntil(lambda: window.pages.in_view() == ("b",))
    window.chats.toggle_split()
    assert (window.pages.is_split, window.pages.in_view(), window.tabs.current()) == (False, ("b",), "b")
    window.chats.open_beside("a")
    assert (window.pages.sides(), window.pages.in_view()) == (("b", "a"), ("a",))
    window.desk.set_inspecting(inspecting=False)
    qtbot.waitUntil(lambda: window.pages.in_view() == ("b", "a"))
    assert all(pane.isVisible() for pane in window.pages.panes)


def test_the_header_of_a_private_chat_is_marked(window: MainWindow) -> None:
    """As its tab is: the user sees on either side which chat is never saved."""
    window.chats.open(chat("a", asked("a1")))
    window.chats.open(replace(chat("p", asked("p1")), title="Title a", private=True))
    window.chats.open_beside("p")
    kept, private = (pane.header for pane in window.pages.panes)
    window.chats.open_beside("a")
    assert (kept.accessibleName(), private.accessibleName()) == ("Title a", "Title a, private")
    private.set_active(active=True)
    kept.set_active(active=True)
    private.resize(kept.size())
    marked = private.grab().toImage()
    private.set_title("Title a", is_private=False)
    assert private.grab().toImage() == kept.grab().toImage()
    assert private.grab().toImage() != marked


def test_the_keyboard_decides_which_chat_is_in_front(window: MainWindow, qtbot: QtBot) -> None:
    """The tab, the menus and the window's title follow it, and the side stays where it is."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    split(window)
    assert window.tabs.current() == "b"
    tab(window, "a").composer.edit.setFocus()
    assert window.tabs.current() == "a"
    assert window.windowTitle() == "Title a"
    assert window.pages.in_view() == ("a", "b")
    tab(window, "b").composer.attach_button.setFocus()
    assert window.tabs.current() == "b"
    assert tab(window, "b").composer.attach_button.hasFocus(), "it is not taken to the message box"


def test_a_third_chat_takes_the_place_of_the_one_in_front(window: MainWindow) -> None:
    """The other one stays. A tab that is in view is only brought to the front."""
    split(window)
    window.tabs.show_tab("c")
    assert window.pages.in_view() == ("a", "c")
    window.tabs.show_tab("a")
    window.tabs.show_tab("b")
    assert window.pages.in_view() == ("b", "c")


def test_closing_a_side_leaves_one_chat_and_both_tabs(window: MainWindow) -> None:
    """By the cross of the side or by the button; closing the tab itself ends the split too."""
    split(window)
    QTest.mouseClick(window.pages.panes[0].header.close_button, Qt.MouseButton.LeftButton)
    assert (window.pages.in_view(), window.tabs.current()) == (("b",), "b")
    assert window.tabs.order() == ("c", "a", "b")
    window.chats.open_beside("a")
    QTest.mouseClick(window.tab_row.split_button, Qt.MouseButton.LeftButton)
    assert window.pages.in_view() == ("a",)
    window.chats.open_beside("b")
    window.chats.close("b")
    assert (window.pages.in_view(), window.tabs.current()) == (("a",), "a")
    window.chats.open_beside("c")
    window.chats.close("a")
    assert (window.pages.in_view(), window.tabs.current()) == (("c",), "c")
    assert not any(pane.header.isVisible() for pane in window.pages.panes)


def test_the_button_takes_the_neighbour_or_a_new_chat(window: MainWindow, qtbot: QtBot) -> None:
    """A lone tab gets a new chat beside it once the app has made one."""
    window.chats.open(chat("a"))
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewChat)):
        QTest.mouseClick(window.tab_row.split_button, Qt.MouseButton.LeftButton)
    window.chats.open(chat("n"))
    assert window.pages.in_view() == ("a", "n")
    window.chats.toggle_split()
    window.actions_by_name["split"].trigger()
    assert window.pages.in_view() == ("n", "a")
    assert window.actions_by_name["split"].isChecked()


def test_the_sides_are_saved_and_shown_again(window: MainWindow) -> None:
    """With the one in front, and not if one of them is private or gone."""
    told = heard(window, ArrangeTabs)
    split(window)
    assert told[-1] == ArrangeTabs(("c", "a", "b"), "b", ("a", "b"))
    window.chats.toggle_split()
    window.chats._restore_sides(("b", "gone"))
    assert not window.pages.is_split
    window.tabs.show_tab("a")
    window.chats._restore_sides(("b", "a"))
    assert (window.pages.in_view(), window.tabs.current()) == (("b", "a"), "a")
    window.chats.open(ChatView("p", "Secret", private=True))
    last = told[-1]
    assert isinstance(last, ArrangeTabs)
    assert last.sides == ()


def test_the_width_is_divided_as_the_user_left_it(window: MainWindow, qtbot: QtBot) -> None:
    """Also at the next split."""
    window.pages.set_share(70)
    split(window)
    left, right = window.pages.panes
    qtbot.waitUntil(lambda: 2 * left.width() > 4 * right.width() > 0, timeout=2000)
    window.chats.toggle_split()
    assert window.pages.share == 70


def test_notices_of_both_chats_are_shown(window: MainWindow) -> None:
    """The user sees both chats."""
    split(window)
    for name in "abc":
        window.show_notice(Notice(f"full:{name}", f"{name} is too long", conversation=name))
    assert window.notices.keys() == ("full:a", "full:b")


def test_a_tab_is_dropped_on_a_side(window: MainWindow) -> None:
    """The half that would get it is shown while the tab is held there. In the row it is only moved."""
    for name in "ab":
        window.chats.open(chat(name, asked(f"{name}1")))
    pages = window.pages
    left = pages.mapToGlobal(pages.rect().center() - QPoint(200, 0))
    offer = window.findChild(QFrame, "sideOffer")
    assert offer is not None
    window.tabs.dragged_off.emit("b", left)
    assert offer.isVisible()
    assert offer.geometry().right() < pages.width() // 2 + 6
    window.tabs.dragged_off.emit("", left)
    assert not offer.isVisible()
    window.tabs.dropped_off.emit("b", left)
    assert (window.pages.in_view(), window.tabs.current()) == (("b", "a"), "b")
    window.tabs.dropped_off.emit("b", pages.mapToGlobal(pages.rect().center() + QPoint(200, 0)))
    assert (window.pages.in_view(), window.tabs.current()) == (("a", "b"), "b")
    window.tabs.dropped_off.emit("", left)
    assert window.pages.in_view() == ("a", "b")
    assert [pane.header.accessibleName() for pane in pages.panes] == ["Title a", "Title b"]


def test_the_chat_in_front_has_the_keyboard_once_the_window_is_active(qtbot: QtBot) -> None:
    """At a start the tabs may open before that. The other of two chats would come to the front with the keyboard."""
    made = MainWindow()
    qtbot.addWidget(made)
    for name in "ab":
        made.chats.open(chat(name))
    made.chats._restore_sides(("a", "b"))
    with qtbot.waitActive(made):
        made.show()
    shown = made.chats.current_tab()
    assert shown is not None
    assert made.tabs.current() == "b"
    assert made.focusWidget() is shown.composer.edit
