"""Portions: which bytes of a record are read at once, and where they belong."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.cache.disk.portions import Part, portions

TARGETS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), max_size=6)


@given(TARGETS, st.integers(1, 50), st.integers(1, 50))
def test_every_byte_is_read_once_in_order(targets: list[tuple[int, int]], size: int, direct: int) -> None:
    """Portions follow each other without gaps, none is too large, and each byte of each row has one place."""
    made = portions(targets, size, direct)
    places = [
        (part.target, row, at)
        for portion in made
        for part in portion.parts
        for row in range(part.first, part.last)
        for at in range(part.begin, part.end)
    ]
    whole = [
        (number, row, at) for number, (rows, long) in enumerate(targets) for row in range(rows) for at in range(long)
    ]
    assert places == whole
    assert [portion.number for portion in made] == list(range(len(made)))
    assert [portion.at for portion in made] == [sum(before.size for before in made[:n]) for n in range(len(made))]
    assert all(0 < portion.size <= size for portion in made)
    assert all(portion.size == sum(part.bytes for part in portion.parts) for portion in made)


@given(TARGETS, TARGETS)
def test_targets_may_be_divided(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    """The portions of later targets follow those of the first ones, in the file and in number."""
    before = portions(first, 30, 5)
    last = before[-1] if before else None
    whole = [*before, *portions(second, 30, 5, last)]
    assert [portion.number for portion in whole] == list(range(len(whole)))
    assert [portion.at for portion in whole] == [sum(one.size for one in whole[:n]) for n in range(len(whole))]
    assert sum(portion.size for portion in whole) == sum(rows * long for rows, long in first + second)


def test_short_rows_are_read_together_and_long_ones_straight_into_place() -> None:
    """Only a portion whose rows are all long enough is read without a copy."""
    short, long = portions([(4, 10), (2, 40)], 80, 20)
    assert (short.parts, short.direct) == ((Part(0, 0, 4, 0, 10),), False)
    assert (long.parts, long.direct) == ((Part(1, 0, 2, 0, 40),), True)


def test_a_row_longer_than_a_portion_is_read_in_parts() -> None:
    """A row never needs more memory than a portion."""
    assert [portion.parts for portion in portions([(1, 25)], 10, 10)] == [
        (Part(0, 0, 1, 0, 10),),
        (Part(0, 0, 1, 10, 20),),
        (Part(0, 0, 1, 20, 25),),
    ]
