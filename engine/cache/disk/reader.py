"""Reads records from disk into the memory where they stay. On the I/O thread, and on threads of its own without MLX.

The keys and values of consecutive segments become one array for each layer. A thread reads a record in the order of its
file, and adds what it has read to the checksum while it is in the processor's cache.
"""

from __future__ import annotations

import logging
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

import mlx.core as mx
import numpy as np

from engine.cache.codec.kinds import TOKEN_AXIS, capacity
from engine.cache.memory.block import Block, BlockPart
from storage.errors import Damage, DamagedRecord, classified
from storage.segments.records import RecordKind, tensor_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.cache.memory.block import HeldRecord
    from engine.cache.segment import Segment
    from storage.segments.files import Reading
    from storage.segments.records import StoredRecord
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

RecordKey = tuple[str, str]
"""Names a record: segment key and kind."""
Form = tuple[str, tuple[int, ...]]
"""The safetensors dtype and the shape of an array."""

DTYPES: Final = {
    "F32": mx.float32,
    "F16": mx.float16,
    "BF16": mx.bfloat16,
    "U8": mx.uint8,
    "I8": mx.int8,
    "U16": mx.uint16,
    "I16": mx.int16,
    "U32": mx.uint32,
    "I32": mx.int32,
    "U64": mx.uint64,
    "I64": mx.int64,
    "BOOL": mx.bool_,
}
"""MLX types by safetensors name. Other types are neither written nor read."""

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


@dataclass(frozen=True, slots=True)
class RecordToRead:
    """A record to read, and its segment."""

    segment: Segment
    record: StoredRecord

    @property
    def key(self) -> RecordKey:
        """The name of the record."""
        return self.record.segment, self.record.kind

    @property
    def tokens(self) -> int:
        """The tokens of its segment."""
        return self.segment.end - self.segment.start


def read(
    store: SegmentStore, runs: Sequence[Sequence[RecordToRead]], limit: int = 0
) -> tuple[dict[RecordKey, HeldRecord], list[RecordKey]]:
    """Read runs of records of one kind; key-value records in a run belong to consecutive segments.

    If a run begins at token 0, its arrays get room for more tokens: up to token `limit`, at most a quarter more.

    Returns the records, evaluated, and the damaged ones, which the store has erased. If the first record of a run
    is damaged, none of the run is read. Raises EnvironmentProblem.
    """
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
    records = dict(chain.from_iterable(buffers.records() for buffers in made))
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
        self._arrays: dict[str, mx.array] = {}
        if _memory_is_shared():
            self._arrays = {name: mx.empty(shapes[name], _NUMBERS[kind]) for name, kind in kinds.items()}
            mx.eval(self._arrays)
            self._memory = {name: np.array(array, copy=False) for name, array in self._arrays.items()}
        else:
            self._memory = {name: np.zeros(shapes[name], kind) for name, kind in kinds.items()}

    def forms(self, one: RecordToRead) -> dict[str, Form]:
        """The arrays that a record must have to be read here."""
        if not self._joined:
            return dict(self._forms)
        return {name: (dtype, _with_tokens(shape, one.tokens)) for name, (dtype, shape) in self._forms.items()}

    def rows(self, one: RecordToRead) -> Iterator[memoryview]:
        """The memory of a record in the order of its file, in pieces that are contiguous here."""
        start = one.segment.start - self.run[0].segment.start
        for memory in self._memory.values():
            parts = memory[0, :, start : start + one.tokens] if self._joined else memory.reshape(1, -1)
            yield from (part.reshape(-1).view(np.uint8).data for part in parts)

    def records(self) -> Iterator[tuple[RecordKey, HeldRecord]]:
        """The records. Call it once, after all were read: nothing else holds their memory from then on."""
        numbers = self._arrays or {name: mx.array(memory) for name, memory in self._memory.items()}
        arrays = {name: number.view(DTYPES[self._forms[name][0]]) for name, number in numbers.items()}
        mx.eval(arrays)
        self._arrays.clear()
        self._memory.clear()
        block = Block(self.run[0].segment.start, self.run[-1].segment.end, arrays)
        for one in self.run:
            yield one.key, BlockPart(block, one.segment.start, one.segment.end) if self._joined else arrays


def _memory_is_shared() -> bool:
    """Whether the processor writes where MLX computes: in a Mac's memory, and on a CPU."""
    return mx.default_device() == mx.Device(mx.cpu) or not mx.cuda.is_available()


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
    first = run[0]
    try:
        reading = files.enter_context(store.reading(first.record))
        forms = _forms(reading)
    except DamagedRecord as damage:
        damaged[first.key] = first.record, damage
        return []
    start, end = first.segment.start, run[-1].segment.end
    tokens = capacity(max(end, min(limit, end + end // 4))) if start == 0 else end - start
    if first.record.kind != RecordKind.KV or not _by_token(forms, first, tokens):
        rest = _planned(store, run[1:], limit, files, damaged) if run[1:] else []
        return [_Buffers(run[:1], reading, forms, 0), *rest]
    of_a_token = sum(tensor_bytes(dtype, _with_tokens(shape, 1)) for dtype, shape in forms.values())
    for one in run:
        if one.record.bytes < of_a_token * one.tokens:
            damaged[one.key] = one.record, DamagedRecord(Damage.LAYOUT, "it is not like those beside it")
    return [] if any(one.key in damaged for one in run) else [_Buffers(run, reading, forms, tokens)]


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
        and (shape[0], shape[TOKEN_AXIS]) == (1, first.tokens)
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
