"""Lookups: requests, results, and what is read from disk for them.

The MLX thread makes requests and results. The I/O thread runs `read_ahead` and `fetch`.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.cache.disk import reader
from engine.cache.disk.io_thread import Failure
from engine.cache.disk.reader import RecordKey, RecordToRead
from engine.cache.memory.block import HeldRecord, pieces
from engine.cache.planner import MissCause, RestorePlan, needed_records, plan
from engine.cache.segment import NO_REQUEST, Segment
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from engine.cache.codec.codec import Piece
    from engine.cache.memory.block import PromptEnd
    from engine.cache.planner import Needs
    from engine.protocol.messages import Source
    from storage.segments.records import StoredRecord
    from storage.segments.store import SegmentStore

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


@dataclass(frozen=True, slots=True)
class Fetched:
    """A plan, and the records of it that were not in memory."""

    plan: RestorePlan
    read: Mapping[RecordKey, HeldRecord]


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


def read_ahead(
    store: SegmentStore, conversation: str, identity: str, needs: Needs, room: int
) -> dict[RecordKey, HeldRecord]:
    """Read what a conversation's next prompt probably begins with, while its tokens are not known yet: the longest
    restorable prefix of the branch that was used last, unless that does not reach back to token 0.

    The arrays get room for `room` more tokens: those of the next message. The lookup compares keys, so a wrong guess
    costs time alone. Raises StorageError.
    """
    branch = {s.key: s for s in store.index.newest(conversation, identity)}
    chain = [Segment(s.key, s.parent, s.start, s.end) for s in branch.values()]
    whole = chain[-1].end + 1 if chain and not chain[0].start else 0
    prefix = plan(chain, {key: s.records.keys() for key, s in branch.items()}, needs, whole).segments
    read: dict[RecordKey, HeldRecord] = {}
    absent = [(segment, branch[segment.key].records[kind]) for segment, kind in needed_records(prefix, needs)]
    _read_all(store, absent, whole + room, read)
    return read


def fetch(
    store: SegmentStore,
    chain: Sequence[Segment],
    needs: Needs,
    limit: int,
    hot: Mapping[str, AbstractSet[str]],
    read: dict[RecordKey, HeldRecord] | None = None,
) -> Fetched:
    """Plan over records that are hot, were `read` ahead or are stored, and read those that are only stored.

    Empties `read`: MLX continues without a copy in arrays that have no other holder.

    A damaged record, found now or earlier, does not count as stored.
    """
    read = {} if read is None else read
    found = store.index.lookup([segment.key for segment in chain])
    stored = {segment.key: segment.records for segment in found}
    held = {s.key: {*hot.get(s.key, ()), *stored.get(s.key, ())} for s in chain}
    for key, kind in read:
        held.get(key, set()).add(kind)
    lost = {s.key: s.lost - held[s.key] for s in found}
    while True:
        chosen = plan(chain, held, needs, limit)
        places = needed_records(chosen.segments, needs)
        absent = [(s, kind) for s, kind in places if (s.key, kind) not in read and kind not in hot.get(s.key, ())]
        bad = _read_all(store, [(s, stored[s.key][kind]) for s, kind in absent], limit, read)
        if not bad:
            whole: dict[RecordKey, HeldRecord] = {
                (s.key, kind): read[s.key, kind] for s, kind in places if (s.key, kind) in read
            }
            read.clear()
            damaged = any(lost.get(s.key) for s in chain if chosen.length < s.end < limit)
            return Fetched(replace(chosen, cause=MissCause.DAMAGED) if damaged else chosen, whole)
        for key, kind in bad:
            held[key].discard(kind)
            lost[key] |= {kind}


def _read_all(
    store: SegmentStore,
    absent: Sequence[tuple[Segment, StoredRecord]],
    limit: int,
    read: dict[RecordKey, HeldRecord],
) -> list[RecordKey]:
    """Read records into `read`. Returns the damaged ones, which the store has erased."""
    runs: list[list[RecordToRead]] = []
    for segment, record in absent:
        last = runs[-1][-1] if runs else None
        if last and last.record.kind == record.kind == RecordKind.KV and last.segment.key == segment.parent:
            runs[-1].append(RecordToRead(segment, record))
        else:
            runs.append([RecordToRead(segment, record)])
    whole, damaged = reader.read(store, runs, limit)
    read.update(whole)
    return damaged
