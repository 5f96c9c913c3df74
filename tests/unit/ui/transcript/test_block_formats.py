"""Block formats: the measures that the page depends on."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF

from ui.markdown.lines import REASONING, Line, LineKind
from ui.markdown.spans import Span
from ui.theme.theme import BODY_PX, Reading, ui_font
from ui.transcript.block_formats import BUBBLE_SIDE_PX, BlockFormats, indent

pytestmark = pytest.mark.usefixtures("qapp")


def bubble(text: str, column: int = 740) -> float:
    line = Line(LineKind.BUBBLE, (Span(text),))
    return BlockFormats(column, Reading()).of(line).leftMargin()


def test_a_bubble_is_as_wide_as_its_text() -> None:
    """Longer text makes the bubble wider, up to a share of the column."""
    assert 740 > bubble("Hi") > bubble("Hello there") > bubble("word " * 100)
    assert bubble("word " * 100) == bubble("x" * 100_000) == pytest.approx(740 * 0.24 + BUBBLE_SIDE_PX)


def test_a_bubble_is_as_wide_as_its_widest_row() -> None:
    """All rows of a question share one bubble."""
    assert bubble("Hi\u2028Hello there\u2028Yo") == bubble("Hello there")


def test_nesting_is_indented_up_to_a_limit() -> None:
    """Deeply nested text stays inside the column."""
    assert 0 == indent("", Reading()) < indent(">", Reading()) < indent("-", Reading()) < indent("->", Reading())
    assert indent("-" * 500, Reading()) == indent("-" * 10, Reading())


def test_equal_lines_share_their_formats() -> None:
    """A format is made once for thousands of lines."""
    blocks = BlockFormats(740, Reading())
    line = Line(LineKind.TEXT, (Span("a"),))
    assert blocks.of(line) is blocks.of(line._replace(spans=()))


@pytest.mark.parametrize("zoom", [70, 100, 200])
@pytest.mark.parametrize("marker", ["•", "1.", "9."])
def test_a_marker_stays_clear_of_its_text(marker: str, zoom: int) -> None:
    """Indents grow with the text, so that larger figures do not run into the words."""
    reading = Reading(zoom)
    made = BlockFormats(740, reading).of(Line(LineKind.TEXT, marker=marker, nest="-"))
    width = QFontMetricsF(ui_font(reading.px(BODY_PX))).horizontalAdvance(marker)
    assert made.tabPositions()[0].position - width >= 3


@pytest.mark.parametrize("marker", ["•", "1.", "10.", "100.", "1000000."])
def test_the_text_of_an_item_is_aligned(marker: str) -> None:
    """The first tab stop is at the left edge of wrapped lines."""
    made = BlockFormats(740, Reading()).of(Line(LineKind.TEXT, marker=marker, nest="-"))
    assert made.leftMargin() + made.textIndent() + made.tabPositions()[0].position == indent("-", Reading())


def test_right_to_left_items_are_indented_at_the_right() -> None:
    """The indent is as wide as at the left, for the bar of a quote too. The bar of reasoning stays at the left, as one
    bar stands beside paragraphs in any script.
    """
    made = BlockFormats(740, Reading()).of(Line(LineKind.TEXT, (Span("1. أولا"),), nest=">--", marker="•"))
    assert (made.leftMargin(), made.rightMargin()) == (0, indent(">--", Reading()))
    thought = BlockFormats(740, Reading()).of(Line(LineKind.TEXT, (Span("أولا"),), nest=REASONING + "-"))
    assert (thought.leftMargin(), thought.rightMargin()) == (indent(REASONING, Reading()), indent("-", Reading()))
    other = BlockFormats(740, Reading()).of(Line(LineKind.TEXT, (Span("1. one أولا"),), nest=">--", marker="•"))
    assert (other.leftMargin(), other.rightMargin()) == (indent(">--", Reading()), 0)
