"""Reads records from disk straight into the memory where they stay. On the I/O thread.

The keys and values of consecutive segments become one array for each layer. Records of other kinds keep the layout of
their files. The bytes get their types later, on the MLX thread.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Final

import mlx.core as mx

from engine.cache.codec.span import TOKEN_AXIS, capacity
from engine.cache.disk.buffers import LARGEST, filled, grows_in_place
from engine.cache.disk.portions import portions
from engine.cache.disk.reader_threads import LIMITS, ReadJob, ReadLimits, RecordForm
from engine.cache.disk.slabs import Slabs
from storage.errors import Damage, DamagedRecord
from storage.segments.records import ITEM_BYTES, RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.cache.disk.buffers import Bytes
    from engine.cache.disk.portions import Portion
    from engine.cache.segment import Segment
    from storage.segments.header import Head
    from storage.segments.reading import Reading
    from storage.segments.records import StoredRecord
    from storage.segments.safetensors import TensorPlace
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

_AXES = 4
_UNLIMITED: Final = 1 << 62


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
        made = [run for wanted in runs for part in _short_runs(wanted, limits) for run in opener.runs(part)]
        slabs = Slabs(store, made, limits, _UNLIMITED if grows_in_place() else limits.slab)
        files.callback(slabs.close)
        arrays = iter(
            [array for slab in filled(slabs.sizes, slabs.fill, slabs.abandon, limits.senders) for array in slab]
        )
        damaged += slabs.damaged
    for record, damage in damaged:
        log.warning("%s record of %s: %s", record.kind, record.segment, damage)
        store.refuse(record, damage)
    bad = [(record.segment, record.kind) for record, _ in damaged]
    loaded = [run.loaded(list(islice(arrays, len(run.sizes)))) for run in made]
    return {place: whole for records in loaded for place, whole in records.items() if place not in bad}, bad


def _short_runs(run: Sequence[RecordToRead], limits: ReadLimits) -> Iterator[Sequence[RecordToRead]]:
    """The run in parts. If no conversation continues in its buffer, a part has one slab, unless it is a single record:
    then each thread reads records of its own. One that reads a part of each record takes longer.
    """
    part: list[RecordToRead] = []
    size = 0
    for wanted in run:
        if part and size + wanted.record.bytes > limits.slab and not grows_in_place():
            yield part
            part, size = [], 0
        part.append(wanted)
        size += wanted.record.bytes
    yield part


class _Run:
    """The places of a run's records in its buffers, which have `sizes` in bytes.

    Made after the header of the first record was checked and the index promises enough bytes.
    """

    def __init__(
        self, run: Sequence[RecordToRead], first: Reading, tokens: int, limits: ReadLimits, slab: int = LARGEST
    ) -> None:
        """`first`: the first record. `tokens`: how many tokens the joined arrays have room for; 0 if not joined.
        `slab`: the most bytes of rows that are filled together.
        """
        self._run = run
        self._first = first
        self._joined = bool(tokens)
        self._tokens = tokens or 1
        self._limits = limits
        self._start, self._end = run[0].segment.start, run[-1].segment.end
        self._places = list(first.head.places.items())
        self._in_slabs = slab < LARGEST
        shared = limits.shared if not self._in_slabs else LARGEST if tokens else slab  # few: all are copied out anyway
        groups = list(_groups(self._places, tokens, shared))
        self._slots = tuple(slot for group in groups for slot in group)
        rows = [_rows(group) if tokens else (1, sum(slot.bytes for slot in group)) for group in groups]
        divided = [list(_divided(count, size, max(1, slab // max(1, self._tokens * size)))) for count, size in rows]
        self._parts = [len(parts) for parts in divided]
        self._rows = [part for parts in divided for part in parts]
        self.sizes = [count * self._tokens * size for count, size in self._rows]

    def jobs(self, slabs: Sequence[Sequence[int]]) -> list[ReadJob]:
        """One job for each record. `slabs` are the numbers of the buffers that are filled together."""
        opened = [self._first, *(None for _ in self._run[1:])]
        forms = {tokens: self._form(tokens, slabs) for tokens in {self._span(wanted)[2] for wanted in self._run}}
        return [
            ReadJob(wanted.record, forms[self._span(wanted)[2]], reading)
            for wanted, reading in zip(self._run, opened, strict=True)
        ]

    def _span(self, wanted: RecordToRead) -> tuple[int, int, int]:
        """First and last token of a record in the joined arrays, and their number. Else it is one token of one row."""
        if not self._joined:
            return 0, 1, 1
        return wanted.segment.start - self._start, wanted.segment.end - self._start, _tokens(wanted.segment)

    def _form(self, tokens: int, slabs: Sequence[Sequence[int]]) -> RecordForm:
        shape = (lambda old: _with_tokens(old, tokens)) if self._joined else tuple
        tensors = [(name, at.dtype, shape(at.shape)) for name, at in self._places]
        made: list[tuple[Portion, ...]] = []
        last: Portion | None = None
        for numbers in slabs:
            targets = [(self._rows[number][0], tokens * self._rows[number][1]) for number in numbers]
            made.append(portions(targets, self._portion(targets), self._limits.direct, last))
            last = made[-1][-1] if made[-1] else last
        return RecordForm(tensors, made)

    def _portion(self, targets: Sequence[tuple[int, int]]) -> int:
        """The bytes to read at once. A slab of long rows is one portion: its thread calls the system once, and no other
        thread helps.
        """
        long = self._in_slabs and all(length >= self._limits.direct for _, length in targets)
        return self._limits.slab if long else self._limits.scratch

    def targets(self, numbers: Sequence[int], contents: Sequence[Bytes]) -> Iterator[list[Bytes]]:
        """Each record's rows in the buffers `numbers`, whose memory is `contents`.

        A record stores each row's tokens in sequence, and row after row.
        """
        sizes = [self._rows[number] for number in numbers]
        shaped = [
            content.reshape(rows, self._tokens * size) for content, (rows, size) in zip(contents, sizes, strict=True)
        ]
        for begin, end, _ in map(self._span, self._run):
            yield [rows[:, begin * size : end * size] for rows, (_, size) in zip(shaped, sizes, strict=True)]

    def loaded(self, arrays: Sequence[mx.array]) -> dict[tuple[str, str], LoadedRecords]:
        """Each record with the arrays that it is part of. `arrays` are the filled buffers."""
        left = iter(arrays)
        buffers = tuple(_joined([*islice(left, parts)]) for parts in self._parts)
        whole = LoadedRecords(self._start, self._end, self._joined, self._slots, buffers)
        return {(wanted.record.segment, wanted.record.kind): whole for wanted in self._run}


def _divided(rows: int, size: int, most: int) -> Iterator[tuple[int, int]]:
    """Rows of `size` bytes a token, at most so many together: their number and their size. There may be none at all."""
    yield from ((min(most, rows - first), size) for first in range(0, max(1, rows), most))


def _joined(parts: Sequence[mx.array]) -> mx.array:
    """The rows of several slabs in one array, evaluated."""
    if len(parts) == 1:
        return parts[0]
    whole = mx.concatenate(list(parts))
    mx.eval(whole)
    return whole


@dataclass(frozen=True, slots=True)
class _Opener:
    """Opens the first record of each run and plans the run. `files` closes what it opened."""

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
        slab = LARGEST if grows_in_place() else self.limits.slab
        return [_Run(run, first, tokens if joined else 0, self.limits, slab)]


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
        and _bytes(at) // tokens * total <= LARGEST
        for at in head.places.values()
    )


def _rows(group: Sequence[Slot]) -> tuple[int, int]:
    """The rows of joined arrays, which are alike, and the bytes of a token in a row."""
    return sum(prod(slot.shape[:TOKEN_AXIS]) for slot in group), group[0].shape[-1] * ITEM_BYTES[group[0].dtype]


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
