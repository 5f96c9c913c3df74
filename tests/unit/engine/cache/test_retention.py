"""The rule that thins old states."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from engine.cache.retention import (
    DENSE,
    SPANS_A_TURN,
    StateCheckpoint,
    StateRole,
    keeps,
    last_boundary,
    most_states,
    sparsest,
    states_to_keep,
)
from engine.cache.segment import STRIDE, cut

PLENTY = 1000
TURNS = st.integers(0, 5000)
ROOM = st.integers(0, 40)


def kept(last: int, room: int = PLENTY) -> list[int]:
    return [turn for turn in range(last + 1) if keeps(turn, last, room)]


def test_what_a_long_chat_keeps() -> None:
    """The start, the last four turns, and older ones at distances that double."""
    assert kept(6) == [0, 2, 3, 4, 5, 6]
    assert kept(40) == [0, 16, 24, 28, 32, 34, 36, 37, 38, 39, 40]
    assert kept(40, 9) == [0, 16, 32, 36, 38, 39, 40]
    assert kept(40, 4) == [0, 38, 39, 40]
    assert kept(40, 2) == kept(40, 0) == [0, 40]


@given(TURNS, TURNS, st.integers(1, 500), ROOM)
@example(3, 4, 1, 7)
def test_what_was_dropped_is_never_wanted_again(turn: int, last: int, more: int, room: int) -> None:
    """Thinning is monotone: as a chat grows, a turn only ever changes from kept to dropped, whatever the room."""
    if turn <= last and not keeps(turn, last, room):
        assert not keeps(turn, last + more, room)


@given(st.integers(1, 600), ROOM)
def test_thinning_turn_by_turn_is_thinning_at_once(last: int, room: int) -> None:
    """The rule never wants a state of a long chat that it dropped when the chat was shorter."""
    left: set[int] = set()
    for now in range(last + 1):
        left = {turn for turn in {*left, now} if keeps(turn, now, room)}
    assert left == set(kept(last, room))


@given(st.integers(0, 3000), st.data())
def test_no_turn_is_far_from_a_kept_one(last: int, data: st.DataObject) -> None:
    """Going back to a turn costs at most as many further turns as it lies back. The last four cost none."""
    turn = data.draw(st.integers(0, last))
    nearest = next(t for t in range(turn, -1, -1) if keeps(t, last, PLENTY))
    assert last - nearest <= 2 * (last - turn)
    assert last - turn >= 4 or nearest == turn


@given(st.integers(0, 100_000), st.integers(2, 40))
def test_the_room_is_enough(last: int, room: int) -> None:
    """There are never more states than fit, except the start and the newest. With ample room their number is
    logarithmic.
    """
    near = range(max(0, last - 2000), last + 1)
    counted = [0, *(turn for turn in near if turn and keeps(turn, last, room))]
    assert len(counted) <= room
    assert len([t for t in near if keeps(t, last, PLENTY)]) <= 5 + 2 * last.bit_length()
    assert keeps(0, last, room)
    assert keeps(last, last, room)


@given(TURNS, TURNS, ROOM)
def test_more_room_keeps_no_less(turn: int, last: int, room: int) -> None:
    """A larger budget never costs a checkpoint that a smaller one would have kept."""
    assert keeps(turn, last, room + 1) >= keeps(turn, last, room)


def test_a_state_is_a_fixed_part_of_a_tier() -> None:
    """One conversation takes a quarter at most. A state of zero bytes causes no division by zero."""
    assert most_states(8_000, 500) == 4
    assert most_states(8_000, 0) == 2_000


def states(*of: tuple[str, int, StateRole]) -> list[StateCheckpoint]:
    return [StateCheckpoint(*one) for one in of]


def test_only_the_newest_state_before_a_reply_is_wanted() -> None:
    """The newest reply can be regenerated from the state before it; older ones from the end of the turn before them."""
    held = states(
        ("s", 0, StateRole.TURN), ("q1", 1, StateRole.REPLY), ("a1", 2, StateRole.TURN), ("q2", 3, StateRole.REPLY)
    )
    assert states_to_keep(held, 4, PLENTY) == {"s", "a1", "q2"}


def test_an_inner_state_is_wanted_until_its_span_is_read() -> None:
    """A cancelled prefill can resume at its last inner state, until something after it is kept."""
    held = states(("a1", 2, StateRole.TURN), ("half", 3, StateRole.INNER))
    assert states_to_keep(held, 2, PLENTY) == {"a1", "half"}
    assert states_to_keep(held, 3, PLENTY) == states_to_keep(held, 4, PLENTY) == {"a1"}


def test_a_longer_branch_that_was_left_stays_until_the_chat_is_as_long() -> None:
    """An edit far back keeps the branch that it abandons, because the user may return to it."""
    held = [StateCheckpoint(f"a{turn}", 2 * turn, StateRole.TURN) for turn in range(1, 21)]
    assert {"a5", "a20"} <= states_to_keep(held, 10, PLENTY)
    assert "a5" not in states_to_keep(held, 18, PLENTY)
    assert states_to_keep(held, 40, PLENTY) == {f"a{turn}" for turn in range(1, 21) if keeps(turn, 20, PLENTY)}


def test_a_chain_ends_at_its_last_boundary() -> None:
    """Pieces of an incomplete span do not count."""
    chain = cut("model", range(3 * STRIDE), [10, 20, 2 * STRIDE])
    assert last_boundary(chain) == 2
    assert last_boundary(chain[:3]) == 1
    assert last_boundary([]) == -1


def kept_when_full(last: int) -> list[int]:
    """The turns whose state a full store keeps, if every turn ends with a state."""
    depths = [SPANS_A_TURN * turn for turn in range(last + 1)]
    return [depth // SPANS_A_TURN for depth in sorted(sparsest(depths, depths[-1]))]


@given(st.integers(0, 300))
def test_a_full_store_keeps_the_newest_turns_and_others_at_doubling_distances(last: int) -> None:
    """It keeps the first turn, the last ones without a gap, and about one for each doubling of the distance. From any
    turn back, the next kept one is at most about three times as far away.
    """
    kept = kept_when_full(last)
    assert kept[0] == 0
    assert set(range(max(0, last - DENSE[-1] + 1), last + 1)) <= set(kept)
    assert len(kept) <= 2 + DENSE[-1] + 2 * last.bit_length()
    for turn in range(last + 1):
        before = max(number for number in kept if number <= turn)
        assert last - before <= 3 * (last - turn) + 1


@given(st.integers(0, 300), st.integers(1, 40))
def test_thinning_a_full_store_in_steps_is_thinning_at_once(last: int, later: int) -> None:
    """A turn that keeps its checkpoint in a longer chain kept it in the shorter one."""
    assert {turn for turn in kept_when_full(last + later) if turn <= last} <= set(kept_when_full(last))


@given(st.integers(1, 300))
def test_a_full_store_keeps_no_state_that_the_rule_would_drop(last: int) -> None:
    """With room for all its distances, the rule keeps every turn that eviction keeps."""
    assert set(kept_when_full(last)) <= set(kept(last))


def test_a_full_store_keeps_one_state_a_turn() -> None:
    """Of two states in one turn only the later one stays."""
    assert sparsest([0, 1, 2, 3, 4, 5], 5) == {1, 3, 5}
    assert sparsest([], 7) == set()
