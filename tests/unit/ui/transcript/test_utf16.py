"""Texts as Qt counts them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.transcript import utf16


@given(st.text(max_size=20), st.text(max_size=20))
def test_places_between_letters_are_found_again(before: str, after: str) -> None:
    """Also behind letters that Qt counts twice."""
    text, place = before + after, utf16.length(before)
    assert utf16.part(text, 0, place) == before
    assert utf16.part(text, place, utf16.length(text)) == after


def test_half_a_letter_is_none() -> None:
    """A place within one cannot be kept."""
    assert utf16.length("a😀") == 3
    assert utf16.part("a😀b", 0, 2) == "a"
