"""Lookup requests and results, and how a result fills empty caches. On the MLX thread."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.memory.block import HeldRecord, pieces
from engine.cache.planner import MissCause, RestorePlan, needed_records
from engine.cache.segment import NO_REQUEST
from engine.protocol.errors import CacheMismatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.codec.codec import Layout, Piece
    from engine.cache.disk.disk_tier import Prefetch
    from engine.cache.memory.prompt_end import PromptEnd
    from engine.cache.planner import Needs
    from engine.cache.segment import Segment
    from engine.protocol.messages import Source

log = logging.getLogger(__name__)

RecordsByKind = Mapping[str, HeldRecord]
"""A segment's records by kind."""


@dataclass(frozen=True, slots=True, eq=False)
class LookupRequest:
    """Asks for a prefix of `chain` that ends below token `limit`.

    If memory covers `enough` tokens, the disk is not asked; 0 means that it always is. Each of `requests` uses the
    chain's segments until it is released. If memory holds the `end` of the whole prompt, `chain` ends with its segment.
    What `prefetch` has read is not read again.
    """

    conversation: str
    chain: Sequence[Segment]
    needs: Needs
    limit: int
    enough: int
    requests: Sequence[str] = (NO_REQUEST,)
    end: PromptEnd | None = None
    prefetch: Prefetch | None = None


@dataclass(frozen=True, slots=True)
class LookupResult:
    """What to restore, and the records to restore it from. Restoring uses the records up."""

    plan: RestorePlan
    source: Source
    pieces: list[Piece] = field(default_factory=list)
    milliseconds: float = 0.0


def chosen_result(
    request: LookupRequest, chosen: RestorePlan, held: Mapping[str, RecordsByKind], source: Source, began: float
) -> LookupResult:
    """The result for `request`: of the `held` records, those that the plan needs. `began`: when the lookup started."""
    chosen_records: dict[str, dict[str, HeldRecord]] = {}
    for segment, kind in needed_records(chosen.segments, request.needs):
        chosen_records.setdefault(segment.key, {})[kind] = held[segment.key][kind]
    return LookupResult(chosen, source, pieces(chosen.segments, chosen_records), (time.perf_counter() - began) * 1000)


def fill(layout: Layout, result: LookupResult, fresh: Sequence[Any]) -> list[list[mx.array]]:
    """Fill `fresh` from `result`, once. Returns the arrays that are still to be evaluated, in portions.

    If a record does not fit these caches, returns none and leaves `fresh` as it was.
    """
    try:
        return codec.restore(layout, fresh, result.pieces) if result.plan.length else []
    except CacheMismatch as error:
        log.warning("cached records do not fit: %s", error)
        return []


def restore(layout: Layout, result: LookupResult, fresh: Sequence[Any]) -> int:
    """Fill and evaluate `fresh`. Returns the tokens restored."""
    portions = fill(layout, result, fresh)
    mx.eval(portions)
    return result.plan.length if portions else 0


def miss(why: MissCause) -> LookupResult:
    """The result if nothing is restored."""
    return LookupResult(RestorePlan((), 0, why), "none")
