"""The disk tier: the jobs that the I/O thread runs on the segment store for the cache manager.

Writes checkpoints as records, and thins old states by the retention rule. Never touches the hot tier. `new_segment` and
`to_tensors` run on the MLX thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import mlx.core as mx

from engine.cache.codec.cache_classes import Arrays
from engine.cache.codec.codec import DTYPES
from engine.cache.retention import (
    StateCheckpoint,
    StateRole,
    last_boundary,
    most_on_disk,
    role,
    states_to_keep_on_disk,
)
from engine.cache.segment import Segment
from storage.errors import Damage, DamagedRecord
from storage.segments.records import NewRecord, NewSegment, RecordKind, StoredRecord, Tensor
from storage.segments.store import SegmentStore

_PLACE, _ROLE = "place", "role"
_NAMES: Final = {dtype: name for name, dtype in DTYPES.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """New segments of a conversation, without their states, which wait in `states` by key. Either thread may take a
    state out: the I/O thread to write it, the MLX thread because a newer one supersedes it.
    """

    conversation: str
    segments: Sequence[NewSegment]
    states: dict[str, NewRecord]


@dataclass(frozen=True, slots=True)
class Saved:
    """Bytes written, and the earlier segments that the disk has lost meanwhile."""

    written: int
    lost: tuple[Segment, ...]


def new_segment(segment: Segment, identity: str, records: Mapping[str, Arrays]) -> NewSegment:
    """A segment to write, with its `records` by kind. On the MLX thread.

    A state says what thinning needs later, when the chain is not known.
    """
    state = {_PLACE: str(segment.boundary), _ROLE: role(segment, durable=True)}
    new = tuple(
        NewRecord(kind, to_tensors(arrays), state if kind == RecordKind.STATE else {})
        for kind, arrays in records.items()
    )
    return NewSegment(segment.key, segment.parent, identity, segment.start, segment.end, new)


def to_tensors(arrays: Arrays) -> dict[str, Tensor]:
    """The arrays as tensors over the same memory, evaluated. On the MLX thread.

    Raises KeyError for an unsupported dtype.
    """
    plain = {name: mx.contiguous(array) for name, array in arrays.items()}
    raw = {name: array.reshape(-1).view(mx.uint8) for name, array in plain.items()}
    mx.eval(list(raw.values()))
    return {
        name: Tensor(_NAMES[array.dtype], tuple(array.shape), memoryview(raw[name]))  # type: ignore[arg-type] # mx.array exports the buffer protocol; its stub does not say so
        for name, array in plain.items()
    }


def save(store: SegmentStore, write: Write, chain: Sequence[Segment], in_use: Collection[str] = ()) -> Saved:
    """Write the segments, each with the state that still waits for it, then thin the states before a new one.

    Evicts no segment `in_use` (keys). Earlier segments of `chain` that were evicted are entered again without records.
    """
    whole = []
    for segment in write.segments:
        state = write.states.pop(segment.key, None)
        whole.append(replace(segment, records=(*segment.records, state)) if state else segment)
    identity, new = whole[0].identity, {segment.key for segment in whole}
    earlier = [segment for segment in chain if segment.key not in new]
    held = {segment.key for segment in store.index.lookup([s.key for s in earlier]) if segment.records}
    places = [NewSegment(s.key, s.parent, identity, s.start, s.end, ()) for s in earlier]
    written = store.commit(write.conversation, [*places, *whole], in_use)
    if any(record.kind == RecordKind.STATE for segment in whole for record in segment.records):
        thin(store, write.conversation, identity, chain)
    return Saved(written, tuple(segment for segment in earlier if segment.key not in held))


def refuse(store: SegmentStore, keys: Sequence[str]) -> None:
    """Erase all records of `keys`: they are whole, but do not fit the model."""
    for segment in store.index.lookup(keys):
        for record in segment.records.values():
            store.refuse(record, DamagedRecord(Damage.LAYOUT, "it is not like this model's"))


def thin(store: SegmentStore, conversation: str, identity: str, chain: Sequence[Segment]) -> int:
    """Erase the states of this model identity that the retention rule does not want for a conversation that ends with
    `chain`: neither there nor on branches that were left.

    States that another conversation has too stay. Returns the bytes freed.
    """
    held = {record.segment: record for record in store.index.records(conversation, RecordKind.STATE, identity)}
    left = {state.key: state for state in _states(held.values())}
    spare = set(left)
    here = [replace(left.pop(s.key), role=role(s, durable=True)) for s in chain if s.key in left]
    most = most_on_disk(store.quota_bytes, max((record.bytes for record in held.values()), default=0))
    spare -= states_to_keep_on_disk(here, [*left.values()], last_boundary(chain), most)
    own = [held[key] for key in sorted(spare) if len(store.index.holders([key])) == 1]
    return store.drop(own) if own else 0


def _states(held: Iterable[StoredRecord]) -> list[StateCheckpoint]:
    """The states with a known boundary. Eviction alone removes others."""
    known = [record for record in held if record.meta.get(_PLACE, "").isdecimal()]
    return [
        StateCheckpoint(
            r.segment, int(r.meta[_PLACE]), StateRole.INNER if r.meta.get(_ROLE) == StateRole.INNER else StateRole.TURN
        )
        for r in known
    ]
