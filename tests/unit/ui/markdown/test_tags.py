"""Tags, footnotes and task lists."""

from __future__ import annotations

import time

import pytest

from ui.markdown.lines import NOTE, LineKind, lines
from ui.markdown.spans import BREAK, Span, Style
from ui.markdown.stream import MarkdownStream


def spans(text: str) -> tuple[Span, ...]:
    (line,) = lines(text)
    return line.spans


def test_a_break_in_a_cell_is_a_line_break() -> None:
    """A cell of a table has no other way to have two lines."""
    _head, row, _foot = lines("| a |\n|---|\n| one<br>two<BR/>three |")
    assert row.rows[0][0] == (Span(f"one{BREAK}two{BREAK}three"),)


def test_small_text_stands_below_and_above() -> None:
    """Formulas of chemistry and powers."""
    assert spans("H<sub>2</sub>O, x<sup>**2**</sup>") == (
        Span("H"),
        Span("2", Style(script="sub")),
        Span("O, x"),
        Span("2", Style(script="sup", bold=True)),
    )


def test_a_key_has_its_style() -> None:
    """Keys look like keys."""
    assert spans("Press <kbd>Ctrl</kbd>+<kbd>C</kbd>") == (
        Span("Press "),
        Span("\u2009Ctrl\u2009", Style(key=True, source="Ctrl")),
        Span("+"),
        Span("\u2009C\u2009", Style(key=True, source="C")),
    )


@pytest.mark.parametrize(
    "text", ["<sub>a", "a</sub>", "<b>x</b>", "<script>alert(1)</script>", "a < b", "<sub >x</sub>"]
)
def test_other_html_stays_text(text: str) -> None:
    """Nothing else is interpreted."""
    assert "".join(span.text for span in spans(text)) == text


@pytest.mark.parametrize(("source", "marker"), [("- [ ] a", "[ ]"), ("* [x] a", "[x]"), ("+ [X] a", "[x]")])
def test_an_item_may_be_a_task(source: str, marker: str) -> None:
    """Its box is its marker."""
    (line,) = lines(source)
    assert (line.marker, line.text) == (marker, "a")


@pytest.mark.parametrize("source", ["- [a] b", "1. [ ] a", "[ ] a", "- a [x]", "- [](https://a.example) b"])
def test_other_brackets_are_no_task(source: str) -> None:
    """Only the beginning of a bullet counts."""
    assert all(line.marker not in {"[ ]", "[x]"} for line in lines(source))


def test_a_footnote_is_shown_where_it_is_written() -> None:
    """Its number stands above the line in the text, and before the note."""
    text, note, more = lines("Words[^1] and[^note].\n\n[^1]: The *note*\nhas two rows.\n[^note]: Another.")
    assert text.spans[1] == Span("1", Style(script="sup", source="[^1]"))
    assert (note.marker, note.text) == ("1.", f"The note{BREAK}has two rows.")
    assert (more.marker, more.text) == ("note.", "Another.")
    assert note.nest == more.nest == NOTE


def test_a_footnote_with_a_short_label_is_told_from_a_regular_expression() -> None:
    """A letter in brackets is a reference only if it has a note, on whichever line that begins."""
    text, one, other = lines("Words[^1] and[^n], no [^x].\n\n[^1]: The first.\n[^n]: The second.")
    assert [span.text for span in text.spans if span.style.script] == ["1", "n"]
    assert text.text.endswith("no [^x].")
    assert [(line.marker, line.text) for line in (one, other)] == [("1.", "The first."), ("n.", "The second.")]
    assert [line.text for line in lines("[^x]:\n[^a-z]+ matches")] == [f"[^x]:{BREAK}[^a-z]+ matches"]


def test_a_task_is_not_shown_before_its_box_is_closed() -> None:
    """The brackets do not flash."""
    for source in ("- [", "- [x", "- [x]"):
        assert "".join(line.text for line in MarkdownStream("a\n" + source).lines()) == "a"


@pytest.mark.parametrize(
    "text", ["<sub>" * 8_000, "<sub>" * 4_000 + "</sub>" * 4_000, "[^1]: " * 8_000, "[^1]" * 10_000]
)
def test_hostile_tags_are_parsed_in_time(text: str) -> None:
    """No text of 50,000 characters takes seconds."""
    start = time.thread_time()
    assert lines(text)[0].kind is LineKind.TEXT
    assert time.thread_time() - start < 2
