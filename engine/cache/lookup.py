"""Lookups: requests, results, and what is read from disk for them.

The MLX thread makes requests and results. The I/O thread runs `read_ahead` and `fetch`: they read records into the
memory where they stay, on threads of their own without MLX. Such a thread reads a record in the order of its file, and
adds what it has read to the checksum while it is in the processor's cache.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain as joined
from typing import Final

import mlx.core as mx
import numpy as np

from engine.cache.codec.cache_classes import TOKEN_AXIS, capacity
from engine.cache.codec.codec import DTYPES, Piece
from engine.cache.disk.io_thread import Failure
from engine.cache.memory.block import Block, BlockPart, HeldRecord, PromptEnd, arrays_of
from engine.cache.segment import NO_REQUEST, MissCause, Needs, RestorePlan, Segment, needed_records, plan
from engine.protocol.messages import Source
from storage.errors import Damage, DamagedRecord, classified
from storage.segments.files import Reading
from storage.segments.records import RecordKind, StoredRecord, tensor_bytes
from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

RecordKey = tuple[str, str]
"""Names a record: segment key and kind."""
RecordsByKind = Mapping[str, HeldRecord]
"""A segment's records by kind."""
Prefetch = Future[dict[RecordKey, HeldRecord] | Failure]
"""What `read_ahead` has read, or will have read."""
Form = tuple[str, tuple[int, ...]]
"""The safetensors dtype and the shape of an array."""

THREADS: Final = min(8, os.cpu_count() or 1)
AT_ONCE: Final = 1 << 19
"""Bytes that are read at once: what the processor's cache holds."""
_MOST_ROWS: Final = 256
"""Of them. The system reads into no more than 1,024 places at once."""
_LARGEST: Final = (1 << 31) - 1
"""Bytes of the largest array that MLX can slice."""
_AXES: Final = 4
_NUMBERS: Final = {np.dtype(f"u{dtype.size}"): dtype for dtype in (mx.uint8, mx.uint16, mx.uint32, mx.uint64)}
"""Whole numbers of each size. Records are read as such, and get their types afterwards."""


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
    needed = needed_records(chosen.segments, request.needs)
    return LookupResult(chosen, source, pieces((segment, kind, held[segment.key][kind]) for segment, kind in needed))


def pieces(needed: Iterable[tuple[Segment, RecordKind, HeldRecord]]) -> list[Piece]:
    """The needed records of a prefix as pieces. Keys and values in the same block are one piece.

    A block holds consecutive tokens of one conversation. So a segment's part follows the parts of the segments before
    it, even if those are registered with another block. A piece at the end of its block keeps the block's spare room.
    """
    found: list[Piece] = []
    kv: list[tuple[int, int, HeldRecord]] = []
    for segment, kind, held in needed:
        if kind != RecordKind.KV:
            found.append(Piece(segment.start, segment.end, {kind: arrays_of(held)}))
            continue
        start = segment.start
        while isinstance(held, BlockPart) and kv and held.block.start <= kv[-1][0]:
            start = kv.pop()[0]  # its block holds these tokens, too
        kv.append((start, segment.end, held))
    return [_piece(*one) for one in kv] + found


def _piece(start: int, end: int, held: HeldRecord) -> Piece:
    if not isinstance(held, BlockPart):
        return Piece(start, end, {RecordKind.KV: held})
    if (start, end) != (held.block.start, held.block.end):
        return Piece(start, end, {RecordKind.KV: held.block.within(start, end)})
    return Piece(start, end, {RecordKind.KV: held.block.arrays}, held.block.room)


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
    wanted = [RecordToRead(s, branch[s.key].records[kind]) for s, kind in needed_records(prefix, needs)]
    return read_records(store, wanted, whole + room)[0]


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
        found_now, bad = read_records(store, [RecordToRead(s, stored[s.key][kind]) for s, kind in absent], limit)
        read |= found_now
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


# --- reading


@dataclass(frozen=True, slots=True)
class RecordToRead:
    """A record to read, and its segment."""

    segment: Segment
    record: StoredRecord

    @property
    def key(self) -> RecordKey:
        """The name of the record."""
        return self.record.segment, self.record.kind


def read_records(
    store: SegmentStore, wanted: Sequence[RecordToRead], limit: int = 0
) -> tuple[dict[RecordKey, HeldRecord], list[RecordKey]]:
    """Read records. The keys and values of consecutive segments, a run, become one array for each layer.

    If a run begins at token 0, its arrays get room for more tokens: up to token `limit`, at most a quarter more.

    Returns the records, evaluated, and the damaged ones, which the store has erased. If the first record of a run
    is damaged, none of the run is read. Raises EnvironmentProblem.
    """
    runs: list[list[RecordToRead]] = []
    for one in wanted:
        last = runs[-1][-1] if runs else None
        if last and last.record.kind == one.record.kind == RecordKind.KV and last.segment.key == one.segment.parent:
            runs[-1].append(one)
        else:
            runs.append([one])
    damaged: dict[RecordKey, tuple[StoredRecord, DamagedRecord]] = {}
    with ExitStack() as files, classified():
        made = [part for run in runs for part in _planned(store, run, limit, files, damaged)]
        jobs = [(buffers, one) for buffers in made for one in buffers.run]
        pool = files.enter_context(ThreadPoolExecutor(max(1, min(THREADS, len(jobs))), "segment-reader"))
        outcomes = [(one, pool.submit(_filled, store, buffers, one)) for buffers, one in jobs]
        for one, outcome in outcomes:
            if damage := outcome.result():
                damaged[one.key] = one.record, damage
    for record, damage in damaged.values():
        log.warning("%s record of %s: %s", record.kind, record.segment, damage)
        store.refuse(record, damage)
    records = dict(joined.from_iterable(buffers.records() for buffers in made))
    return {key: held for key, held in records.items() if key not in damaged}, [*damaged]


class _Buffers:
    """The arrays of a run, and the memory in which its records are read. If `tokens`, each array holds that many tokens
    of all records; else the arrays are those of the only record. `first` is the first record, which is open.
    """

    def __init__(self, run: Sequence[RecordToRead], first: Reading, forms: Mapping[str, Form], tokens: int) -> None:
        self.run = run
        self.first = first
        self._forms = forms
        self._joined = bool(tokens)
        kinds = {name: np.dtype(f"u{DTYPES[dtype].size}") for name, (dtype, _) in forms.items()}
        shapes = {name: _with_tokens(shape, tokens) if tokens else shape for name, (_, shape) in forms.items()}
        self._arrays = {name: mx.empty(shapes[name], _NUMBERS[kind]) for name, kind in kinds.items()}
        mx.eval(self._arrays)
        self._memory = {name: np.array(array, copy=False) for name, array in self._arrays.items()}

    def forms(self, one: RecordToRead) -> dict[str, Form]:
        """The arrays that a record must have to be read here."""
        if not self._joined:
            return dict(self._forms)
        return {name: (dtype, _with_tokens(shape, one.segment.length)) for name, (dtype, shape) in self._forms.items()}

    def rows(self, one: RecordToRead) -> Iterator[memoryview]:
        """The memory of a record in the order of its file, in pieces that are contiguous here."""
        start = one.segment.start - self.run[0].segment.start
        for memory in self._memory.values():
            parts = memory[0, :, start : start + one.segment.length] if self._joined else memory.reshape(1, -1)
            yield from (part.reshape(-1).view(np.uint8).data for part in parts)

    def records(self) -> Iterator[tuple[RecordKey, HeldRecord]]:
        """The records. Call it once, after all were read: nothing else holds their memory from then on."""
        arrays = {name: number.view(DTYPES[self._forms[name][0]]) for name, number in self._arrays.items()}
        mx.eval(arrays)
        self._arrays.clear()
        self._memory.clear()
        block = Block(self.run[0].segment.start, self.run[-1].segment.end, arrays)
        for one in self.run:
            yield one.key, BlockPart(block, one.segment.start, one.segment.end) if self._joined else arrays


def _planned(
    store: SegmentStore,
    run: Sequence[RecordToRead],
    limit: int,
    files: ExitStack,
    damaged: dict[RecordKey, tuple[StoredRecord, DamagedRecord]],
) -> list[_Buffers]:
    """The buffers of a run: one for all records, or one for each if they cannot be joined. No memory is allocated for
    bytes that the index does not promise. `files` closes what is opened here.
    """
    made: list[_Buffers] = []
    end = run[-1].segment.end
    while run:
        first = run[0]
        try:
            reading = files.enter_context(store.reading(first.record))
            forms = _forms(reading)
        except DamagedRecord as damage:
            damaged[first.key] = first.record, damage
            break
        start = first.segment.start
        tokens = capacity(max(end, min(limit, end + end // 4))) if start == 0 else end - start
        if first.record.kind == RecordKind.KV and _by_token(forms, first, tokens):
            of_a_token = sum(tensor_bytes(dtype, _with_tokens(shape, 1)) for dtype, shape in forms.values())
            unlike = [one for one in run if one.record.bytes < of_a_token * one.segment.length]
            for one in unlike:
                damaged[one.key] = one.record, DamagedRecord(Damage.LAYOUT, "it is not like those beside it")
            return made if unlike else [*made, _Buffers(run, reading, forms, tokens)]
        made.append(_Buffers(run[:1], reading, forms, 0))
        run = run[1:]
    return made


def _forms(reading: Reading) -> dict[str, Form]:
    """The arrays of a record, in the order of its file. Raises DamagedRecord."""
    forms = {name: (place.dtype, place.shape) for name, place in reading.places.items()}
    if any(dtype not in DTYPES for dtype, _ in forms.values()):
        raise DamagedRecord(Damage.LAYOUT, "it holds numbers of an unknown type")
    return forms


def _by_token(forms: Mapping[str, Form], first: RecordToRead, tokens: int) -> bool:
    """Whether each array holds the tokens of its segment, so that `tokens` of several records fit into one array."""
    return all(
        len(shape) == _AXES
        and (shape[0], shape[TOKEN_AXIS]) == (1, first.segment.length)
        and tensor_bytes(dtype, _with_tokens(shape, tokens)) <= _LARGEST
        for dtype, shape in forms.values()
    )


def _with_tokens(shape: tuple[int, ...], tokens: int) -> tuple[int, ...]:
    return (*shape[:TOKEN_AXIS], tokens, *shape[TOKEN_AXIS + 1 :])


def _filled(store: SegmentStore, buffers: _Buffers, one: RecordToRead) -> DamagedRecord | None:
    """Read a record. Returns what is wrong with it. On a thread of the pool. Raises OSError."""
    try:
        with buffers.first if one is buffers.run[0] else store.reading(one.record) as reading:
            if [*_forms(reading).items()] != [*buffers.forms(one).items()]:
                return DamagedRecord(Damage.LAYOUT, "it is not like those beside it")
            for rows in _at_once(buffers.rows(one)):
                reading.into(*rows)
            reading.finish()
    except DamagedRecord as damage:
        return damage
    return None


def _at_once(rows: Iterator[memoryview]) -> Iterator[list[memoryview]]:
    """The rows in groups that are read together. Longer ones come in parts."""
    group: list[memoryview] = []
    room = AT_ONCE
    for part in (row[at : at + AT_ONCE] for row in rows for at in range(0, len(row), AT_ONCE)):
        if group and (len(part) > room or len(group) == _MOST_ROWS):
            yield group
            group, room = [], AT_ONCE
        group.append(part)
        room -= len(part)
    if group:
        yield group
