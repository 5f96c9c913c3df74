"""Texts in UTF-16, as Qt counts them: owns a length and a part in its units; what is counted is others'. No Qt."""

from __future__ import annotations


def length(text: str) -> int:
    """How long Qt takes `text` for."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def part(text: str, start: int, end: int) -> str:
    """What Qt means by the place from `start` to `end`; half a letter is none."""
    if text.isascii():
        return text[start:end]
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le", "ignore")
