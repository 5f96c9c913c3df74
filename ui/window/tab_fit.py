"""Which tabs of the row are shown if not all of them fit. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def fitting(widths: Sequence[int], room: int, current: int, first: int) -> range:
    """The longest run of tabs that fits into `room` pixels and contains the tab `current`. It begins at `first` if it
    can. `widths` are the least widths of all tabs.
    """
    if not widths:
        return range(0)
    current = min(max(current, 0), len(widths) - 1)
    start = min(first, current)
    while start < current and sum(widths[start : current + 1]) > room:
        start += 1
    end = current + 1
    while end < len(widths) and sum(widths[start : end + 1]) <= room:
        end += 1
    while start > 0 and sum(widths[start - 1 : end]) <= room:
        start -= 1
    return range(start, end)
