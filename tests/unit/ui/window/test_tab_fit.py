from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.window.tab_strip import fitting


@given(st.lists(st.integers(20, 200), max_size=20), st.integers(0, 1500), st.integers(0, 25), st.integers(0, 25))
def test_the_current_tab_is_shown_and_no_room_is_wasted(widths: list[int], room: int, current: int, first: int) -> None:
    """The tabs shown fit, unless the current one alone does not, and no neighbour would fit beside them."""
    shown = fitting(widths, room, current, first)
    if not widths:
        assert len(shown) == 0
        return
    assert min(current, len(widths) - 1) in shown
    taken = sum(widths[place] for place in shown)
    assert taken <= room or len(shown) == 1
    beside = [place for place in (shown.start - 1, shown.stop) if 0 <= place < len(widths)]
    assert all(taken + widths[place] > room for place in beside)


def test_the_row_does_not_jump_while_the_user_turns_through_visible_tabs() -> None:
    """The first tab shown stays the first as long as the current one is among those that fit beside it."""
    widths = [100] * 10
    assert [fitting(widths, 350, current, 2) for current in (2, 3, 4)] == [range(2, 5)] * 3
    assert fitting(widths, 350, 5, 2) == range(3, 6)
    assert fitting(widths, 350, 1, 2) == range(1, 4)
