"""The direction in which a text is written. Pure."""

from __future__ import annotations

import unicodedata

_LETTERS = {"L", "R", "AL"}
_LOOKED_AT = 1_000


def is_right_to_left(text: str) -> bool:
    """Whether the first letter of a text belongs to a right-to-left script."""
    directions = map(unicodedata.bidirectional, text[:_LOOKED_AT])
    return next((direction != "L" for direction in directions if direction in _LETTERS), False)
