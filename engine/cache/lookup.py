"""Look-ups: what is wished for, and what was found of it. Owns how records become caches again; where they come from is
left to `engine.cache.manager`, which of them are needed to `engine.cache.planner`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.cache.codec import codec
from engine.cache.disk import dtypes
from engine.cache.in_use import NOBODY
from engine.cache.memory.block import Block, Held, Part, pieces
from engine.cache.planner import MissCause, RestorePlan, records
from engine.protocol.errors import CacheMismatch

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from engine.cache.codec.codec import Arrays, Layout, Piece
    from engine.cache.disk.reader import Assembled
    from engine.cache.disk.tier import Fetched, Place
    from engine.cache.planner import Needs
    from engine.cache.segment import Segment
    from engine.protocol.messages import Source

log = logging.getLogger(__name__)

Kinds = Mapping[str, Held]
"""A segment's records by kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What is looked for: a prefix of `chain` that ends below token `limit`; from `enough` tokens on memory will do (0:
    the disk is asked as well).

    Each of `requests` uses it until it is released.
    """

    conversation: str
    chain: Sequence[Segment]
    needs: Needs
    limit: int
    enough: int
    requests: Sequence[str] = (NOBODY,)


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a look-up: what to restore, and the records to do it with, which are used up by that."""

    plan: RestorePlan
    source: Source
    pieces: list[Piece] = field(default_factory=list)
    milliseconds: float = 0.0


def typed(fetched: Fetched) -> dict[Place, Held]:
    """What was read, as arrays. Raises KeyError and ValueError where they cannot be."""
    spans = {segment.key: segment for segment in fetched.plan.segments}
    arrays: dict[Assembled, Arrays] = {read: dtypes.typed(read) for read in set(fetched.read.values())}
    blocks = {read: Block(read.start, read.end, arrays[read]) for read in arrays if read.joined}
    return {
        (key, kind): Part(blocks[read], spans[key].start, spans[key].end) if read.joined else arrays[read]
        for (key, kind), read in fetched.read.items()
    }


def found(wish: Wish, chosen: RestorePlan, held: Mapping[str, Kinds], source: Source, began: float) -> Found:
    """The outcome for `wish`: of what is held, what the plan needs. `began`: when it was asked for."""
    taken: dict[str, dict[str, Held]] = {}
    for segment, kind in records(chosen.segments, wish.needs):
        taken.setdefault(segment.key, {})[kind] = held[segment.key][kind]
    return Found(chosen, source, pieces(chosen.segments, taken), (time.perf_counter() - began) * 1000)


def restore(layout: Layout, found: Found, fresh: Sequence[Any]) -> int:
    """Fill `fresh` from `found`, once. Returns the tokens restored: 0, and `fresh` is as it was, where a record is not
    one of these caches.
    """
    steps = restoring(layout, found, fresh)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return int(end.value)


def restoring(layout: Layout, found: Found, fresh: Sequence[Any]) -> Generator[None, None, int]:
    """As `restore`, a portion at a time."""
    if not found.plan.length:
        return 0
    try:
        yield from codec.restoring(layout, fresh, found.pieces)
    except CacheMismatch as error:
        log.warning("cached records do not fit: %s", error)
        return 0
    return found.plan.length


def miss(why: MissCause) -> Found:
    """The outcome where nothing is restored."""
    return Found(RestorePlan((), 0, why), "none")
