"""The widths of a table's columns."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.transcript.column_widths import TextWidth, column_widths

SIDE, ROOM = 16.0, 740.0
SHORT, LONG = TextWidth(40, 60), TextWidth(80, 3_000)

COLUMNS = st.lists(
    st.tuples(st.floats(0, 240), st.floats(0, 4_000)).map(lambda both: TextWidth(both[0], max(both))),
    min_size=1,
    max_size=20,
)


def widths(*columns: TextWidth, widest: float = inf) -> tuple[int, ...]:
    return column_widths(columns, ROOM, widest, SIDE)


def test_short_cells_fill_the_room() -> None:
    """Each column gets more, in proportion."""
    made = widths(SHORT, SHORT, TextWidth(100, 120))
    assert sum(made) == ROOM
    assert made[0] == pytest.approx(made[1], abs=1)
    assert made[2] > made[0]


def test_long_cells_wrap_beside_short_ones() -> None:
    """The short column keeps its line, and the long one gets the rest."""
    short, long = widths(SHORT, LONG)
    assert short + long == ROOM
    assert 60 + SIDE <= short < 100


def test_many_columns_are_wider_than_the_room() -> None:
    """No word breaks, and a long text gets a readable width."""
    made = widths(*[TextWidth(90, 100)] * 10, LONG)
    assert sum(made) > ROOM
    assert all(width >= 100 + SIDE for width in made[:10])
    assert made[10] > 200


def test_paper_is_never_exceeded() -> None:
    """Words break if they must."""
    assert sum(widths(*[TextWidth(90, 100)] * 12, widest=ROOM)) == ROOM


@given(COLUMNS)
def test_no_word_breaks_on_the_screen(columns: list[TextWidth]) -> None:
    """A table fills its room or is wider."""
    made = widths(*columns)
    assert sum(made) >= ROOM - 1
    assert all(width + 1 >= column.word + SIDE for width, column in zip(made, columns, strict=True))


@given(COLUMNS, st.integers(0, 19))
def test_a_cell_that_grows_moves_the_table_by_little(columns: list[TextWidth], at: int) -> None:
    """Sixteen pixels of text change no width by more than a few times as much."""
    at %= len(columns)
    grown = [*columns[:at], TextWidth(columns[at].word, columns[at].line + 16), *columns[at + 1 :]]
    moved = (abs(one - other) for one, other in zip(widths(*columns), widths(*grown), strict=True))
    assert max(moved) <= ROOM / len(columns)


def test_a_growing_line_of_a_cell_changes_nothing_within_a_step() -> None:
    """The rows of a table are not laid out again at each letter."""
    assert widths(TextWidth(40, 81), LONG) == widths(TextWidth(40, 95), LONG)


def test_larger_letters_get_wider_columns() -> None:
    """A long text wraps after as many words as before."""
    columns = [TextWidth(80, 700)] * 9
    larger = [TextWidth(120, 1_050)] * 9
    before, after = widths(*columns), column_widths(larger, ROOM, inf, SIDE, zoom=1.5)
    assert sum(after) == pytest.approx(1.5 * sum(before), rel=0.05)
