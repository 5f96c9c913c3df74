"""The disk tier: what the I/O thread does with the store on the manager's behalf. Owns the order of look-up, plan and
reading, what of a checkpoint becomes which record, and the thinning of old states.

Nothing here touches an array's content or the hot tier; which thread posts what to whom is left to the manager.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.cache.disk import dtypes, reader
from engine.cache.disk.reader import RecordToRead
from engine.cache.planner import MissCause, needed_records, plan
from engine.cache.retention import StateCheckpoint, StateRole, last_boundary, most_states, sparsest, states_to_keep
from storage.errors import Damage, DamagedRecord, MissingParent
from storage.segments.records import NewRecord, NewSegment, RecordKind
from storage.segments.store import SegmentStore

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from engine.cache.codec.codec import Arrays
    from engine.cache.disk.reader import LoadedRecords
    from engine.cache.planner import Needs, RestorePlan
    from engine.cache.segment import Segment
    from storage.segments.records import StoredRecord

RecordKey = tuple[str, str]
"""A record's place: segment key and kind."""

_PLACE, _ROLE = "place", "role"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A plan, and those of its records that were not in memory."""

    plan: RestorePlan
    read: Mapping[RecordKey, LoadedRecords]


@dataclass(frozen=True, slots=True)
class Saved:
    """Bytes that were written, and the earlier segments that the disk has lost meanwhile."""

    written: int
    lost: tuple[Segment, ...]


def open_store(root: Path, quota_bytes: int) -> SegmentStore:
    """The segment store below `root`; it thins checkpoints by the retention rule. Raises as `SegmentStore.open`."""
    return SegmentStore.open(root, quota_bytes, retention=sparsest)


def fetch(
    store: SegmentStore, chain: Sequence[Segment], needs: Needs, limit: int, hot: Mapping[str, AbstractSet[str]]
) -> Fetched:
    """Plan over what is hot or stored, and read what is not hot. A damaged record is one less to plan with, found so
    now or since it was written.
    """
    found = store.lookup([segment.key for segment in chain])
    stored = {segment.key: segment.records for segment in found}
    held = {s.key: {*hot.get(s.key, ()), *stored.get(s.key, ())} for s in chain}
    lost = {s.key: s.lost - held[s.key] for s in found}
    read: dict[RecordKey, LoadedRecords] = {}
    while True:
        chosen = plan(chain, held, needs, limit)
        places = needed_records(chosen.segments, needs)
        absent = [(s, kind) for s, kind in places if (s.key, kind) not in read and kind not in hot.get(s.key, ())]
        bad = _read_all(store, [(s, stored[s.key][kind]) for s, kind in absent], limit, read)
        if not bad:
            whole: dict[RecordKey, LoadedRecords] = {
                (s.key, kind): read[s.key, kind] for s, kind in places if (s.key, kind) in read
            }
            damaged = any(lost.get(s.key) for s in chain if chosen.length < s.end < limit)
            return Fetched(replace(chosen, cause=MissCause.DAMAGED) if damaged else chosen, whole)
        for key, kind in bad:
            held[key].discard(kind)
            lost[key] |= {kind}


def _read_all(
    store: SegmentStore,
    absent: Sequence[tuple[Segment, StoredRecord]],
    limit: int,
    read: dict[RecordKey, LoadedRecords],
) -> list[RecordKey]:
    """Read records into `read`. Those that turned out to be damaged (and have been put aside by the store)."""
    runs: list[list[RecordToRead]] = []
    for segment, record in absent:
        if record.kind == RecordKind.KV and runs and _follows(runs[-1][-1], segment):
            runs[-1].append(RecordToRead(segment, record))
        else:
            runs.append([RecordToRead(segment, record)])
    whole, damaged = reader.read(store, runs, limit)
    read.update(whole)
    return damaged


def _follows(last: RecordToRead, segment: Segment) -> bool:
    return last.record.kind == RecordKind.KV and last.segment.key == segment.parent


def new_segment(segment: Segment, identity: str, needed_records: Mapping[str, Arrays]) -> NewSegment:
    """A segment to be written with `needed_records` by kind. On the MLX thread."""
    new = tuple(
        NewRecord(kind, dtypes.to_tensors(arrays), _meta(segment, kind)) for kind, arrays in needed_records.items()
    )
    return NewSegment(segment.key, segment.parent, identity, segment.start, segment.end, new)


def _meta(segment: Segment, kind: str) -> dict[str, str]:
    """What thinning has to know of a state later, when nobody has its chain at hand."""
    if kind != RecordKind.STATE:
        return {}
    return {_PLACE: str(segment.boundary), _ROLE: StateRole.INNER if segment.inner else StateRole.TURN}


def save(
    store: SegmentStore,
    conversation: str,
    segments: Sequence[NewSegment],
    chain: Sequence[Segment],
    take: Callable[[str], NewRecord | None],
    in_use: Collection[str] = (),
) -> Saved:
    """Write `segments`, each with the state that `take` still has for it, and thin the states before them.

    Nothing of `in_use`, keys of segments, is evicted for it. Where an earlier segment of `chain` was evicted, its place
    is kept without records.
    """
    whole = [_with_state(segment, take(segment.key)) for segment in segments]
    try:
        saved = Saved(store.commit(conversation, whole, in_use), ())
    except MissingParent:
        saved = _save_anew(store, conversation, whole, chain, in_use)
    thin(store, conversation, chain)
    return saved


def _with_state(segment: NewSegment, state: NewRecord | None) -> NewSegment:
    return replace(segment, records=(*segment.records, state)) if state else segment


def _save_anew(
    store: SegmentStore,
    conversation: str,
    segments: Sequence[NewSegment],
    chain: Sequence[Segment],
    in_use: Collection[str],
) -> Saved:
    new = {segment.key for segment in segments}
    places = [NewSegment(s.key, s.parent, segments[0].identity, s.start, s.end, ()) for s in chain if s.key not in new]
    written = store.commit(conversation, [*places, *segments], in_use)
    held = {segment.key: segment.records for segment in store.lookup([s.key for s in chain])}
    return Saved(written, tuple(s for s in chain if not held.get(s.key)))


def refill(store: SegmentStore, conversation: str, segments: Sequence[NewSegment], in_use: Collection[str]) -> None:
    """Write segments again that were lost, unless the conversation was forgotten since that was found. Nothing of
    `in_use`, keys of segments, is evicted for it.
    """
    if conversation in store.holders([segment.key for segment in segments]):
        store.commit(conversation, segments, in_use)


def refuse(store: SegmentStore, keys: Sequence[str]) -> None:
    """Put aside all records of `keys`: they are whole, but not what the model makes of its tokens."""
    for segment in store.lookup(keys):
        for record in segment.records.values():
            store.refuse(record, DamagedRecord(Damage.LAYOUT, "it is not like this model's"))


def thin(store: SegmentStore, conversation: str, chain: Sequence[Segment]) -> int:
    """Erase the states of a conversation that the rule does not want where it ends with `chain`, except those that
    another conversation's rule wants. Bytes freed.
    """
    held = {record.segment: record for record in store.held(conversation, RecordKind.STATE)}
    states = _states(held.values())
    spare = {state.key for state in states} - states_to_keep(states, last_boundary(chain), _room(store, held.values()))
    for other in store.holders(spare) if spare else ():
        if other != conversation:
            spare -= _wanted_by(store, other)
    return store.drop([held[key] for key in sorted(spare)])


def _wanted_by(store: SegmentStore, conversation: str) -> frozenset[str]:
    """The states that a conversation wants, as far as it was written."""
    held = store.held(conversation, RecordKind.STATE)
    states = _states(held)
    last = max((state.boundary for state in states if state.role is StateRole.TURN), default=-1)
    return states_to_keep(states, last, _room(store, held))


def _room(store: SegmentStore, held: Collection[StoredRecord]) -> int:
    return most_states(store.quota_bytes, max((record.bytes for record in held), default=0))


def _states(held: Iterable[StoredRecord]) -> list[StateCheckpoint]:
    """The states that say where they belong; of others nobody knows, and they are left to the quota."""
    known = [record for record in held if record.meta.get(_PLACE, "").isdecimal()]
    return [
        StateCheckpoint(
            r.segment, int(r.meta[_PLACE]), StateRole.INNER if r.meta.get(_ROLE) == StateRole.INNER else StateRole.TURN
        )
        for r in known
    ]
