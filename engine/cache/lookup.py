"""Lookup requests and results. On the MLX thread."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.cache.disk.io_thread import Failure
from engine.cache.disk.reader import RecordKey
from engine.cache.memory.block import HeldRecord, pieces
from engine.cache.planner import MissCause, RestorePlan, needed_records
from engine.cache.segment import NO_REQUEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.codec.codec import Piece
    from engine.cache.memory.prompt_end import PromptEnd
    from engine.cache.planner import Needs
    from engine.cache.segment import Segment
    from engine.protocol.messages import Source

RecordsByKind = Mapping[str, HeldRecord]
"""A segment's records by kind."""
Prefetch = Future[dict[RecordKey, HeldRecord] | Failure]
"""What `read_ahead` has read, or will have read."""


@dataclass(frozen=True, slots=True, eq=False)
class LookupRequest:
    """Asks for a prefix of `chain` that ends below token `limit`.

    If memory covers `enough` tokens, the disk is not asked; 0 means that it always is. Each of `requests` uses the
    chain's segments until it is released. If memory holds the `end` of the whole prompt, `chain` ends with its segment.
    What `prefetch` has read is not read again; the lookup uses it up.
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


def chosen_result(
    request: LookupRequest, chosen: RestorePlan, held: Mapping[str, RecordsByKind], source: Source
) -> LookupResult:
    """The result for `request`: of the `held` records, those that the plan needs."""
    chosen_records: dict[str, dict[str, HeldRecord]] = {}
    for segment, kind in needed_records(chosen.segments, request.needs):
        chosen_records.setdefault(segment.key, {})[kind] = held[segment.key][kind]
    return LookupResult(chosen, source, pieces(chosen.segments, chosen_records))


def miss(why: MissCause) -> LookupResult:
    """The result if nothing is restored."""
    return LookupResult(RestorePlan((), 0, why), "none")
