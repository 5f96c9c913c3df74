"""The end of a text that is still being generated."""

from __future__ import annotations

import pytest

from ui.markdown.lines import LineKind, lines
from ui.markdown.spans import Span, Style, code_spans
from ui.markdown.stream import MarkdownStream

BOLD, ITALIC, CODE = Style(bold=True), Style(italic=True), Style(code=True)


def end(text: str) -> tuple[Span, ...]:
    last = [line for line in MarkdownStream(text).lines() if line.kind is not LineKind.TABLE_FOOT][-1]
    return last.rows[-1][0] if last.rows else last.spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("**bo", (Span("bo", BOLD),)),
        ("**bold*", (Span("bold", BOLD),)),
        ("a **", (Span("a "),)),
        ("a *", (Span("a "),)),
        ("*a **b", (Span("a ", ITALIC), Span("b", Style(bold=True, italic=True)))),
        ("***a", (Span("a", Style(bold=True, italic=True)),)),
        ("~~a", (Span("a", Style(strike=True)),)),
        ("- **a", (Span("a", BOLD),)),
        ("# **a", (Span("a", BOLD),)),
        ("> _a", (Span("a", ITALIC),)),
        ("| a | b |\n|---|---|\n| **x", (Span("x", BOLD),)),
    ],
)
def test_emphasis_begins_with_its_first_letter(text: str, spans: tuple[Span, ...]) -> None:
    """No star is shown before the emphasis ends."""
    assert end(text) == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a `", (Span("a "),)),
        ("a `co", (Span("a "), *code_spans("co", CODE))),
        ("``a`b", tuple(code_spans("a`b", CODE))),
    ],
)
def test_code_begins_with_its_first_letter(text: str, spans: tuple[Span, ...]) -> None:
    """No tick is shown before the code ends."""
    assert end(text) == spans


@pytest.mark.parametrize("link", ["[", "[a", "[a]", "[a](", "[a](https://b.exam", "![a](https://b", "<https://a"])
def test_a_link_waits_for_its_end(link: str) -> None:
    """The syntax of a link is never shown."""
    assert end(f"See {link}") == (Span("See "),)


@pytest.mark.parametrize("text", ["5*3 is", "a * b", "snake_case_name and", "array[i] is", "a < b", "[1] and"])
def test_other_signs_are_shown(text: str) -> None:
    """A star between figures multiplies."""
    assert "".join(span.text for span in end(text)) == text


@pytest.mark.parametrize("text", ["**a\n\n", "`a\n\nb", "[a\n\nb", "**a\n\n---\n"])
def test_a_finished_paragraph_shows_what_it_has(text: str) -> None:
    """Emphasis cannot end in another paragraph."""
    assert MarkdownStream(text).lines()[0] == lines(text)[0]
