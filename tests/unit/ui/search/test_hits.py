from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.search.matching import Hits, Place

HITS = Hits((("a", 2), ("b", 1), ("c", 3)))


def test_positions_count_through_the_conversation() -> None:
    """The bar says "3 of 6" for the only hit of the second message."""
    assert HITS.total == 6
    assert HITS.position(Place("b", 0)) == 3
    assert HITS.at(3) == Place("b", 0)


def test_steps_go_around_the_ends() -> None:
    """Next after the last hit is the first one, and previous before the first is the last."""
    assert HITS.at(7) == Place("a", 0)
    assert HITS.at(0) == Place("c", 2)


def test_nothing_found_has_no_places() -> None:
    """Without hits there is nowhere to go, and a hit that is gone has no position."""
    assert Hits().at(1) is None
    assert HITS.position(Place("gone", 0)) == 0


def test_a_message_that_lost_hits_keeps_a_position() -> None:
    """If an answer is rewritten with fewer hits, the last of them is the current one."""
    assert HITS.position(Place("a", 9)) == 2


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(-9, 30))
def test_position_is_the_inverse_of_at(counts: list[int], position: int) -> None:
    """Stepping never loses its place."""
    hits = Hits(tuple((str(number), count) for number, count in enumerate(counts)))
    place = hits.at(position)
    assert place is not None
    assert (hits.position(place) - position) % hits.total == 0
