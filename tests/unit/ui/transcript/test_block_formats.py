"""Lines as block formats: measures that the page depends on."""

from __future__ import annotations

import pytest

from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import Span
from ui.transcript.block_formats import BUBBLE_SIDE_PX, BlockFormats, indent

pytestmark = pytest.mark.usefixtures("qapp")


def bubble(text: str, column: int = 740) -> float:
    line = Line(LineKind.BUBBLE, (Span(text),))
    return BlockFormats(column).of(line).leftMargin()


def test_bubble_hugs_short_text() -> None:
    """The longer the text, the further left it begins, up to a share of the column."""
    assert 740 > bubble("Hi") > bubble("Hello there") > bubble("word " * 100)
    assert bubble("word " * 100) == bubble("x" * 100_000) == pytest.approx(740 * 0.24 + BUBBLE_SIDE_PX)


def test_bubble_is_as_wide_as_its_widest_row() -> None:
    """Rows of one message share one bubble."""
    assert bubble("Hi\u2028Hello there\u2028Yo") == bubble("Hello there")


def test_nesting_adds_up_to_a_limit() -> None:
    """Hostile nesting does not push the text out of the column."""
    assert 0 == indent("") < indent(">") < indent("-") < indent("->")
    assert indent("-" * 500) == indent("-" * 10)


def test_equal_lines_share_their_formats() -> None:
    """Formats are made once, as there are thousands of lines."""
    blocks = BlockFormats(740)
    line = Line(LineKind.TEXT, (Span("a"),))
    assert blocks.of(line) is blocks.of(line._replace(spans=()))


@pytest.mark.parametrize("marker", ["•", "1.", "10.", "100.", "1000000."])
def test_text_of_an_item_begins_behind_its_marker(marker: str) -> None:
    """The first tab stop is where the wrapped lines begin."""
    made = BlockFormats(740).of(Line(LineKind.TEXT, marker=marker, nest="-"))
    assert made.leftMargin() + made.textIndent() + made.tabPositions()[0].position == indent("-")


def test_items_of_scripts_that_begin_at_the_right_are_indented_there() -> None:
    """By as much; what is quoted keeps clear of its bar at the left, too."""
    made = BlockFormats(740).of(Line(LineKind.TEXT, (Span("1. أولا"),), nest=">--", marker="•"))
    assert (made.leftMargin(), made.rightMargin()) == (indent(">"), indent("--"))
    other = BlockFormats(740).of(Line(LineKind.TEXT, (Span("1. one أولا"),), nest=">--", marker="•"))
    assert (other.leftMargin(), other.rightMargin()) == (indent(">--"), 0)
