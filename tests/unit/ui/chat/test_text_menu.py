"""The context menu of the transcript, and quotes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from tests.fakes.pages import settle
from tests.fakes.views import answered, asked, chat
from ui.chat.chat_tab import ChatTab
from ui.intents.chat import DeleteTurn
from ui.intents.voice import ReadAloud, StopReading
from ui.state.chat import VoiceView
from ui.transcript import pending_messages
from ui.widgets.menu import Menu

ANSWER = "First line.\n\n- one\n- two"


@pytest.fixture
def tab(qtbot: QtBot) -> ChatTab:
    made = ChatTab(chat("a", asked("q", "What?"), answered("r", ANSWER)), context())
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    settle(qtbot, made.transcript)
    return made


def select(tab: ChatTab, text: str) -> None:
    found = tab.transcript.document().find(text)
    tab.transcript.setTextCursor(found)


def entries(tab: ChatTab, message: int) -> dict[str, object]:
    """Open the menu on a message, and return what is in it."""
    cursor = QTextCursor(tab.transcript.document())
    cursor.setPosition(tab.transcript.writer.start(message))
    tab.text_menu.open(tab.transcript.cursorRect(cursor).center() + QPoint(2, 2))
    menu = tab.transcript.findChildren(Menu, "textMenu")[-1]
    return {action.text(): action.trigger for action in menu.actions() if action.text()}


def test_the_selection_becomes_a_quote(tab: ChatTab) -> None:
    """Each line of it is quoted, without markers of the page, and the cursor stands behind it."""
    tab.composer.set_draft("Look:")
    tab.transcript.selectAll()
    tab.text_menu.quote()
    text = tab.composer.edit.toPlainText()
    assert text.startswith("Look:\n\n> What?\n")
    assert text.endswith("\n\n")
    assert all(line.startswith(">") for line in text.removeprefix("Look:\n\n").splitlines() if line)
    assert tab.composer.edit.hasFocus()
    tab.composer.edit.insertPlainText("Why?")
    assert tab.composer.edit.toPlainText().endswith("\n\nWhy?")


def test_without_a_selection_nothing_is_quoted(tab: ChatTab) -> None:
    """The draft stays as it is."""
    tab.composer.set_draft("Look:")
    tab.text_menu.quote()
    assert tab.composer.edit.toPlainText() == "Look:"


def test_the_menu_is_about_the_message_and_the_selection(tab: ChatTab, qtbot: QtBot) -> None:
    """Copy and quote are offered for a selection alone. The source of a message is copied, not its looks."""
    delete = "Delete question and answer"
    assert list(entries(tab, 0)) == ["Copy message", "Edit message", "Select all", delete]
    said = heard(sent(), DeleteTurn)
    entries(tab, 1)[delete]()  # type: ignore[operator]
    assert said == [DeleteTurn("r")]
    entries(tab, 1)["Copy message"]()  # type: ignore[operator]
    assert QGuiApplication.clipboard().text() == ANSWER
    select(tab, "First line.")
    offered = entries(tab, 1)
    assert list(offered)[:2] == ["Copy", "Quote in message"]
    offered["Quote in message"]()  # type: ignore[operator]
    assert tab.composer.edit.toPlainText() == "> First line.\n\n"
    with qtbot.waitSignal(tab.transcript.edit_started) as edited:
        entries(tab, 0)["Edit message"]()  # type: ignore[operator]
    assert edited.args == ["q"]


def test_the_menu_is_about_a_message_of_which_the_page_holds_a_part(
    tab: ChatTab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a jump, the end of a long answer is not on the page yet."""
    monkeypatch.setattr(pending_messages, "HISTORY_CHARACTERS", 5_000)
    rows = "\n\n".join(f"Row {number}." for number in range(900))
    said = (message for at in range(20) for message in (asked(f"q{at}", "What?"), answered(f"r{at}", "Word. " * 200)))
    tab.transcript.show_messages((*said, asked("q", "What?"), answered("r", rows), answered("end", "Word. " * 900)))
    tab.transcript.older.load_to(20)
    while not tab.transcript.writer.lines(41):
        tab.transcript.verticalScrollBar().setValue(tab.transcript.verticalScrollBar().maximum())
        settle(qtbot, tab.transcript)
    assert 41 not in tab.transcript.loaded
    entries(tab, 41)["Copy message"]()  # type: ignore[operator]
    assert QGuiApplication.clipboard().text() == rows


def test_an_answer_can_be_read_aloud(tab: ChatTab) -> None:
    """The same place stops the voice. A question is not read."""
    said = heard(sent(), ReadAloud, StopReading)
    assert "Read aloud" not in entries(tab, 0)
    entries(tab, 1)["Read aloud"]()  # type: ignore[operator] # an action's trigger
    store().voice.put(VoiceView(message="r"))
    entries(tab, 1)["Stop reading"]()  # type: ignore[operator] # as above
    assert said == [ReadAloud("r", ANSWER), StopReading()]
