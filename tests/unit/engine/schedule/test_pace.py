"""The pace: how much other work fits between two steps of the decode batch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.schedule.pace import MOST_TURNS, Pace

STEP = 1.0


def measured(times: list[float]) -> Pace:
    """A pace after ordinary turns of these lengths."""
    pace, now = Pace(), 0.0
    pace.end_turn(now, ordinary=False)
    for length in times:
        now += length
        pace.end_turn(now, ordinary=True)
    pace.end_turn(0.0, ordinary=False)
    return pace


def turns(pace: Pace, portions: list[float], messages: list[float]) -> list[float]:
    """The lengths of the turns in which a piece of work of these portions is done, as the loop does it. Each turn
    begins with messages and a step.
    """
    left, lengths = list(portions), []
    began = now = 0.0
    while left:
        now += (messages.pop(0) if messages else 0.0) + STEP
        while True:
            now += left.pop(0)
            if not left or not pace.has_time(now):
                break
        pace.end_turn(now, ordinary=False)
        lengths.append(now - began)
        began = now
    return lengths


def test_nothing_has_time_before_a_turn_was_measured() -> None:
    """Until then each turn does one portion."""
    pace = Pace()
    assert not pace.has_time(0.0)
    assert len(turns(pace, [0.1] * 3, [])) == 3


def test_one_slow_turn_changes_nothing() -> None:
    """The median of the last ordinary turns counts, and a turn with other work is none."""
    pace = measured([STEP, STEP, 50.0, STEP, STEP])
    assert pace.ordinary == STEP
    pace.end_turn(100.0, ordinary=False)
    assert pace.ordinary == STEP


@given(st.lists(st.floats(0.001, STEP / 2), min_size=1, max_size=200))
def test_rows_wait_two_ordinary_turns_at_most(portions: list[float]) -> None:
    """If no portion takes longer than half an ordinary turn, no turn takes longer than two, and all work is done."""
    lengths = turns(measured([STEP] * 5), portions, [])
    assert max(lengths) <= 2 * STEP + 1e-9
    assert sum(lengths) >= sum(portions)


@given(st.lists(st.floats(0.001, 5 * STEP), min_size=1, max_size=50), st.lists(st.floats(0, 5 * STEP), max_size=50))
def test_no_work_starves(portions: list[float], messages: list[float]) -> None:
    """Each turn does a portion, however long messages and portions take. A turn that is late does no second one."""
    pace = measured([STEP] * 5)
    lengths = turns(pace, portions, list(messages))
    assert len(lengths) <= len(portions)
    longest = max([*messages, 0.0]) + MOST_TURNS * STEP + STEP + max(portions)
    assert max(lengths) <= longest


@given(st.floats(0.01, STEP / 2))
def test_a_turn_is_used(portion: float) -> None:
    """Small portions fill a turn and a half: a restoration is not spread over more turns than necessary."""
    lengths = turns(measured([STEP] * 5), [portion] * 100, [])
    assert all(length >= MOST_TURNS * STEP - 1e-9 for length in lengths[:-1])
