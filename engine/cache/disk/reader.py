"""Reads records from disk straight into the memory where they stay. On the I/O thread.

The keys and values of consecutive segments become one array for each layer. Records of other kinds keep the layout of
their files. The bytes get their types later, on the MLX thread.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from engine.cache.codec.span import TOKEN_AXIS, capacity
from engine.cache.disk import reader_threads
from engine.cache.disk.buffers import allocate, grows_in_place
from engine.cache.disk.portions import portions
from engine.cache.disk.reader_threads import LIMITS, ReadJob, ReadLimits, RecordForm
from storage.errors import Damage, DamagedRecord
from storage.segments.records import ITEM_BYTES, RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import mlx.core as mx

    from engine.cache.disk.buffers import Buffer
    from engine.cache.disk.reader_threads import Bytes
    from engine.cache.segment import Segment
    from storage.segments.header import Head
    from storage.segments.reading import Reading
    from storage.segments.records import StoredRecord
    from storage.segments.safetensors import TensorPlace
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

_LARGEST = (1 << 31) - 1
"""Bytes of the largest array that MLX can slice."""

_AXES = 4


@dataclass(frozen=True, slots=True)
class Slot:
    """An array in a buffer: its safetensors dtype, its shape, and its first byte in buffer number `buffer`."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    buffer: int
    offset: int

    @property
    def bytes(self) -> int:
        """The size of the array."""
        return prod(self.shape) * ITEM_BYTES[self.dtype]


@dataclass(frozen=True, slots=True, eq=False)
class LoadedRecords:
    """Records as they were read.

    If `joined`, each array holds the tokens of all records, from `start` to `end`, and may have room for more.
    """

    start: int
    end: int
    joined: bool
    slots: tuple[Slot, ...]
    buffers: tuple[mx.array, ...]


@dataclass(frozen=True, slots=True)
class RecordToRead:
    """A record to read, and its segment."""

    segment: Segment
    record: StoredRecord


def read(
    store: SegmentStore, runs: Sequence[Sequence[RecordToRead]], limit: int = 0, limits: ReadLimits = LIMITS
) -> tuple[dict[tuple[str, str], LoadedRecords], list[tuple[str, str]]]:
    """Read runs of records of one kind; key-value records in a run belong to consecutive segments.

    If a run begins at token 0, its arrays get room for more tokens: up to token `limit`, at most a quarter more.

    Returns the records by segment key and kind, and the damaged ones, which the store has quarantined. If the first
    record of a run is damaged, none of the run is read. Raises EnvironmentProblem.
    """
    damaged: list[tuple[StoredRecord, DamagedRecord]] = []
    with ExitStack() as files:
        opener = _Opener(store, limit, limits, files, damaged)
        made_runs = [made for run in runs for made in opener.runs(run)]
        damaged += reader_threads.fill(store, [job for made in made_runs for job in made.jobs()], limits)
    for record, damage in damaged:
        log.warning("%s record of %s: %s", record.kind, record.segment, damage)
        store.refuse(record, damage)
    bad = [(record.segment, record.kind) for record, _ in damaged]
    return {place: whole for made in made_runs for place, whole in made.loaded() if place not in bad}, bad


class _Run:
    """The memory of a run. Allocated after the header of its first record was checked and the index promises enough
    bytes.
    """

    def __init__(
        self, run: Sequence[RecordToRead], first: Reading, tokens: int, limits: ReadLimits, shared: int
    ) -> None:
        """`first`: the first record. `tokens`: how many tokens the joined arrays have room for; 0 if not joined.
        `shared`: the most bytes of a buffer that arrays share.
        """
        self._run = run
        self._first = first
        self._joined = bool(tokens)
        self._tokens = tokens
        self._limits = limits
        self._start, self._end = run[0].segment.start, run[-1].segment.end
        self._places = list(first.head.places.items())
        self._forms: dict[int, RecordForm] = {}
        groups = list(_groups(self._places, tokens, shared))
        self._slots = tuple(slot for group in groups for slot in group)
        self._buffers = allocate([sum(slot.bytes for slot in group) for group in groups])
        self._targets = [self._target(buffer, group) for buffer, group in zip(self._buffers, groups, strict=True)]

    def _target(self, buffer: Buffer, group: Sequence[Slot]) -> tuple[Bytes, int]:
        """The buffer as (rows, bytes), and the bytes of a token in a row. An unjoined record is one token of one row.

        A record stores each row's tokens in sequence, and row after row. The number of rows is computed, because the
        size of an empty buffer does not tell it.
        """
        if not self._joined:
            return buffer.content.reshape(1, buffer.content.size), buffer.content.size
        rows = sum(prod(slot.shape[:TOKEN_AXIS]) for slot in group)
        size = group[0].shape[-1] * ITEM_BYTES[group[0].dtype]
        return buffer.content.reshape(rows, self._tokens * size), size

    def jobs(self) -> Iterator[ReadJob]:
        """One job for each record."""
        first: Reading | None = self._first
        for wanted in self._run:
            begin = wanted.segment.start - self._start if self._joined else 0
            end = wanted.segment.end - self._start if self._joined else 1
            targets = [rows[:, begin * size : end * size] for rows, size in self._targets]
            yield ReadJob(wanted.record, self._form(end - begin), targets, first)
            first = None

    def _form(self, tokens: int) -> RecordForm:
        if tokens not in self._forms:
            shape = (lambda old: _with_tokens(old, tokens)) if self._joined else tuple
            tensors = [(name, at.dtype, shape(at.shape)) for name, at in self._places]
            rows = [(len(rows), tokens * size) for rows, size in self._targets]
            self._forms[tokens] = RecordForm(tensors, portions(rows, self._limits.scratch, self._limits.direct))
        return self._forms[tokens]

    def loaded(self) -> Iterator[tuple[tuple[str, str], LoadedRecords]]:
        """Each record with the arrays that it is part of. Call it when all jobs are done."""
        self._targets.clear()
        buffers = tuple(buffer.as_array() for buffer in self._buffers)
        whole = LoadedRecords(self._start, self._end, self._joined, self._slots, buffers)
        return (((wanted.record.segment, wanted.record.kind), whole) for wanted in self._run)


@dataclass(frozen=True, slots=True)
class _Opener:
    """Opens the first record of each run and reserves memory for the run. `files` closes what it opened."""

    store: SegmentStore
    limit: int
    limits: ReadLimits
    files: ExitStack
    damaged: list[tuple[StoredRecord, DamagedRecord]]

    def runs(self, run: Sequence[RecordToRead]) -> list[_Run]:
        """One run for all records, or one for each if they cannot be joined."""
        try:
            first = self.files.enter_context(self.store.reading(run[0].record))
        except DamagedRecord as damage:
            self.damaged.append((run[0].record, damage))
            return []
        tokens = _capacity(run, self.limit)
        joined = run[0].record.kind == RecordKind.KV and _by_token(first.head, run[0].segment, tokens)
        if not joined and len(run) > 1:
            return [made for wanted in run for made in self.runs([wanted])]
        if small := _too_small(first.head, run):
            alien = DamagedRecord(Damage.LAYOUT, "it is not like those beside it")
            self.damaged.extend((record, alien) for record in small)
            return []
        return [_Run(run, first, tokens if joined else 0, self.limits, self._shared())]

    def _shared(self) -> int:
        """The most bytes of a buffer that arrays share.

        If no conversation continues in a buffer, all arrays are copied out of it anyway. One allocation is then
        cheaper: on CUDA each takes 0.14 ms.
        """
        return self.limits.shared if grows_in_place() else _LARGEST


def _capacity(run: Sequence[RecordToRead], limit: int) -> int:
    """The tokens to reserve room for: a conversation restored from token 0 continues in this buffer."""
    start, end = run[0].segment.start, run[-1].segment.end
    return capacity(max(end, min(limit, end + end // 4))) if start == 0 and grows_in_place() else end - start


def _too_small(head: Head, run: Sequence[RecordToRead]) -> list[StoredRecord]:
    """The records with fewer bytes than they have if they are like the first, whose header is `head`.

    No memory is allocated for them.
    """
    bytes_of_a_token = sum(map(_bytes, head.places.values())) // _tokens(run[0].segment)
    return [wanted.record for wanted in run if wanted.record.bytes < bytes_of_a_token * _tokens(wanted.segment)]


def _tokens(segment: Segment) -> int:
    return segment.end - segment.start


def _by_token(head: Head, segment: Segment, total: int) -> bool:
    """Whether each array holds its segment's tokens, so that `total` tokens of several records fit into one array."""
    tokens = segment.end - segment.start
    return all(
        len(at.shape) == _AXES
        and (at.shape[0], at.shape[TOKEN_AXIS]) == (1, tokens)
        and _bytes(at) // tokens * total <= _LARGEST
        for at in head.places.values()
    )


def _bytes(at: TensorPlace) -> int:
    return at.span[1] - at.span[0]


def _with_tokens(shape: tuple[int, ...], tokens: int) -> tuple[int, ...]:
    return (*shape[:TOKEN_AXIS], tokens, *shape[TOKEN_AXIS + 1 :])


def _groups(places: Sequence[tuple[str, TensorPlace]], tokens: int, shared: int) -> Iterator[list[Slot]]:
    """Arrays that share a buffer: neighbours in the file. If they are joined, also of one type and shape.

    `tokens` is how many tokens the joined arrays hold; 0 if they are not joined. A buffer has at most `shared` bytes,
    unless one array is larger.
    """
    group: list[Slot] = []
    number = size = 0
    for name, at in places:
        shape = _with_tokens(at.shape, tokens) if tokens else at.shape
        new = Slot(name, at.dtype, shape, number, size)
        alike = not tokens or not group or (group[0].dtype, group[0].shape) == (new.dtype, new.shape)
        if group and (not alike or size + new.bytes > shared):
            yield group
            number, size, group = number + 1, 0, []
            new = Slot(name, at.dtype, shape, number, size)
        group.append(new)
        size += new.bytes
    if group:
        yield group
