"""A user with a mouse: the list of chats and the tabs keep still under the pointer, with the real engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.end2end.conftest import Desk
from ui.sidebar.conversations_model import ConversationRole


def listed(desk: Desk) -> list[str]:
    """The chats of the list, from top to bottom."""
    rows = desk.app.window.sidebar.model
    chats = (rows.index(number, 0).data(ConversationRole.ID) for number in range(rows.rowCount()))
    return [chat for chat in chats if chat]


def point(widget: QWidget, place: QPoint) -> None:
    """Move the pointer."""
    QCursor.setPos(widget.mapToGlobal(place))


@pytest.fixture(autouse=True)
def pointer() -> Iterator[None]:
    """The pointer is back in its corner for other tests."""
    before = QCursor.pos()
    yield
    QCursor.setPos(before)


def asked(desk: Desk, text: str) -> str:
    """A new chat with an answered message."""
    chat = desk.new_chat()
    desk.send(chat, text)
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).footer))
    return chat


def test_a_chat_under_the_pointer_waits_for_its_place(desk: Desk, answers: Callable[[int], None]) -> None:
    """The order is that of what the user sent. What is sent while the pointer is in the list moves a row when it has
    left, and the open chat stays marked.
    """
    answers(16)
    window = desk.open().window
    window.show()
    first, second = asked(desk, "How is tea made?"), asked(desk, "How is bread made?")
    desk.until(lambda: listed(desk)[:2] == [second, first])
    view = window.sidebar.list
    point(view.viewport(), view.visualRect(window.sidebar.model.index_of(second)).center())
    desk.until(view.underMouse)
    desk.send(first, "And coffee?")
    desk.until(lambda: desk.is_idle(first) and len(desk.tab(first).transcript.messages) == 4)
    desk.until(lambda: window.sidebar.model.known[first].updated > window.sidebar.model.known[second].updated)
    assert listed(desk)[:2] == [second, first]
    point(window.chats.tab(second) or window, QPoint(100, 100))
    desk.until(lambda: listed(desk)[:2] == [first, second])
    assert window.sidebar.current() == second


def test_the_end_of_an_answer_moves_no_row(desk: Desk) -> None:
    """A chat that was asked before another one stays below it, however long its answer takes."""
    window = desk.open().window
    first = window.tabs.current()
    desk.send(first, "Tell me a story")
    desk.until(lambda: desk.is_generating(first))
    second = desk.new_chat()
    desk.send(second, "And a poem")
    desk.until(lambda: desk.is_generating(second) and listed(desk)[:2] == [second, first])
    for chat in (second, first):
        desk.app.conversations.sessions.of(chat).stop()
        desk.until(lambda chat=chat: desk.is_idle(chat) and bool(desk.answer(chat).footer))  # type: ignore[misc]
    ends: list[object] = []
    desk.app.conversations.list.refresh()
    desk.app.conversations.list.ask_listed(ends.append)  # behind the end of the answers and the list after it
    desk.until(lambda: bool(ends))
    assert listed(desk)[:2] == [second, first]


def test_tabs_are_closed_one_after_the_other_at_one_place(desk: Desk) -> None:
    """The next cross comes under the pointer, in a row that is full. Nothing moves before the pointer leaves."""
    window = desk.open().window
    window.show()
    for number in range(9):
        desk.send(desk.new_chat(), f"What is the story of the house with the number {number}?")
    strip = window.tabs
    chats = strip.order()
    strip.show_tab(chats[6])
    desk.until(window.tab_row.list_button.isVisible)
    shown = [strip.shown_text(strip.index_of(chat)) for chat in chats if strip.isTabVisible(strip.index_of(chat))]
    assert len(set(shown)) == len(shown)
    point(strip, strip.rect().center())
    desk.until(strip.underMouse)
    place = strip.close_rect(strip.index_of(chats[6])).center()
    left = strip.tabRect(strip.index_of(chats[5]))
    for chat in chats[6:8]:
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        desk.until(lambda chat=chat: strip.index_of(chat) < 0)  # type: ignore[misc]
        assert strip.tabRect(strip.index_of(chats[5])) == left
        assert strip.close_rect(strip.currentIndex()).center() == place
    width, hidden = strip.tabRect(strip.index_of(chats[5])).width(), strip.hidden()
    point(window, window.rect().center())
    desk.until(lambda: strip.tabRect(strip.index_of(chats[5])).width() != width or strip.hidden() < hidden)


def test_a_model_that_cannot_name_chats_names_none(desk: Desk, answers: Callable[[int], None]) -> None:
    """It is asked for the name of a sample, and says none. The first words of the chat stay its name."""
    answers(16)
    app = desk.open()
    chat = asked(desk, "Tell me about the long history of the lighthouse on the northern shore, please.")
    titles = app.conversations.titles
    desk.until(lambda: titles._can_name == {app.connection.model: False} and not titles._waiting)
    assert app.window.tabs.title_of(chat) == "Tell me about the long history of the lighthouse"
