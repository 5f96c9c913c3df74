"""Source code as coloured rows."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from ui.markdown.highlight import MAX_CHARACTERS, CodePiece, highlight, highlight_open

PYTHON = 'def f(a):\n    """Doc."""\n    return None  # why\n'


def text_of(rows: tuple[tuple[CodePiece, ...], ...]) -> str:
    return "\n".join("".join(piece.text for piece in row) for row in rows)


def test_python_has_its_colours() -> None:
    """Keywords, names, strings and comments have different kinds."""
    kinds = {piece.text.strip(): piece.kind for row in highlight(PYTHON, "python") for piece in row}
    assert (kinds["def"], kinds["f"], kinds['"""Doc."""']) == ("keyword", "function", "string")
    assert (kinds["None"], kinds["# why"]) == ("constant", "comment")


def test_an_unknown_language_is_plain() -> None:
    """Without a lexer, the text is still shown."""
    assert highlight("a b\n\nc", "no-such-thing") == ((CodePiece("a b", ""),), (), (CodePiece("c", ""),))


def test_the_same_code_is_lexed_once() -> None:
    """The second call is answered from the cache."""
    assert highlight(PYTHON, "python") is highlight(PYTHON, "python")


def test_very_long_code_is_not_lexed() -> None:
    """Code beyond the limit is plain and complete."""
    code = "x = 1\n" * (MAX_CHARACTERS // 6 + 1)
    rows = highlight(code, "python")
    assert text_of(rows) == code
    assert {piece.kind for row in rows for piece in row} == {""}


@given(st.text(st.sampled_from("ab =#\"'(\n\t é"), max_size=300))
def test_no_character_is_lost(code: str) -> None:
    """Both functions keep the text unchanged."""
    assert text_of(highlight(code, "python")) == code
    assert text_of(highlight_open(code, "python")) == code


def test_open_code_is_lexed_again_at_its_end_only() -> None:
    """One more line of a long program costs the lexing of the last piece; all rows before it come from the cache."""
    function = "def f():\n" + "    x = 1\n" * 30
    before = highlight_open(function * 20, "python")
    after = highlight_open(function * 20 + "    y = 2\n", "python")
    is_cached = [row is other for row, other in zip(before, after, strict=False)]
    assert is_cached.index(False) == 18 * 31


def test_open_code_leaves_the_unfinished_line_plain() -> None:
    """The last line has no colours until it is complete."""
    assert highlight_open("x = 1\nretur", "python")[-1] == (CodePiece("retur", ""),)
