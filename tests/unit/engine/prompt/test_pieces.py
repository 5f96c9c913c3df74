"""Pieces of a long text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.prompt.tokenization import pieces


@given(st.text(), st.integers(1, 20))
def test_the_pieces_are_the_text(text: str, size: int) -> None:
    """Nothing is lost or doubled, and no piece is longer than asked."""
    found = list(pieces(text, size))
    assert "".join(found) == text
    assert all(0 < len(piece) <= size for piece in found)


def test_a_piece_ends_between_words() -> None:
    """A word is cut only if it is longer than the search for a blank."""
    assert list(pieces("alpha beta gamma", 8)) == ["alpha", " beta", " gamma"]
    assert [len(piece) for piece in pieces("x" * 1000, 400)] == [400, 400, 200]
