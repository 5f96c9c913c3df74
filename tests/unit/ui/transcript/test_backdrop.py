"""Shapes behind the text, looked at through single pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.state import MessageState, MessageView, ToolView
from ui.theme.theme import DARK, LIGHT, Theme
from ui.transcript.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QRect
    from pytestqt.qtbot import QtBot

    Make = Callable[..., Transcript]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(*views: MessageView, theme: Theme = LIGHT, height: int = 400) -> Transcript:
        transcript = Transcript(theme)
        qtbot.addWidget(transcript)
        transcript.resize(900, height)
        transcript.show_messages(views)
        transcript.show()
        return transcript

    return made


def place(transcript: Transcript, text: str) -> QRect:
    cursor = transcript.document().find(text)
    cursor.setPosition(cursor.selectionStart())
    return transcript.cursorRect(cursor)


def colour(transcript: Transcript, x: int, y: int) -> str:
    return transcript.viewport().grab().toImage().pixelColor(x, y).name()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_bubble_stands_behind_the_question(make: Make, theme: Theme) -> None:
    """Around the text its colour, beside it the page's."""
    transcript = make(MessageView("u", "user", "Hello"), theme=theme)
    spot = place(transcript, "Hello")
    assert colour(transcript, spot.left() - 8, spot.center().y()) == theme.bubble
    assert colour(transcript, spot.left() - 30, spot.center().y()) == theme.page


def test_card_stands_behind_code(make: Make) -> None:
    """From above the language's name to below the last row."""
    transcript = make(MessageView("a", "assistant", "```py\nfirst\nlast\n```"))
    first, last = place(transcript, "first"), place(transcript, "last")
    for y in (first.top() - 30, first.center().y(), last.bottom() + 8):
        assert colour(transcript, first.left() - 6, y) == LIGHT.code_surface
    assert colour(transcript, first.left() - 6, last.bottom() + 30) == LIGHT.page


def test_card_reaches_past_both_edges_of_the_view(make: Make) -> None:
    """In the middle of long code neither head nor foot is on the screen."""
    transcript = make(MessageView("a", "assistant", "```py\n" + "x = 1\n" * 200 + "```"))
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert colour(transcript, 300, 0) == LIGHT.code_surface
    assert colour(transcript, 300, 399) == LIGHT.code_surface


def test_pill_stands_behind_inline_code(make: Make) -> None:
    """A little wider than the text."""
    transcript = make(MessageView("a", "assistant", "so `code` it is"))
    spot = place(transcript, "code")
    assert colour(transcript, spot.left() - 1, spot.center().y()) == LIGHT.inline_code


def test_quote_has_one_bar(make: Make) -> None:
    """Also between its paragraphs."""
    transcript = make(MessageView("a", "assistant", "> one\n>\n> two"))
    one, two = place(transcript, "one"), place(transcript, "two")
    for y in range(one.top() + 1, two.bottom() - 1):
        assert colour(transcript, 5, y) == LIGHT.hairline


def test_error_stands_on_its_surface(make: Make) -> None:
    """A failure cannot be overlooked."""
    transcript = make(MessageView("a", "assistant", "", MessageState.FAILED, error="Broken"))
    spot = place(transcript, "Broken")
    assert colour(transcript, 400, spot.center().y()) == LIGHT.danger_surface


@pytest.mark.parametrize("text", ["Words", "```py\nWords", "- Words", "| a |\n|---|\n| Words |"])
def test_caret_stands_behind_the_last_word(make: Make, text: str) -> None:
    """While the answer grows, and only then."""
    transcript = make(MessageView("a", "assistant", text, MessageState.OPEN))
    cursor = transcript.document().find("Words")
    cursor.clearSelection()
    spot = transcript.cursorRect(cursor)
    assert colour(transcript, spot.left() + 5, spot.center().y()) == LIGHT.text
    transcript.replace_message(MessageView("a", "assistant", text))
    assert colour(transcript, spot.left() + 5, spot.center().y()) != LIGHT.text


def test_first_word_does_not_move_the_page(make: Make) -> None:
    """The waiting dots take the place of the line to come."""
    transcript = make(MessageView("u", "user", "Hi"), MessageView("a", "assistant", "", MessageState.OPEN))
    height = transcript.document().size().height()
    caret = transcript.caret()
    assert caret is not None
    assert caret.waiting
    transcript.replace_message(MessageView("a", "assistant", "Hello", MessageState.OPEN))
    assert transcript.document().size().height() == height


def test_reasoning_stands_beside_a_thin_rule(make: Make) -> None:
    """From its first line to its last, without a gap, and the answer stands beside none."""
    transcript = make(MessageView("a", "assistant", "", MessageState.STOPPED, reasoning="One\n\n- two\n\nthree"))
    one, three = place(transcript, "One"), place(transcript, "three")
    left = one.left() - 16
    for y in range(one.top() + 1, three.bottom() - 1):
        assert colour(transcript, left, y) == LIGHT.hairline
    assert colour(transcript, left + 3, one.center().y()) == LIGHT.page


def test_where_reading_begins_a_hairline_crosses_the_column(make: Make) -> None:
    """Left and right of the words, not through them."""
    transcript = make(
        MessageView("u", "user", "Old", out_of_context=True), MessageView("a", "assistant", "New"), height=500
    )
    spot = place(transcript, "The model reads")
    rows = range(spot.top(), spot.bottom() + 1)
    for x, expected in ((30, True), (700, True), (spot.left() - 6, False)):
        assert any(colour(transcript, x, y) == LIGHT.hairline for y in rows) is expected


def test_an_edited_question_has_a_ring(make: Make) -> None:
    """In the accent's colour, until the edit is over."""
    transcript = make(MessageView("u", "user", "Hello"))
    spot = place(transcript, "Hello")

    def ring() -> bool:
        return any(colour(transcript, spot.left() + 10, spot.top() - up) == LIGHT.accent for up in range(16))

    assert not ring()
    transcript.mark_edited("u")
    assert ring()
    transcript.mark_edited("")
    assert not ring()


def test_a_tool_call_stands_on_a_card(make: Make) -> None:
    """With a line under its name."""
    transcript = make(MessageView("a", "assistant", "", tools=(ToolView("get_weather", "{}"),)))
    head, body = place(transcript, "get_weather"), place(transcript, "{}")
    assert colour(transcript, body.left() - 6, body.center().y()) == LIGHT.code_surface
    between = range(head.bottom(), body.top())
    assert {colour(transcript, 300, y) for y in between} > {LIGHT.code_surface}
