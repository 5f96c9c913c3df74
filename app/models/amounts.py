"""Bytes in words, as makers of models and disks count them. Pure."""

from __future__ import annotations

from typing import Final

_UNITS: Final = ((10**9, "GB"), (10**6, "MB"), (10**3, "KB"))
_TENTHS_BELOW: Final = 9.95  # which rounds to 10


def amount(size: int) -> str:
    """Return bytes in words, with tenths below ten: "2.8 GB", "19 GB", "840 MB"."""
    for unit, name in _UNITS:
        if size >= unit:
            count = size / unit
            tenths = f"{count:.1f}".removesuffix(".0") if count < _TENTHS_BELOW else f"{count:.0f}"
            return f"{tenths} {name}"
    return f"{size} bytes"
