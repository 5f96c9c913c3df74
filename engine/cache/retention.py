"""The retention rule: which recurrent-state checkpoints of a conversation are worth their space. Pure.

A state is large, of fixed size, and cannot be trimmed, so a chat cannot keep one for every turn. The newest state and
the shared prefix's state stay; the last few turns stay dense; older turns stay at distances that double.

Invariants:
- Whether a turn stays depends only on its number, its distance from the newest turn, and the room.
- The rule only gets stricter as the distance grows: it never wants a state back that it has dropped.
- `sparsest`, the policy for eviction, keeps a subset of what `states_to_keep` keeps with ample room.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from engine.cache.segment import Segment

SPANS_A_TURN = 2
"""Segments a turn: the user's message and the model's reply."""

DENSE = (4, 2)
"""How many of the newest turns stay without a gap, first choice first."""

SHARE = 4
"""One conversation's states may take 1 / SHARE of a tier."""


class StateRole(StrEnum):
    """The purpose of a state."""

    TURN = "turn"  # where the next turn starts: one a turn
    REPLY = "reply"  # before the newest reply: to regenerate it without another prefill of its question
    INNER = "inner"  # inside a long span whose prefill was cancelled


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


def last_boundary(chain: Sequence[Segment]) -> int:
    """The boundary number at which `chain` ends; -1 if it has no boundary."""
    return next((segment.boundary for segment in reversed(chain) if not segment.inner), -1)


def states_to_keep(states: Collection[StateCheckpoint], last: int, most: int) -> frozenset[str]:
    """The keys of the `states` to keep of a conversation whose chain ends at boundary `last`.

    States beyond `last` belong to an abandoned branch. They stay until the chat is as long again.
    """
    reply = max((s.boundary for s in states if s.role is StateRole.REPLY), default=-1)
    turn = last // SPANS_A_TURN
    return frozenset(s.key for s in states if _wants(s, last, reply, keeps(s.boundary // SPANS_A_TURN, turn, most)))


def _wants(state: StateCheckpoint, last: int, reply: int, turn_stays: bool) -> bool:  # noqa: FBT001 - a fact, not a switch
    if state.role is StateRole.TURN:
        return turn_stays
    return state.boundary == reply if state.role is StateRole.REPLY else state.boundary > last


def keeps(turn: int, newest: int, most: int) -> bool:
    """Whether turn `turn` keeps its state if `newest` is the newest turn and about `most` states fit.

    Turn 0 is what comes before the first turn. With the first choice of DENSE, some kept turn lies at most twice as far
    from the newest turn as any given turn does.
    """
    if turn <= 0 or turn >= newest:
        return True
    dense, reach = _fitting(newest, most)
    return _level(newest - turn, dense) <= reach and _is_spaced(turn, newest, dense)


def sparsest(depths: Sequence[int], last: int) -> Collection[int]:
    """The store's retention policy when its quota is reached: the rule at its strictest, over whole chains.

    Takes the depths of a chain's checkpoints, in segments from its root and ascending, and the depth `last` of its end.
    Keeps the last checkpoint of a turn, if the turn is among the newest or lies at one of the doubling distances.
    """
    by_turn = {depth // SPANS_A_TURN: depth for depth in depths}
    newest = last // SPANS_A_TURN
    return {depth for turn, depth in by_turn.items() if _is_spaced(turn, newest, DENSE[-1])}


def _is_spaced(turn: int, newest: int, dense: int) -> bool:
    """Whether the turn is one of every 2 ** level at its distance."""
    return turn % (1 << _level(newest - turn, dense)) == 0


def _level(distance: int, dense: int) -> int:
    """How coarse the rule is at a distance: every 2 ** level-th turn stays."""
    return (distance // dense).bit_length()


def _fitting(newest: int, most: int) -> tuple[int, int]:
    """The number of dense turns and the coarsest level kept, so that at most `most` states are wanted.

    The dense turns count one state each, every level half as many, and the shared prefix one. If only fewer levels fit,
    the turns that lie farthest back lose their states.
    """
    for dense in DENSE:
        levels = _level(newest, dense)
        if 1 + dense + levels * (dense // 2) <= most:
            return dense, levels
    fewest = DENSE[-1]
    return fewest, (most - 1 - fewest) // (fewest // 2)
