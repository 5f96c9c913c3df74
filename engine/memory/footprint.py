"""Memory: whether something fits before it is tried. Owns the arithmetic, not the measuring or refusing.

Running out of GPU memory aborts the process and cannot be caught, so what does not fit must never be started. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

_GIB = 1 << 30
_MB, _GB = 10**6, 10**9

HEADROOM_BYTES = _GIB // 4
"""Left free beside weights and beside rows: the activations of one prefill chunk, and a row's joining its company."""

GROWTH_TOKENS = 256
"""Growing caches take room for so many tokens at once."""

HOT_SHARE = 0.15
HOT_MOST_BYTES = 8 * _GIB


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a conversation's state takes: bytes for each of its tokens, of sliding layers (tokens at most, bytes for
    each of them), and bytes whatever its length.
    """

    token_bytes: int
    windows: tuple[tuple[int, int], ...]
    state_bytes: int

    @property
    def window_bytes(self) -> int:
        """Of all windows, full."""
        return sum(most * size for most, size in self.windows)


def row_bytes(footprint: Footprint, tokens: int) -> int:
    """The bytes that a row of `tokens` tokens takes in memory, the room for its next ones included."""
    room = (tokens // GROWTH_TOKENS + 1) * GROWTH_TOKENS if tokens else 0
    windows = sum(min(tokens, most) * size for most, size in footprint.windows)
    return footprint.token_bytes * room + windows + footprint.state_bytes


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a row may be started: now, when others have ended, or never. All figures in bytes.

    `reclaim` is what must be given up before it starts (of what is only kept to save time).
    """

    verdict: Literal["now", "wait", "refuse"]
    need: int
    free: int
    reclaim: int = 0

    @property
    def words(self) -> str:
        """The figures, for people; for a row that waits or is refused."""
        return f"This conversation takes {in_words(self.need)} of memory, and {in_words(self.free)} are free"


def admit(need: int, free: int, held_by_others: int, reclaimable: int) -> Admission:
    """Decide about a row that takes `need` bytes where `free` are free.

    `held_by_others` is held by rows that will end by themselves; `reclaimable` by the hot tier, which may be emptied.
    """
    usable = max(0, free - HEADROOM_BYTES)
    if need <= usable + reclaimable:
        return Admission("now", need, usable, max(0, need - usable))
    verdict: Literal["wait", "refuse"] = "wait" if need <= usable + reclaimable + held_by_others else "refuse"
    return Admission(verdict, need, usable + reclaimable)


LoadOrder = Literal["beside", "after", "never"]


def load_order(weights: int, free: int, held_by_old: int) -> LoadOrder:
    """Whether a model of `weights` bytes can be loaded while the old one is still there, only after it has gone and
    given `held_by_old` bytes back, or not even then.
    """
    if not load_shortfall(weights, free):
        return "beside"
    return "never" if load_shortfall(weights, free + held_by_old) else "after"


def free_of(available: int, device: Mapping[str, str | int], active: int, reusable: int) -> int:
    """The bytes that may still be taken on a machine of which `available` are free.

    `device` describes it in MLX's words, `active` is what MLX's arrays take, `reusable` what MLX has freed but kept.
    A Mac's GPU shares the machine's memory but may only take a part of it; a card has its own.
    """
    free = int(device.get("free_memory", available)) + reusable
    limit = device.get("max_recommended_working_set_size")
    return free if limit is None else max(0, min(free, int(limit) - active))


def load_shortfall(weights: int, available: int) -> int:
    """How many bytes are missing to load `weights` bytes where `available` are free; 0 if they fit."""
    return max(0, weights + HEADROOM_BYTES - available)


def hot_budget(total: int) -> int:
    """The bytes that restored and finished conversations may keep in memory, on a machine with `total` bytes."""
    return min(HOT_MOST_BYTES, int(total * HOT_SHARE))


def in_words(size: int) -> str:
    """Bytes as people read them: "312 MB", "4.2 GB"."""
    if size < _GB:
        return f"{size / _MB:.0f} MB"
    return f"{size / _GB:.1f} GB"
