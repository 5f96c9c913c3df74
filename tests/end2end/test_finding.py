"""A user finds a word again: from the sidebar's search to its place in the chat, by keyboard alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from tests.end2end.conftest import Desk
from tests.fakes.library import import_all

CTRL = Qt.KeyboardModifier.ControlModifier


def _long() -> Archive:
    said = tuple(
        ArchivedMessage(
            str(number),
            str(number - 1) if number else None,
            "assistant" if number % 2 else "user",
            "a zebra in **Lis**bon" if number == 3 else f"number {number} without it",
        )
        for number in range(200)
    )
    return Archive((ArchivedConversation("Trips", said, leaf="199"),))


@pytest.mark.usefixtures("echo")
def test_a_word_is_found_again_by_keyboard(desk: Desk) -> None:
    """Search finds a misspelt word; Return opens the chat at the message, far above what is loaded, and marks it."""
    app = desk.open()
    made: list[str] = []
    app.conversations.chats.run("", lambda library: import_all(library, _long()), made.extend)
    desk.until(lambda: bool(made))
    (chat,) = made
    QTest.keyClick(app.window, Qt.Key.Key_K, CTRL)
    QTest.keyClicks(app.window.sidebar.search, "zebar")
    desk.until(lambda: app.window.sidebar.model.index_of(chat).isValid())
    QTest.keyClick(app.window.sidebar.search, Qt.Key.Key_Down)
    QTest.keyClick(app.window.sidebar.list, Qt.Key.Key_Return)
    desk.until(lambda: app.window.tabs.current() == chat)
    marks = desk.tab(chat).transcript.find_marks
    desk.until(lambda: marks.current is not None)
    bar = desk.tab(chat).find_bar
    assert (bar.field.text(), bar.count.text()) == ("zebra", "1 of 1")
    top = marks.rect(marks.current or (0, 0)).top() - desk.tab(chat).transcript.verticalScrollBar().value()
    assert 0 <= top < desk.tab(chat).transcript.viewport().height()
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
