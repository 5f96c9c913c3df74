"""The search field of the sidebar, and its results."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from tests.fakes.context import sent
from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import row
from ui.intents.chat import InChat, Open, OpenAt
from ui.intents.library import Search
from ui.sidebar.sidebar import Sidebar
from ui.state.chat import ChatView


def test_the_search_starts_when_the_user_pauses(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Not every key starts a search."""
    searches = heard(sent())
    QTest.keyClicks(sidebar.search, "lisbon ")
    qtbot.waitUntil(lambda: bool(searches), timeout=2000)
    assert searches == [Search("lisbon")]


def test_a_result_opens_at_its_hit(sidebar: Sidebar, qtbot: QtBot) -> None:
    """A click or Return on a search result opens the chat at the message that was found, with its words."""
    sidebar.search.setText("fox")
    sidebar.show_conversations((replace(row("b"), hit="m7", terms=("fox",)), row("c")))
    sidebar.list.setCurrentIndex(sidebar.model.index_of("b"))
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(OpenAt)) as opened:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert opened.args == [InChat("b", OpenAt("m7", ("fox",)))]
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Open)):
        sidebar.list.opened.emit(sidebar.model.index_of("c"))


def test_results_are_reached_from_the_search_field(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Return opens the best result, also if it comes later; the down key moves into the list."""
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Search)), unasked(sent(), Open, OpenAt):
        sidebar.search.setText("fox")
        QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(OpenAt)):
        sidebar.show_conversations((replace(row("b"), hit="m7", terms=("fox",)), row("c")))
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(OpenAt)):
        QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.list.hasFocus()
    assert sidebar.current() == "b"


def test_escape_clears_the_search_and_then_leaves_it(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The first press lists all chats again, the second gives the keyboard back."""
    sidebar.activateWindow()
    sidebar.search.setFocus()
    QTest.keyClicks(sidebar.search, "fox")
    left: list[bool] = []
    sidebar.search.left.connect(lambda: left.append(True))
    with qtbot.waitSignal(sent().requested, check_params_cb=lambda intent: intent == Search("")):
        QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert (sidebar.search.text(), left) == ("", [])
    QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert left == [True]


def test_a_search_lists_its_results_without_sections(sidebar: Sidebar) -> None:
    """The best result is first. Without the search, the sections are back."""
    rows = (replace(row("w", 0.1), folder="Work"), replace(row("p", 0.1), pinned=True))
    sidebar.search.setText("title")
    sidebar.show_conversations(rows)
    assert sidebar.model.index(0, 0).data() == "Results"
    sidebar.search.clear()
    sidebar.show_conversations(rows)
    assert [sidebar.model.index(n, 0).data() for n in (0, 2)] == ["Pinned", "Work"]


def test_the_open_chat_is_in_view_after_a_search(sidebar: Sidebar) -> None:
    """The list scrolls to it if the search did not list it."""
    rows = tuple(row(str(number), number / 10) for number in range(60))
    sidebar.show_conversations(rows)
    sidebar.select("50")
    sidebar.search.setText("nothing")
    sidebar.show_conversations(rows[:2])
    sidebar.search.clear()
    sidebar.show_conversations(rows)
    assert sidebar.current() == "50"
    assert sidebar.list.viewport().rect().contains(sidebar.list.visualRect(sidebar.list.currentIndex()))


@pytest.mark.parametrize(
    ("opened", "is_over"),
    [(ChatView("new", "New chat"), True), (ChatView("hit", "Title"), False), (ChatView("p", "", private=True), False)],
)
def test_a_chat_that_the_search_does_not_list_ends_it(sidebar: Sidebar, opened: ChatView, *, is_over: bool) -> None:
    """A new chat is in the list at once, also if the user had searched before. A result and a private chat change
    nothing.
    """
    sidebar.search.setText("fox")
    sidebar.show_conversations((row("hit"),))
    sidebar.note_opened(opened)
    assert sidebar.search.text() == ("" if is_over else "fox")


def test_an_empty_field_offers_nothing_to_clear(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The cross is there with the first letter, and not before it."""
    magnifier, cross = sidebar.search.findChildren(QToolButton)
    assert magnifier.isVisible()
    assert not cross.isVisible()
    QTest.keyClicks(sidebar.search, "a")
    assert cross.isVisible()
    QTest.keyClick(sidebar.search, Qt.Key.Key_Backspace)
    qtbot.waitUntil(cross.isHidden)
