"""How wide the columns of a table are. Pure: numbers in, numbers out, in pixels.

- A table whose cells fit side by side fills its room.
- If they do not, long cells wrap, but no column gets narrower than its longest word or than a readable width.
- If even that is wider than the room, the table is wider than its room, and no column gets narrower than its longest
  word.
- No table is wider than it may be, as on paper. There even words break.

Where one case ends and the next begins, both give the same widths. So a table that grows does not jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

_READABLE = 112.0
_COMFORTABLE = 160.0, 320.0
"""The width of a column of texts in a table that scrolls: the first for short texts, up to the second for long ones."""
_FEW_LINES = 6.0
_STEP = 16
"""Widths of texts are rounded up, so that a cell that grows does not move the table at each letter."""


class TextWidth(NamedTuple):
    """The width of the longest word of a cell or a column, and of its longest line."""

    word: float
    line: float


def column_widths(
    columns: Sequence[TextWidth], room: float, widest: float, side: float, zoom: float = 1.0
) -> tuple[int, ...]:
    """The width of each column of a table that may be `widest` wide, with the space of `side` pixels that each cell has
    beside its text. Letters are `zoom` times as large as usual.
    """
    lines = [_in_steps(column.line) + side for column in columns]
    words = [_in_steps(column.word) + side for column in columns]
    least = [min(line, max(word, _READABLE * zoom + side)) for line, word in zip(lines, words, strict=True)]
    if sum(lines) <= room:
        return _rounded([line * room / sum(lines) for line in lines])
    if sum(least) <= room:
        return _rounded(_between(least, lines, room))
    if sum(least) <= widest:
        wanted = [max(low, _comfortable(line, zoom)) for line, low in zip(lines, least, strict=True)]
        return _rounded(_between(least, wanted, min(sum(wanted), 2 * sum(least) - room)))
    if sum(words) <= widest:
        return _rounded(_between(words, least, widest))
    return _rounded([word * widest / sum(words) for word in words])


def _comfortable(line: float, zoom: float) -> float:
    low, high = _COMFORTABLE
    return min(line, max(low * zoom, min(line / _FEW_LINES, high * zoom)))


def _in_steps(width: float) -> int:
    return _STEP * max(1, ceil(width / _STEP))


def _between(low: Sequence[float], high: Sequence[float], total: float) -> list[float]:
    """Widths between two others of each column, so that their sum is `total`."""
    more = sum(high) - sum(low)
    share = (total - sum(low)) / more if more > 0 else 0.0
    return [one + share * (other - one) for one, other in zip(low, high, strict=True)]


def _rounded(widths: Sequence[float]) -> tuple[int, ...]:
    """Whole pixels whose sum differs from that of the widths by less than one."""
    ends = [round(end) for end in accumulate(widths, initial=0.0)]
    return tuple(end - start for start, end in pairwise(ends))
