"""Computes whether something fits into memory before it is tried. Pure.

Running out of GPU memory aborts the process and cannot be caught, so work that does not fit must never start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from resources.language.text import tr

_GIB = 1 << 30
_MB, _GB = 10**6, 10**9

Verdict = Literal["now", "wait", "refuse"]

HEADROOM_BYTES = _GIB // 4
"""Left free beside weights and rows: the activations of one prefill chunk, and a row that joins the batch."""

GROWTH_TOKENS = 256
"""Growing caches allocate room for so many tokens at once, if no pass needs more."""

HOT_SHARE = 0.15
HOT_MOST_BYTES = 8 * _GIB


@dataclass(frozen=True, slots=True)
class Footprint:
    """The bytes of a conversation's state: for each token, for each token in a sliding window, and a fixed part.

    `windows` holds (most tokens, bytes for each) pairs. Growing caches have room for a multiple of `growth` tokens.
    """

    token_bytes: int
    windows: tuple[tuple[int, int], ...]
    state_bytes: int
    growth: int = GROWTH_TOKENS


def row_bytes(footprint: Footprint, tokens: int) -> int:
    """The most bytes that a row of `tokens` tokens takes in memory, including room for its next tokens."""
    room = (tokens // footprint.growth + 1) * footprint.growth if tokens else 0
    windows = sum(min(tokens, most) * size for most, size in footprint.windows)
    return footprint.token_bytes * room + windows + footprint.state_bytes


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a row may start: now, when others have ended, or never. All figures in bytes.

    `reclaim` must be evicted from the hot tier before it starts. The figures are those of this machine, and
    `is_elsewhere` says that another one of those that run the model has less free.
    """

    verdict: Verdict
    need: int
    free: int
    reclaim: int = 0
    is_elsewhere: bool = False

    @property
    def words(self) -> str:
        """The figures for people, about a row that waits or is refused."""
        if self.is_elsewhere:
            return tr(
                "Another of the Macs that run the model together has too little memory free for this conversation"
            )
        return tr(
            "This conversation takes {need} of memory, and {free} are free",
            need=in_words(self.need),
            free=in_words(self.free),
        )


def admit(need: int, free: int, held_by_others: int, reclaimable: int) -> Admission:
    """Decide about a row that takes `need` bytes if `free` bytes are free.

    `held_by_others` is free once other rows have ended by themselves; `reclaimable` belongs to the hot tier, which may
    be emptied.
    """
    usable = max(0, free - HEADROOM_BYTES)
    if need <= usable + reclaimable:
        return Admission("now", need, usable, max(0, need - usable))
    verdict: Literal["wait", "refuse"] = "wait" if need <= usable + reclaimable + held_by_others else "refuse"
    return Admission(verdict, need, usable + reclaimable)


LoadOrder = Literal["beside", "after", "never"]


def load_order(weights: int, free: int, held_by_old: int) -> LoadOrder:
    """Whether a model of `weights` bytes can be loaded beside the old one, only after the old one is gone and has
    returned `held_by_old` bytes, or not even then.
    """
    if not load_shortfall(weights, free):
        return "beside"
    return "never" if load_shortfall(weights, free + held_by_old) else "after"


def load_shortfall(weights: int, available: int) -> int:
    """How many bytes are missing to load `weights` bytes if `available` are free; 0 if they fit."""
    return max(0, weights + HEADROOM_BYTES - available)


def hot_budget(total: int) -> int:
    """The bytes for the hot tier on a machine with `total` bytes of memory."""
    return min(HOT_MOST_BYTES, int(total * HOT_SHARE))


def in_words(size: int) -> str:
    """Bytes as people read them: "312 MB", "4.2 GB"."""
    if size < _GB:
        return tr("{size:.0f} MB", size=size / _MB)
    return tr("{size:.1f} GB", size=size / _GB)
