from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storage.library.search import neighbours


def test_one_error_of_each_kind() -> None:
    """One letter less, more or other, and two that are swapped. Letters of other scripts come from the word."""
    assert {"lisbn", "liisbon", "lisbom", "lisobn"} <= neighbours("lisbon")
    assert "lisbon" not in neighbours("lisbon")
    assert "könig" in neighbours("könög") | neighbours("köig")


@given(st.text("abcdeäß", min_size=1, max_size=12), st.data())
def test_a_swapped_word_is_a_neighbour_of_the_right_one(word: str, data: st.DataObject) -> None:
    """A typing error is found from either side."""
    at = data.draw(st.integers(0, len(word) - 1))
    lost = word[:at] + word[at + 1 :]
    assert lost == word or lost in neighbours(word)
