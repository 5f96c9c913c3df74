"""Texts in UTF-16 units."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.transcript import utf16


@given(st.text(max_size=20), st.text(max_size=20))
def test_parts_between_characters_are_exact(before: str, after: str) -> None:
    """This holds after characters that take two units."""
    text, place = before + after, utf16.length(before)
    assert utf16.part(text, 0, place) == before
    assert utf16.part(text, place, utf16.length(text)) == after


def test_half_a_character_is_dropped() -> None:
    """A part that starts or ends inside a character leaves that character out."""
    assert utf16.length("a😀") == 3
    assert utf16.part("a😀b", 0, 2) == "a"
