"""The transcript for screen readers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard
from tests.fakes.pages import settle
from ui.intents.chat import Fork
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import LIGHT
from ui.transcript.transcript import Transcript

VIEWS = (
    MessageView("u", "user", "Question with $x$?"),
    MessageView("a", "assistant", "Some **words**.\n\n```py\nx = 1\n```\n\n- [x] done"),
    MessageView("b", "assistant", "", MessageState.OPEN),
)


@pytest.fixture(autouse=True)
def reader() -> Iterator[None]:
    """A screen reader runs."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show_messages(VIEWS)
    made.show()
    settle(qtbot, made)
    qtbot.waitUntil(lambda: bool(messages(made)))
    return made


def children(one: QAccessibleInterface) -> list[QAccessibleInterface]:
    return [one.child(at) for at in range(one.childCount())]


def text(one: QAccessibleInterface) -> str:
    return one.text(QAccessible.Text.Name)


def messages(transcript: Transcript) -> list[QAccessibleInterface]:
    stand_ins = transcript.findChild(QWidget, "stand-ins")
    return children(QAccessible.queryAccessibleInterface(stand_ins)) if isinstance(stand_ins, QWidget) else []


def test_each_message_is_an_object(transcript: Transcript) -> None:
    """It has its author, its role and its place, in the order of the conversation."""
    found = messages(transcript)
    assert [text(one) for one in found] == ["Message 1, from you", "Message 2, answer"]
    assert {one.role() for one in found} == {QAccessible.Role.Section}
    assert found[0].rect().bottom() <= found[1].rect().top() + 1
    assert found[1].rect().height() > 100


def test_a_message_has_its_words_and_its_buttons(transcript: Transcript) -> None:
    """The words come first. Each button says what it does, and to which message."""
    words, *buttons = children(messages(transcript)[1])
    assert (words.role(), text(words)) == (QAccessible.Role.Paragraph, "Some words.\nx = 1\n[x] done")
    assert {one.role() for one in buttons} == {QAccessible.Role.Button}
    assert [text(one) for one in buttons] == [
        "Copy code block 1 of message 2",
        "Copy message 2",
        "Write message 2 again",
        "Fork from message 2",
    ]


def test_a_button_works(transcript: Transcript) -> None:
    """Pressing it does what a click on the page does."""
    (button,) = [
        one for one in transcript.findChildren(QAbstractButton) if one.accessibleName() == "Fork from message 2"
    ]
    intents = heard(transcript)
    button.click()
    assert intents == [Fork("a")]


def test_an_answer_appears_when_it_has_ended(qtbot: QtBot, transcript: Transcript) -> None:
    """A reader is not interrupted by each word. The objects of other messages stay the same."""
    before = messages(transcript)[0].object()
    transcript.append_delta("b", "Words that arrive")
    settle(qtbot, transcript)
    assert len(messages(transcript)) == 2
    transcript.replace_message(MessageView("b", "assistant", "Words that arrive"))
    qtbot.waitUntil(lambda: len(messages(transcript)) == 3)
    assert messages(transcript)[0].object() is before
    assert text(children(messages(transcript)[2])[0]) == "Words that arrive"


def test_the_objects_move_with_the_page(qtbot: QtBot, transcript: Transcript) -> None:
    """Their bounds are where the message is on the screen."""
    transcript.replace_message(MessageView("b", "assistant", "Paragraph.\n\n" * 40))
    qtbot.waitUntil(lambda: len(messages(transcript)) == 3)
    transcript.verticalScrollBar().setValue(0)
    top = messages(transcript)[0].rect().top()
    transcript.verticalScrollBar().setValue(100)
    assert messages(transcript)[0].rect().top() == top - 100


def test_they_take_no_focus_and_paint_nothing(transcript: Transcript) -> None:
    """The page looks the same and its tab order stays."""
    with_them = transcript.grab().toImage()
    stand_ins = transcript.findChild(QWidget, "stand-ins")
    assert isinstance(stand_ins, QWidget)
    stand_ins.hide()
    assert transcript.grab().toImage() == with_them


def test_without_a_screen_reader_there_are_none(qtbot: QtBot) -> None:
    """They would cost time that nothing gains from."""
    QAccessible.setActive(False)
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.show_messages(VIEWS)
    made.show()
    settle(qtbot, made)
    assert made.findChild(QWidget, "stand-ins") is None
