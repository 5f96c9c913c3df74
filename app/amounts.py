"""Sizes and moments in words, where the app makes sentences of them. Owns the units; pure.

What the window counts by itself is left to `ui.phrases`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

_UNITS: Final = ((2**30, "GB"), (2**20, "MB"), (2**10, "KB"))
_TENTHS_BELOW: Final = 10


def size(number: int) -> str:
    """Bytes in words: 840 bytes, 12 KB, 1.2 MB."""
    for unit, name in _UNITS:
        if number >= unit:
            count = number / unit
            return f"{count:.1f} {name}" if count < _TENTHS_BELOW and name != "KB" else f"{count:.0f} {name}"
    return f"{number} bytes"


def local_time(milliseconds: int) -> datetime:
    """A time of the library (ms, UTC) in the user's zone."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
