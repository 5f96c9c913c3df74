"""The rule that thins old states."""

from __future__ import annotations

from itertools import pairwise
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.retention import (
    LEFT,
    MOST,
    RECENT,
    SPANS_A_TURN,
    StateCheckpoint,
    StateRole,
    most_on_disk,
    states_to_keep,
    states_to_keep_on_disk,
)

PLENTY = 1000
LARGE, SMALL = 78_000_000, 200_000
ROOM = st.integers(0, 40)
TURNS = st.lists(st.integers(0, 300), unique=True).map(sorted)


def state(turn: int, branch: str = "") -> StateCheckpoint:
    return StateCheckpoint(f"{branch}{turn}", SPANS_A_TURN * turn, StateRole.TURN)


def kept(turns: list[int], most: int, newest: int = 0) -> list[int]:
    """Which of these turns keep their states."""
    found = states_to_keep([state(turn) for turn in turns], SPANS_A_TURN * max([newest, *turns]), most)
    return [turn for turn in turns if str(turn) in found]


def after(turns: int, most: int) -> list[list[int]]:
    """The turns whose states a chat keeps on disk, after each turn."""
    left, told = [0], []
    for turn in range(1, turns + 1):
        here = [state(one) for one in [*left, turn]]
        found = states_to_keep_on_disk(here, (), here[-1].boundary, most)
        left = [one for one in [*left, turn] if str(one) in found]
        told.append(left)
    return told


def detour(turns: list[int]) -> float:
    """The factor by which the way back to a turn grows at worst, because the next kept state lies before it."""
    back = [turns[-1] - turn for turn in turns]
    return max((far / (near + 1) for far, near in pairwise(back)), default=1.0)


def test_large_states_stay_few_and_useful() -> None:
    """For 200 turns there are never more than eight. The newest turn and the one before it are among them. To go back
    any number of turns costs at most about twice as many in the first 60 turns, and about three times later.
    """
    told = after(200, MOST)
    assert max(len(turns) for turns in told) == MOST
    assert all(turns[-2:] == [number - 1, number] and turns[0] == 0 for number, turns in enumerate(told, 1))
    assert max(detour(turns) for turns in told[:60]) < 2.2
    assert max(detour(turns) for turns in told) < 3.4
    assert mean(detour(turns) for turns in told) < 2.3


def test_small_states_stay_denser_but_grow_with_the_logarithm() -> None:
    """As if two for each doubling of the distance stayed: going back costs at most twice as many turns."""
    told = after(1000, most_on_disk(1 << 40, SMALL))
    assert (len(told[29]), len(told[199]), len(told[999])) == (10, 16, 20)
    assert max(detour(turns) for turns in told[2:]) <= 2.0


@given(TURNS, ROOM)
def test_a_state_leaves_only_for_want_of_room(turns: list[int], room: int) -> None:
    """There are never more states than fit, except the first and the last two, which always stay. A larger budget never
    costs a checkpoint that a smaller one would have kept. A state that is kept stays until the chat grows.
    """
    found = kept(turns, room)
    assert len(found) == min(len(turns), max(room, 3))
    assert {*turns[:1], *turns[-2:]} <= {*found} <= {*kept(turns, room + 1)}
    assert kept(found, room, newest=max(turns, default=0)) == found


@given(TURNS, st.integers(3, 40))
def test_no_other_state_costs_less_to_lose(turns: list[int], room: int) -> None:
    """Of one state too many, the rule drops the one after whose loss the worst way back is the shortest possible."""
    left = kept(turns, room)
    fewer = kept(left, room - 1, newest=max(turns, default=0))
    for gone in left[1:-2]:
        other = [turn for turn in left if turn != gone]
        assert len(fewer) == len(left) or detour(fewer) <= max(detour(other), detour(left))


def test_only_small_states_are_many_on_disk() -> None:
    """A conversation keeps eight states, or 256 MB of them; never more than a quarter of the quota."""
    assert most_on_disk(1 << 40, LARGE) == most_on_disk(1 << 40, 1 << 30) == MOST == 8
    assert most_on_disk(1 << 40, 1 << 24) == 16
    assert most_on_disk(16 * LARGE, LARGE) == 4
    assert most_on_disk(1 << 40, 0) == 1 << 28


def states(*of: tuple[str, int, StateRole]) -> list[StateCheckpoint]:
    return [StateCheckpoint(*one) for one in of]


def test_an_inner_state_is_wanted_until_its_span_is_read() -> None:
    """A cancelled prefill can resume at its last inner state, until something after it is kept."""
    held = states(("a1", 2, StateRole.TURN), ("some", 3, StateRole.INNER), ("more", 3, StateRole.INNER))
    assert states_to_keep(held, 2, PLENTY) == {"a1", "more"}
    assert states_to_keep(held, 3, PLENTY) == states_to_keep(held, 4, PLENTY) == {"a1"}


def test_a_longer_branch_that_was_left_stays_as_there_is_room() -> None:
    """An edit far back keeps the branch that it abandons, because the user may return to it: the states used last."""
    here, left = [state(turn) for turn in range(11)], [state(turn, "old") for turn in range(20, 10, -1)]
    assert {one.key for one in left} < states_to_keep_on_disk(here, left, 20, PLENTY)
    found = states_to_keep_on_disk(here, left, 20, MOST)
    assert {one.key for one in left[:LEFT]} == {key for key in found if key.startswith("old")}
    assert len(found) == MOST + LEFT


def test_a_branch_that_was_left_long_ago_takes_no_room_of_its_own() -> None:
    """Once the chat has grown by four turns beyond it, the conversation is back at its limit."""
    here, old = [state(turn) for turn in range(1, 20)], [state(19 - RECENT, "old"), state(20 - RECENT, "new")]
    found = states_to_keep_on_disk(here, old, here[-1].boundary, MOST)
    assert len(found) == MOST + 1
    assert {key for key in found if not key.isdecimal()} == {f"new{20 - RECENT}"}


BRANCHY = st.lists(st.integers(0, 12), min_size=1, max_size=60)
"""For each turn, how many turns the user goes back before it."""


@pytest.mark.parametrize("most", [MOST, 16])
@given(BRANCHY)
def test_branches_cost_a_fixed_number_of_states(most: int, story: list[int]) -> None:
    """However often the user goes back: the limit, and as many as the other answers to a question. Branches never take
    the place of the states that the chat in use needs next.
    """
    chain: list[StateCheckpoint] = [state(0)]
    stored = [*chain]
    for number, back in enumerate(story):
        chain = [*chain[: max(1, len(chain) - back)]]
        chain.append(StateCheckpoint(f"n{number}", SPANS_A_TURN * len(chain), StateRole.TURN))
        stored.insert(0, chain[-1])
        here, left = [one for one in chain if one in stored], [one for one in stored if one not in chain]
        found = states_to_keep_on_disk(here, left, chain[-1].boundary, most)
        assert len(found) <= most + LEFT
        assert {one.key for one in [here[0], *here[-2:]]} <= found
        stored = [one for one in stored if one.key in found]
