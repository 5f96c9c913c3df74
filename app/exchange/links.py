"""Who follows whom in a file that may contradict itself: owns that each message has a place and none follows itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.exchange.remarks import Remark, Remarks

if TYPE_CHECKING:
    from collections.abc import Mapping


def placed(parents: Mapping[str, str | None], remarks: Remarks) -> dict[str, str | None]:
    """The parent of each id (None: it begins the chat), such that all of them lead to a beginning.

    A parent that is not there is none. A circle is opened before the one of it that stands first in the file.
    """
    known = {one: parent if parent in parents else None for one, parent in parents.items()}
    lost = sum(parent is not None and parent not in parents for parent in parents.values())
    if lost < sum(parent is None for parent in known.values()):  # one that begins its chat alone has its right place
        remarks[Remark.PLACE] += lost
    order = {one: place for place, one in enumerate(known)}
    settled: set[str] = set()
    for one in known:
        line = _line(one, known, settled)
        end = known[line[-1]] if line else None
        if end in line:
            circle = line[line.index(end) :]
            known[min(circle, key=order.__getitem__)] = None
            remarks[Remark.CIRCLE] += 1
        settled.update(line)
    return known


def _line(one: str, parents: Mapping[str, str | None], settled: set[str]) -> list[str]:
    """From `one` upwards, as far as it is new."""
    line: dict[str, None] = {}
    at: str | None = one
    while at is not None and at not in settled and at not in line:
        line[at] = None
        at = parents[at]
    return list(line)
