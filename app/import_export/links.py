"""Gives each message of a file that may contradict itself a parent, without circles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.import_export.import_summary import Remark, Remarks

if TYPE_CHECKING:
    from collections.abc import Mapping


def placed(parents: Mapping[str, str | None], remarks: Remarks) -> dict[str, str | None]:
    """Return the parent of each id (None: it begins the chat), so that every chain of parents ends.

    A parent that does not exist becomes None. A circle is cut above the message that comes first in the file.
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
    """Return the chain from `one` upwards, up to the first id that is settled."""
    line: dict[str, None] = {}
    at: str | None = one
    while at is not None and at not in settled and at not in line:
        line[at] = None
        at = parents[at]
    return list(line)
