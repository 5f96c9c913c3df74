"""Reads this rank's slices of whole records, which a lone engine or a group's leader has written. On the I/O thread.

A slice counts as read before its lookup, like what a prefetch has read: the lookup looks for all else by itself.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.cache.codec.span import TOKEN_AXIS
from engine.cache.disk.dtypes import DTYPES, to_arrays
from engine.cache.disk.prefetch import Prefetch
from engine.cache.keys import of_part, of_whole
from engine.cache.planner import needed_records, plan
from engine.ranks.exchange import Contents
from engine.ranks.part import PartMismatchError, memory
from storage.errors import DamagedRecord
from storage.segments.records import NewSegment, RecordKind, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from engine.cache.codec.codec import Layout
    from engine.cache.disk.reader import RecordKey
    from engine.cache.lookup import LookupRequest
    from engine.cache.segment import Segment
    from engine.ranks.division import Division
    from engine.ranks.part import Part, Piece
    from storage.segments.reading import Reading
    from storage.segments.records import StoredRecord
    from storage.segments.store import SegmentStore

    Tensors = Mapping[str, Tensor]

log = logging.getLogger(__name__)


class Slices(Prefetch):
    """Slices of whole records for a request's prefix: from this rank's disk, and those that it has `fetched`.

    `hot` names the kinds that memory has, by key.
    """

    def __init__(
        self,
        request: LookupRequest,
        division: Division,
        hot: Mapping[str, AbstractSet[str]],
        fetched: Mapping[RecordKey, Tensors],
    ) -> None:
        self._request = request
        self._division = division
        self._hot = hot
        self._fetched = fetched
        self._read = {}

    def run(self, store: SegmentStore) -> None:
        """Read them, with what an earlier prefetch has read. Raises StorageError."""
        chain, request = self._request.chain, self._request
        self._read = request.prefetch.take() if request.prefetch else {}
        if request.enough and plan(chain, self._hot, request.needs, request.limit).length >= request.enough:
            return
        for (key, kind), tensors in self._fetched.items():
            self._read[key, kind] = to_arrays(tensors)
        self._read_wholes(store)

    def _read_wholes(self, store: SegmentStore) -> None:
        request, chain = self._request, self._request.chain
        here = kinds_here(store, chain, self._hot, self._read)
        wholes = {key: dict(records) for key, records in _wholes(store, chain).items()}
        while True:
            both = {segment.key: {*here[segment.key], *wholes[segment.key]} for segment in chain}
            chosen = plan(chain, both, request.needs, request.limit).segments
            absent = [(s, kind) for s, kind in needed_records(chosen, request.needs) if kind not in here[s.key]]
            bad = next((place for place in absent if not self._has_read(store, *place, wholes)), None)
            if bad is None:
                break
            del wholes[bad[0].key][bad[1]]
        if absent:
            enter(store, request.conversation, chosen, of_part(self._division.identity, self._division.own.name))
            store.touch(request.conversation, [of_whole(segment.key) for segment in chosen])

    def _has_read(
        self, store: SegmentStore, segment: Segment, kind: str, wholes: Mapping[str, Mapping[str, StoredRecord]]
    ) -> bool:
        """Read the slice of a whole record, unless that was done. Returns whether this rank has it now."""
        if (segment.key, kind) in self._read:
            return True
        share = read_slice(store, wholes[segment.key][kind], self._division.own)
        if share is None or not fits(self._division.layout, kind, segment, share):
            return False
        self._read[segment.key, kind] = to_arrays(share)
        return True


def kinds_here(
    store: SegmentStore,
    chain: Sequence[Segment],
    hot: Mapping[str, AbstractSet[str]],
    read: Mapping[RecordKey, object] = {},
) -> dict[str, set[str]]:
    """The kinds of records that this rank has as its own shares, by key."""
    kinds = {segment.key: set(hot.get(segment.key, ())) for segment in chain}
    for stored in store.lookup(list(kinds)):
        kinds[stored.key].update(stored.records)
    for key, kind in read:
        if key in kinds:
            kinds[key].add(kind)
    return kinds


def _wholes(store: SegmentStore, chain: Sequence[Segment]) -> dict[str, Mapping[str, StoredRecord]]:
    """The whole records on this disk by kind, by the key of this rank's share."""
    stored = {segment.key: segment.records for segment in store.lookup([of_whole(segment.key) for segment in chain])}
    return {segment.key: stored.get(of_whole(segment.key), {}) for segment in chain}


def lacking(
    store: SegmentStore, request: LookupRequest, hot: Mapping[str, AbstractSet[str]], length: int
) -> list[tuple[Segment, RecordKind]]:
    """The records that this rank lacks to restore the first `length` tokens."""
    prefix = [segment for segment in request.chain if segment.end <= length]
    here, wholes = kinds_here(store, prefix, hot), _wholes(store, prefix)
    return [
        (segment, kind)
        for segment, kind in needed_records(prefix, request.needs)
        if kind not in here[segment.key] and kind not in wholes[segment.key]
    ]


def enter(store: SegmentStore, conversation: str, chain: Sequence[Segment], identity: str) -> None:
    """Let the store know the missing segments of a chain, without records: later ones follow them."""
    known = {stored.key for stored in store.lookup([segment.key for segment in chain])}
    new = [NewSegment(s.key, s.parent, identity, s.start, s.end, ()) for s in chain if s.key not in known]
    if new:
        store.commit(conversation, new)


def whole_chain(chain: Sequence[Segment]) -> list[Segment]:
    """The segments with the keys of whole records."""
    return [replace(s, key=of_whole(s.key), parent=of_whole(s.parent) if s.parent else None) for s in chain]


def read_slice(store: SegmentStore, record: StoredRecord, part: Part) -> dict[str, Tensor] | None:
    """The `part` of a whole record. None if it is damaged, which the store then notes, or not whole.

    Holds one whole array at a time in memory.
    """
    try:
        with store.reading(record) as reading:
            return _cut_from(reading, {piece.name: piece for piece in part.kinds.get(record.kind, ())})
    except DamagedRecord as damage:
        store.refuse(record, damage)
        return None
    except PartMismatchError as error:
        log.warning("a whole record does not fit: %s", error)
        return None


def _cut_from(reading: Reading, pieces: dict[str, Piece]) -> dict[str, Tensor]:
    """The pieces, by the names of the whole arrays. Raises DamagedRecord and PartMismatchError."""
    share: dict[str, Tensor] = {}
    places = reading.head.places.items()
    scratch = memory(max((at.span[1] - at.span[0] for _, at in places), default=0))
    for name, at in places:
        size, piece = at.span[1] - at.span[0], pieces.pop(name, None)
        data = memory(size) if piece and piece.is_whole else scratch[:size]
        reading.into(data)
        if piece:
            share[piece.own] = piece.cut(Tensor(at.dtype, at.shape, data))
    reading.finish()
    if pieces:
        raise PartMismatchError(f"it lacks {min(pieces)}")
    return share


def stored_record(store: SegmentStore, key: str, kind: str) -> StoredRecord | None:
    """The record, if the store has it."""
    found = store.lookup([key])
    return found[0].records.get(kind) if found else None


def slice_to_send(store: SegmentStore, key: str, kind: str, part: Part) -> Contents | None:
    """The `part` of a whole record, for the rank that has it."""
    record = stored_record(store, key, kind)
    share = read_slice(store, record, part) if record else None
    return Contents.of(share) if share else None


def share_to_send(store: SegmentStore, key: str, kind: str) -> Contents | None:
    """This rank's own share of a record. Raises DamagedRecord."""
    record = stored_record(store, key, kind)
    return Contents.of(store.read(record).tensors) if record else None


def fits(layout: Layout, kind: str, segment: Segment, tensors: Tensors) -> bool:
    """Whether a record of `segment` has exactly the arrays that a model with this layout produces."""
    forms = layout.forms.get(kind, {})
    return forms.keys() == tensors.keys() and all(
        _fits(kind, segment, forms[name], tensor) for name, tensor in tensors.items()
    )


def _fits(kind: str, segment: Segment, form: tuple[object, tuple[int, ...]], tensor: Tensor) -> bool:
    dtype, shape = form
    if DTYPES.get(tensor.dtype) != dtype or len(tensor.shape) != len(shape):
        return False
    if kind == RecordKind.KV and tensor.shape[TOKEN_AXIS] != segment.end - segment.start:
        return False
    return all(length in {found, -1} for found, length in zip(tensor.shape, shape, strict=True))
