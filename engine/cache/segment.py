"""Segments: a prompt cut at its template boundaries. Owns the cut; the state that belongs to it is left to the codec.

Pure: token ids in, spans with chained keys out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cache.keys import chain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Segment:
    """The tokens `start` to `end` of a prompt; `key` covers everything from 0 to `end`."""

    key: str
    parent: str | None
    start: int
    end: int


def cut(identity: str, ids: Sequence[int], bounds: Iterable[int]) -> tuple[Segment, ...]:
    """The segments that end at each of `bounds`, in order. Bounds outside 1..len(ids) are left out; the tokens after
    the last bound belong to no segment.
    """
    segments: list[Segment] = []
    for end in sorted(bound for bound in set(bounds) if 0 < bound <= len(ids)):
        segments.append(following(segments[-1] if segments else None, identity, ids, end))
    return tuple(segments)


def following(last: Segment | None, identity: str, ids: Sequence[int], end: int) -> Segment:
    """The segment from the end of `last` (None: from 0) to `end`."""
    start = last.end if last else 0
    parent = last.key if last else None
    return Segment(chain(parent, identity, ids[start:end]), parent, start, end)
