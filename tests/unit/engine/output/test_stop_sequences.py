"""A text ends before its first stop sequence, however it is divided."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.output.stop_sequences import StopSequences

LETTERS = st.text("ab\n", max_size=30)
STOPS = st.lists(st.text("ab\n", max_size=5), max_size=4)


def pieces(text: str, cuts: list[int]) -> list[str]:
    borders = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    return [text[a:b] for a, b in pairwise(borders)]


@given(LETTERS, STOPS, st.lists(st.integers(0, 30)))
def test_what_is_shown_ends_before_the_first_stop_sequence(text: str, stops: list[str], cuts: list[int]) -> None:
    """However a text is split, exactly the text before the first stop sequence is shown, even if a later one is
    complete earlier. An empty sequence ends nothing.
    """
    shown = StopSequences(stops)
    shown_text = "".join(shown.add(piece) for piece in pieces(text, cuts)) + shown.finish()
    first = min((at for stop in stops if stop and (at := text.find(stop)) >= 0), default=None)
    assert shown_text == text[:first]
    assert shown.stopped == (first is not None)


@given(LETTERS, STOPS, st.lists(st.integers(0, 30)))
def test_no_more_is_held_back_than_may_become_a_stop_sequence(text: str, stops: list[str], cuts: list[int]) -> None:
    """Until the end is certain, only the beginning of a stop sequence is held back."""
    shown, come, shown_text = StopSequences(stops), "", ""
    for piece in pieces(text, cuts):
        come, shown_text = come + piece, shown_text + shown.add(piece)
        held = come[len(shown_text) :]
        assert shown.stopped or not held or any(stop.startswith(held) and stop != held for stop in stops)
