"""Source code as coloured rows."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ui.markdown.highlight import (
    MAX_CHARACTERS,
    CodeRow,
    _Present,
    coloured,
    highlight,
    highlight_ended,
    highlight_open,
)
from ui.markdown.spans import Span, Spans, Style

LAST = 32
"""The most lines that are lexed for one more of them."""
LONG = {
    "python": "    def f(self, a):\n        # why\n        return None\n\n" + "        x = 1\n" * 30,
    "json": '    {"id": 1, "name": "a", "on": true,\n        "more": [1, 2]},\n',
    "java": "    int f(int a) {\n        return 1; // why\n    }\n\n",
}
TORN = {
    "python": 'def f():\n    """\n' + "    if this is not a word\n" * 60 + '    """\n' + "    return 1\n" * 60,
    "c": "/*\n" + "int f(void)\n" * 30 + "*/\n" + "int f(void) { return 1; }\n" * 30,
    "html": "<script>\n" + "    let a = 1;\n" * 90 + "</script>\n" + "<p>let a</p>\n" * 90,
}
PYTHON = 'def f(a):\n    """Doc."""\n    return None  # why\n'


def text_of(rows: tuple[Spans, ...]) -> str:
    return "\n".join("".join(span.text for span in row) for row in rows)


def test_python_has_its_colours() -> None:
    """Keywords, names, strings and comments have different kinds."""
    kinds = {span.text.strip(): span.style.token for row in highlight(PYTHON, "python") for span in row}
    assert (kinds["def"], kinds["f"], kinds['"""Doc."""']) == ("keyword", "function", "string")
    assert (kinds["None"], kinds["# why"]) == ("constant", "comment")


def test_an_unknown_language_is_plain() -> None:
    """Without a lexer, the text is still shown."""
    assert highlight("a b\n\nc", "no-such-thing") == ((Span("a b"),), (), (Span("c"),))


def test_the_same_code_is_lexed_once() -> None:
    """The second call is answered from the cache."""
    assert highlight(PYTHON, "python") is highlight(PYTHON, "python")


def test_very_long_code_is_not_lexed() -> None:
    """Code beyond the limit is plain and complete."""
    code = "x = 1\n" * (MAX_CHARACTERS // 6 + 1)
    rows = highlight(code, "python")
    assert text_of(rows) == code
    assert {span.style for row in rows for span in row} == {Style()}


@given(st.text(st.sampled_from("ab =#\"'(\n\t é"), max_size=300))
def test_no_character_is_lost(code: str) -> None:
    """Both functions keep the text unchanged."""
    assert text_of(highlight(code, "python")) == code
    assert text_of(highlight_open(code, "python")) == code


@pytest.mark.parametrize("language", ["console", "psql", "iex", "lhs", "tnt", "robotframework", "felix"])
@pytest.mark.parametrize("code", ["$ pip install x", "$ ls\nfile\n> x = 1", "", "\n", "a\n\n", "\ufeffa"])
def test_no_language_changes_the_code(language: str, code: str) -> None:
    """The lexers of terminal sessions leave out a last line without its end, and a few others change the text."""
    assert text_of(highlight(code, language)) == code
    assert text_of(highlight_open(code, language)) == code
    assert text_of(highlight_ended(code, language)) == code


def test_a_terminal_session_has_its_colours() -> None:
    """Also in its last line."""
    *_, last = highlight("$ ls\n$ echo 'a'", "console")
    assert ("'a'", "string") in [(span.text, span.style.token) for span in last]


@pytest.mark.parametrize("language", LONG)
def test_open_code_is_lexed_again_at_its_end_only(language: str) -> None:
    """One more line of a long program costs the lexing of its last lines, also if none of it begins at the margin. The
    rows before come from the cache.
    """
    code = LONG[language] * 20
    before, after = highlight_open(code, language), highlight_open(f"{code}    y = 2\n", language)
    is_cached = [row is other for row, other in zip(before, after, strict=False)]
    assert len(is_cached) - is_cached.index(False) < LAST


def test_one_more_line_of_very_many_is_coloured_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though all proofs that a piece can end are more than the rows that are kept."""
    asked: list[str] = []

    def colour(code: str, language: str) -> tuple[CodeRow, ...]:
        asked.append(code)
        return coloured(code, language)

    monkeypatch.setattr(_Present, "colour", staticmethod(colour))
    code = "".join(f".c{number} {{\n  top: {number}px;\n}}\n" for number in range(1_000))
    highlight_open(code, "css")
    asked.clear()
    highlight_open(f"{code}.last {{}}\n", "css")
    assert len(asked) < 8


@pytest.mark.parametrize("language", LONG)
def test_open_code_has_the_colours_of_the_whole(language: str) -> None:
    """So nothing changes its colour when the code has ended."""
    code = LONG[language] * 4
    whole = highlight(code, language)
    for end in range(code.count("\n")):
        shown = highlight_open("\n".join(code.split("\n")[: end + 1]) + "\n", language)
        assert shown[:end] == whole[:end]
    assert highlight_ended(code, language) == whole


@pytest.mark.parametrize("language", ["python", "c"])
def test_open_code_that_no_line_can_begin_has_its_colours(language: str) -> None:
    """A comment and a text of many lines are coloured as such up to their ends."""
    assert highlight_open(f"{TORN[language]}\n", language)[:-1] == highlight(TORN[language], language)


@pytest.mark.parametrize("language", TORN)
def test_code_that_has_ended_has_the_colours_of_the_whole(language: str) -> None:
    """A script in a page, which has other colours until its end arrives, gets the right ones."""
    assert highlight_ended(TORN[language], language) == highlight(TORN[language], language)


def test_open_code_leaves_the_unfinished_line_plain() -> None:
    """The last line has no colours until it is complete."""
    assert highlight_open("x = 1\nretur", "python")[-1] == (Span("retur"),)
