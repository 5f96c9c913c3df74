"""The retention rule: which recurrent-state checkpoints of a conversation are worth their space. Pure.

A state is large, of fixed size, and cannot be trimmed, so a chat cannot keep one for every turn. The first state (that
of the shared prefix) and the last two stay. If the others are too many, the rule drops the one whose loss costs least:
what is left lies at distances from the end that about double.

Invariants:
- The rule chooses among the states that are left, so it never wants a state back that it has dropped.
- It drops states in one order, so a stricter limit keeps a subset of what a looser one keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.cache.segment import Segment

SPANS_A_TURN = 2
"""Segments a turn: the user's message and the model's reply."""

RECENT = 4
"""The number of newest turns that a user is likely to edit or to have answered again."""

SHARE = 4
"""One conversation's states may take 1 / SHARE of a tier."""

MOST = 8
"""The most states that a conversation keeps on disk, unless together they take less than MOST_BYTES; see LEFT, too."""

MOST_BYTES = 1 << 28
"""States of up to 16 MB are not limited by MOST: sixteen of them fit, and a chat of 200 turns wants no more."""

LEFT = 3
"""The most states of branches that the user has just left, beyond any limit: the other answers to a question."""

_FEWEST = 3
"""The first state and the last two stay, however large they are."""


class StateRole(StrEnum):
    """The purpose of a state."""

    TURN = "turn"  # where the next turn starts: one a turn
    REPLY = "reply"  # before the newest reply: to regenerate it without another prefill of its question
    INNER = "inner"  # inside a long span whose prefill was cancelled, or where a reply was stopped that went on


@dataclass(frozen=True, slots=True)
class StateCheckpoint:
    """A state checkpoint: its segment's key and boundary (see Segment), and its role."""

    key: str
    boundary: int
    role: StateRole


def role(segment: Segment, *, durable: bool) -> StateRole:
    """The role of the state at the end of `segment`. A `durable` state goes to disk."""
    if segment.inner:
        return StateRole.INNER
    return StateRole.TURN if durable else StateRole.REPLY


def most_states(tier_bytes: int, state_bytes: int) -> int:
    """How many states one conversation may have in a tier of `tier_bytes`."""
    return tier_bytes // SHARE // max(state_bytes, 1)


def most_on_disk(quota_bytes: int, state_bytes: int) -> int:
    """How many states one conversation may have on a disk of `quota_bytes`."""
    return min(most_states(quota_bytes, state_bytes), max(MOST, MOST_BYTES // max(state_bytes, 1)))


def last_boundary(chain: Sequence[Segment]) -> int:
    """The boundary number at which `chain` ends; -1 if it has no boundary."""
    return next((segment.boundary for segment in reversed(chain) if not segment.inner), -1)


def states_to_keep(states: Sequence[StateCheckpoint], last: int, most: int) -> frozenset[str]:
    """The keys of the states to keep of a chain that ends at boundary `last`: `most` of them, and one before a reply.

    `states` are those of the chain, in its order. Of the states before replies only the newest is wanted, and of those
    inside a span the last one, until the span is complete.
    """
    turns = [state for state in states if state.role is StateRole.TURN]
    inner = [state for state in states if state.role is StateRole.INNER and state.boundary > last]
    replies = [state for state in states if state.role is StateRole.REPLY]
    wanted = [*turns, *inner[-1:]]
    kept = _spaced([state.boundary for state in wanted], last, most)
    return frozenset(state.key for state in [*(wanted[at] for at in kept), *replies[-1:]])


def states_to_keep_on_disk(
    states: Sequence[StateCheckpoint], left: Sequence[StateCheckpoint], last: int, most: int
) -> frozenset[str]:
    """The states that `states_to_keep` keeps, but no more than a chain of that length deserves, and some states of
    other branches.

    `left` are the states of the branches that the user has left, the most recently used first. As many of them stay as
    there is room, and a few of the newest turns without room.
    """
    kept = states_to_keep(states, last, min(most, _deserved(last)))
    room, newest = most - len(kept), last - RECENT * SPANS_A_TURN
    return kept | {s.key for at, s in enumerate(left) if at < room or (at < LEFT and s.boundary > newest)}


def _deserved(last: int) -> int:
    """The number of states that a chain deserves that ends at `last`, if there is room for all of them: RECENT ones,
    and half as many for each time that its length doubles beyond them.
    """
    return RECENT + RECENT // 2 * (last // SPANS_A_TURN // RECENT).bit_length()


def _spaced(places: Sequence[int], last: int, most: int) -> list[int]:
    """The indexes of the `most` of these `places` that are the most useful to return to from `last`, ascending."""
    end = max([last, *places])
    kept = list(range(len(places)))
    costs = [_cost(end - before, end - after) for before, after in zip(places, places[2:-1], strict=False)]
    while len(kept) > max(most, _FEWEST):
        at = costs.index(min(costs)) + 1
        del kept[at], costs[at - 1]
        for gap in range(max(at - 2, 0), min(at, len(costs))):
            costs[gap] = _cost(end - places[kept[gap]], end - places[kept[gap + 2]])
    return kept


def _cost(before: int, after: int) -> float:
    """The cost of a gap between two places at these distances from the end: by which factor the way back grows if the
    user wants the turn before the nearer place.
    """
    return before / (after + SPANS_A_TURN)
