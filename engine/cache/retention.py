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
"""What the user says and what the model says."""

DENSE = (4, 2)
"""How many of the newest turns are kept without a gap, first choice first."""

SHARE = 4
"""One conversation's states may take this part of a tier: 1 / SHARE."""


class StateRole(StrEnum):
    """What a state is for."""

    TURN = "turn"  # where the next turn starts: one a turn
    REPLY = "reply"  # before the newest reply: to say it again without reading its question again
    INNER = "inner"  # inside a long span that was not read to its end


@dataclass(frozen=True, slots=True)
class StateCheckpoint:
    """A state checkpoint: its segment's key and place (see Segment), and its role."""

    key: str
    boundary: int
    role: StateRole


def role(segment: Segment, *, durable: bool) -> StateRole:
    """What the state at the end of `segment` is for; `durable` tells that it is meant to last."""
    if segment.inner:
        return StateRole.INNER
    return StateRole.TURN if durable else StateRole.REPLY


def most_states(tier_bytes: int, state_bytes: int) -> int:
    """How many states of one conversation a tier of `tier_bytes` may hold."""
    return tier_bytes // SHARE // max(state_bytes, 1)


def last_boundary(chain: Sequence[Segment]) -> int:
    """The place of the last boundary of `chain`; -1 if it has none."""
    return next((segment.boundary for segment in reversed(chain) if not segment.inner), -1)


def states_to_keep(states: Collection[StateCheckpoint], last: int, most: int) -> frozenset[str]:
    """The keys of those of a conversation's `states` that are to be kept, where its chain ends at place `last`.

    States beyond `last` belong to a branch that was left and stay, until the chat has grown as long again.
    """
    reply = max((s.boundary for s in states if s.role is StateRole.REPLY), default=-1)
    turn = last // SPANS_A_TURN
    return frozenset(s.key for s in states if _wants(s, last, reply, keeps(s.boundary // SPANS_A_TURN, turn, most)))


def _wants(state: StateCheckpoint, last: int, reply: int, turn_stays: bool) -> bool:  # noqa: FBT001 - a fact, not a switch
    if state.role is StateRole.TURN:
        return turn_stays
    return state.boundary == reply if state.role is StateRole.REPLY else state.boundary > last


def keeps(turn: int, newest: int, most: int) -> bool:
    """Whether turn number `turn` (0: what comes before the first) keeps its state when `newest` is the newest and about
    `most` fit.

    With the first choice of DENSE, some kept turn lies at most twice as far from the newest as any turn is.
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
    """How many turns are dense, and the coarsest level that is still kept, so that at most `most` states are wanted:
    those of the dense turns, half as many for each level, and the one that all chats share.

    What fits only without the coarsest levels gives up the turns that lie farthest back.
    """
    for dense in DENSE:
        levels = _level(newest, dense)
        if 1 + dense + levels * (dense // 2) <= most:
            return dense, levels
    fewest = DENSE[-1]
    return fewest, (most - 1 - fewest) // (fewest // 2)
