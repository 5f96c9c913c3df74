"""The shapes behind the text, checked pixel by pixel."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from ui.state.chat import MessageState, MessageView, ToolView
from ui.theme.theme import DARK, LIGHT, Theme
from ui.transcript.anchors import AnchorAction
from ui.transcript.backdrop import Backdrop, PointedAt
from ui.transcript.formats import Formats
from ui.transcript.transcript import Transcript

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
def test_a_bubble_is_painted_behind_a_question(make: Make, theme: Theme) -> None:
    """The bubble's colour is around the text, and the page's colour beside it."""
    transcript = make(MessageView("u", "user", "Hello"), theme=theme)
    spot = place(transcript, "Hello")
    assert colour(transcript, spot.left() - 8, spot.center().y()) == theme.bubble
    assert colour(transcript, spot.left() - 30, spot.center().y()) == theme.page


def test_a_card_is_painted_behind_code(make: Make) -> None:
    """It reaches from above the name of the language to below the last row."""
    transcript = make(MessageView("a", "assistant", "```py\nfirst\nlast\n```"))
    first, last = place(transcript, "first"), place(transcript, "last")
    for y in (first.top() - 30, first.center().y(), last.bottom() + 8):
        assert colour(transcript, first.left() - 6, y) == LIGHT.code_surface
    assert colour(transcript, first.left() - 6, last.bottom() + 30) == LIGHT.page


def test_code_has_as_much_room_above_as_below(make: Make) -> None:
    """Between the line under the name of the language and the rim."""
    transcript = make(MessageView("a", "assistant", "```py\nHg\nHg\n```"))
    image, x = transcript.viewport().grab().toImage(), place(transcript, "Hg").left()
    shades = [[image.pixelColor(x + dx, y).name() for dx in range(16)] for y in range(image.height())]
    lines = [y for y, row in enumerate(shades) if len({*row}) == 1 and row[0] not in {LIGHT.code_surface, LIGHT.page}]
    *_, rule, rim, _end = lines
    inked = [y for y in range(rule + 1, rim) if {*shades[y]} != {LIGHT.code_surface}]
    assert abs((inked[0] - rule) - (rim - inked[-1])) <= 1


def test_a_card_reaches_past_both_edges_of_the_view(make: Make) -> None:
    """In the middle of long code, neither its first nor its last row is in view."""
    transcript = make(MessageView("a", "assistant", "```py\n" + "x = 1\n" * 200 + "```"))
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert colour(transcript, 300, 0) == LIGHT.code_surface
    assert colour(transcript, 300, 399) == LIGHT.code_surface


def test_a_pill_is_painted_behind_inline_code(make: Make) -> None:
    """The pill is a little wider than the text."""
    transcript = make(MessageView("a", "assistant", "so `code` it is"))
    spot = place(transcript, "code")
    assert colour(transcript, spot.left() - 1, spot.center().y()) == LIGHT.inline_code


def test_a_quote_has_one_bar(make: Make) -> None:
    """The bar also fills the space between its paragraphs."""
    transcript = make(MessageView("a", "assistant", "> one\n>\n> two"))
    one, two = place(transcript, "one"), place(transcript, "two")
    for y in range(one.top() + 1, two.bottom() - 1):
        assert colour(transcript, 5, y) == LIGHT.hairline


def test_an_error_has_a_coloured_background(make: Make) -> None:
    """The background makes a failure visible."""
    transcript = make(MessageView("a", "assistant", "", MessageState.FAILED, error="Broken"))
    spot = place(transcript, "Broken")
    assert colour(transcript, 400, spot.center().y()) == LIGHT.danger_surface


@pytest.mark.parametrize("text", ["Words", "```py\nWords", "- Words", "| a |\n|---|\n| Words |"])
def test_the_caret_follows_the_last_word(make: Make, text: str) -> None:
    """The caret is painted while the answer grows, and only then."""
    transcript = make(MessageView("a", "assistant", text, MessageState.OPEN))
    cursor = transcript.document().find("Words")
    cursor.clearSelection()
    spot = transcript.cursorRect(cursor)
    assert colour(transcript, spot.left() + 5, spot.center().y()) == LIGHT.text
    transcript.replace_message(MessageView("a", "assistant", text))
    assert colour(transcript, spot.left() + 5, spot.center().y()) != LIGHT.text


def test_the_first_word_does_not_move_the_page(make: Make) -> None:
    """The dots of a waiting reply take the space of its first line."""
    transcript = make(MessageView("u", "user", "Hi"), MessageView("a", "assistant", "", MessageState.OPEN))
    height = transcript.document().size().height()
    caret = transcript.caret()
    assert caret is not None
    assert caret.waiting
    transcript.replace_message(MessageView("a", "assistant", "Hello", MessageState.OPEN))
    assert transcript.document().size().height() == height


def test_reasoning_has_a_thin_bar(make: Make) -> None:
    """The bar runs along the whole reasoning without a gap. The answer has none."""
    transcript = make(MessageView("a", "assistant", "", MessageState.STOPPED, reasoning="One\n\n- two\n\nthree"))
    one, three = place(transcript, "One"), place(transcript, "three")
    left = one.left() - 16
    for y in range(one.top() + 1, three.bottom() - 1):
        assert colour(transcript, left, y) == LIGHT.hairline
    assert colour(transcript, left + 3, one.center().y()) == LIGHT.page


def test_a_hairline_marks_the_start_of_the_context(make: Make) -> None:
    """The line is left and right of the words, not behind them."""
    transcript = make(
        MessageView("u", "user", "Old", out_of_context=True), MessageView("a", "assistant", "New"), height=500
    )
    spot = place(transcript, "The model reads")
    rows = range(spot.top(), spot.bottom() + 1)
    for x, expected in ((30, True), (700, True), (spot.left() - 6, False)):
        assert any(colour(transcript, x, y) == LIGHT.hairline for y in rows) is expected


def test_an_edited_question_has_a_ring(make: Make) -> None:
    """The ring has the accent colour and goes when the edit ends."""
    transcript = make(MessageView("u", "user", "Hello"))
    spot = place(transcript, "Hello")

    def ring() -> bool:
        return any(colour(transcript, spot.left() + 10, spot.top() - up) == LIGHT.accent for up in range(16))

    assert not ring()
    transcript.mark_edited("u")
    assert ring()
    transcript.mark_edited("")
    assert not ring()


def test_a_tool_call_has_a_card(make: Make) -> None:
    """A line separates its name from its arguments."""
    transcript = make(MessageView("a", "assistant", "", tools=(ToolView("get_weather", "{}"),)))
    head, body = place(transcript, "get_weather"), place(transcript, "{}")
    assert colour(transcript, body.left() - 6, body.center().y()) == LIGHT.code_surface
    between = range(head.bottom(), body.top())
    assert {colour(transcript, 300, y) for y in between} > {LIGHT.code_surface}


def test_the_pill_of_an_icon_keeps_away_from_the_words(make: Make) -> None:
    """The ring around the way to another alternative does not touch the number between them."""
    transcript = make(MessageView("a", "assistant", "Yes.", place=2, places=3))
    step = AnchorAction("step", "a", -1).href
    number = place(transcript, "2/3")
    block = transcript.document().find("2/3").block()
    backdrop = Backdrop(transcript.document(), Formats(LIGHT, LIGHT.reading.column))
    pill = backdrop.anchor_rect(block, step)
    assert pill is not None
    assert number.left() - pill.right() >= 3


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_the_pill_of_code_does_not_touch_the_words_beside_it(make: Make, role: Literal["user", "assistant"]) -> None:
    """The colour of the page is between both, at each side."""
    transcript = make(MessageView("m", role, "lll `code` lll"))
    image = transcript.viewport().grab().toImage()
    around, pill = (LIGHT.bubble, LIGHT.page) if role == "user" else (LIGHT.page, LIGHT.inline_code)
    at = place(transcript, "code")
    row = [image.pixelColor(x, at.center().y()).name() for x in range(at.left() - 20, at.left() + 60)]
    first, last = row.index(pill), len(row) - 1 - row[::-1].index(pill)
    assert {*row[first - 4 : first - 1], *row[last + 2 : last + 5]} == {around}, "the pixels at the edges are blended"


def test_a_long_question_full_of_code_is_painted_at_once(make: Make) -> None:
    """Only the pills in view are painted. The time grew with the square of the question: 10 s for this one."""
    transcript = make(MessageView("u", "user", "some words and then `code` and more of them " * 1_500))
    before = time.thread_time()
    transcript.unfold("u")
    transcript.viewport().grab()
    assert time.thread_time() - before < 1


def test_a_long_paragraph_has_the_same_pills_in_parts_as_at_once(make: Make) -> None:
    """Scrolling shows a part of the paragraph at a time. Code that wraps has a pill in each of its lines."""
    transcript = make(MessageView("a", "assistant", "some `code of several words` and <kbd>Esc</kbd> " * 80))
    document = transcript.document()
    backdrop = Backdrop(document, Formats(LIGHT, LIGHT.reading.column))
    size = document.size().toSize()
    at_once, in_parts = (QImage(size, QImage.Format.Format_RGB32) for _ in range(2))
    for image, height in ((at_once, size.height()), (in_parts, 37)):
        image.fill(0)
        painter = QPainter(image)
        for top in range(0, size.height(), height):
            part = QRectF(0, top, size.width(), height)
            painter.setClipRect(part)
            backdrop.paint(painter, part, PointedAt())
        painter.end()
    assert at_once == in_parts
