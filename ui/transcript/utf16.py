"""Lengths and parts of texts in UTF-16 code units, as Qt counts them. No Qt."""

from __future__ import annotations


def length(text: str) -> int:
    """The length of `text` in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def part(text: str, start: int, end: int) -> str:
    """The part of `text` from unit `start` to unit `end`. Halves of a surrogate pair are dropped."""
    if text.isascii():
        return text[start:end]
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le", "ignore")
