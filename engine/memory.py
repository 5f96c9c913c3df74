"""Memory: whether something fits before it is tried. Owns the arithmetic, not the measuring or refusing.

Running out of GPU memory aborts the process and cannot be caught, so what does not fit must never be started. Pure.
"""

from __future__ import annotations

_GIB = 1 << 30
_MB, _GB = 10**6, 10**9

LOAD_HEADROOM_BYTES = _GIB // 4
"""Left free beside the weights: activations of one prefill chunk and the first caches."""

HOT_SHARE = 0.15
HOT_MOST_BYTES = 8 * _GIB


def load_shortfall(weights: int, available: int) -> int:
    """How many bytes are missing to load `weights` bytes where `available` are free; 0 if they fit."""
    return max(0, weights + LOAD_HEADROOM_BYTES - available)


def hot_budget(total: int) -> int:
    """The bytes that restored and finished conversations may keep in memory, on a machine with `total` bytes."""
    return min(HOT_MOST_BYTES, int(total * HOT_SHARE))


def in_words(size: int) -> str:
    """Bytes as people read them: "312 MB", "4.2 GB"."""
    if size < _GB:
        return f"{size / _MB:.0f} MB"
    return f"{size / _GB:.1f} GB"
