"""Assembly: records read from the disk straight to where they stay. Owns the memory of what is read together; filling
it is left to `engine.cache.disk.reader_threads`, which records are read to `engine.cache.disk.tier`, giving types to
bytes to `engine.cache.disk.dtypes`.

The keys and values of consecutive segments become one array a layer. Records of other kinds are kept as they are in
their files. On the I/O thread.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from engine.cache.codec.span import TOKEN_AXIS, capacity
from engine.cache.disk import reader_threads
from engine.cache.disk.buffers import allocate, grows_in_place
from engine.cache.disk.reader_threads import ReadJob
from storage.errors import Damage, DamagedRecord
from storage.segments.records import ITEM_BYTES, RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import mlx.core as mx

    from engine.cache.disk.buffers import Buffer
    from engine.cache.disk.reader_threads import Bytes, TensorForms
    from engine.cache.segment import Segment
    from storage.segments.header import Head
    from storage.segments.records import StoredRecord
    from storage.segments.safetensors import TensorPlace
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

SHARED_BUFFER_BYTES = 1 << 20
"""Arrays share a slab up to this size: to copy them out of it when one of them changes costs nothing."""

_LARGEST = (1 << 31) - 1
"""Bytes of an array that MLX can cut."""

_AXES = 4


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an array lies: its type by its name in files, its shape, and its first byte in one of the slabs."""

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
    """Records as they were read. `joined`: each array holds the tokens of all its records, from `start` to `end`, and
    may have room for more.
    """

    start: int
    end: int
    joined: bool
    slots: tuple[Slot, ...]
    buffers: tuple[mx.array, ...]


@dataclass(frozen=True, slots=True)
class RecordToRead:
    """A record to be read, and whose it is."""

    segment: Segment
    record: StoredRecord


def read(
    store: SegmentStore, runs: Sequence[Sequence[RecordToRead]], limit: int = 0
) -> tuple[dict[tuple[str, str], LoadedRecords], list[tuple[str, str]]]:
    """Read runs of records of one kind, those of keys and values of segments that follow each other. Where these begin
    at token 0, there will be room behind them, up to token `limit` or for a quarter more of them.

    What was read, by segment's key and kind, and what is damaged: the store has put that aside. Where the first of a
    run cannot be trusted, none of it is read. Raises EnvironmentProblem.
    """
    damaged: list[tuple[StoredRecord, DamagedRecord]] = []
    made_runs = [made for run in runs for made in _runs(store, run, limit, damaged)]
    damaged += reader_threads.fill(store, [job for made in made_runs for job in made.jobs()])
    for record, damage in damaged:
        log.warning("%s record of %s: %s", record.kind, record.segment, damage)
        store.refuse(record, damage)
    bad = [(record.segment, record.kind) for record, _ in damaged]
    return {place: whole for made in made_runs for place, whole in made.loaded() if place not in bad}, bad


class _Run:
    """The memory of a run, made when the header of its first record was checked and the index promises enough bytes."""

    def __init__(self, run: Sequence[RecordToRead], first: Head, tokens: int) -> None:
        """`tokens`: how many the joined arrays are to have room for; 0 if they are not joined."""
        self._run = run
        self._joined = bool(tokens)
        self._tokens = tokens
        self._start, self._end = run[0].segment.start, run[-1].segment.end
        self._places = list(first.places.items())
        self._forms: dict[int, TensorForms] = {}
        groups = list(_groups(self._places, tokens))
        self._slots = tuple(slot for group in groups for slot in group)
        self._buffers = allocate([sum(slot.bytes for slot in group) for group in groups])
        self._rows = [self._as_rows(buffer, group) for buffer, group in zip(self._buffers, groups, strict=True)]

    def _as_rows(self, buffer: Buffer, group: Sequence[Slot]) -> Bytes:
        """The slab as rows, tokens and bytes: in a record, each row's tokens follow one another, and so do the rows.

        The number of rows is computed, because it does not follow from the size of a slab of 0 bytes.
        """
        if not self._joined:
            return buffer.content.reshape(1, 1, -1)
        rows = sum(prod(slot.shape[:TOKEN_AXIS]) for slot in group)
        return buffer.content.reshape(rows, self._tokens, group[0].shape[-1] * ITEM_BYTES[group[0].dtype])

    def jobs(self) -> Iterator[ReadJob]:
        """One for each record."""
        for wanted in self._run:
            first = wanted.segment.start - self._start if self._joined else 0
            last = wanted.segment.end - self._start if self._joined else 1
            yield ReadJob(wanted.record, self._form(last - first), [rows[:, first:last] for rows in self._rows])

    def _form(self, tokens: int) -> TensorForms:
        if tokens not in self._forms:
            shape = (lambda old: _with_tokens(old, tokens)) if self._joined else tuple
            self._forms[tokens] = [(name, at.dtype, shape(at.shape)) for name, at in self._places]
        return self._forms[tokens]

    def loaded(self) -> Iterator[tuple[tuple[str, str], LoadedRecords]]:
        """Each record with the whole that it is in, once all were read."""
        self._rows.clear()
        buffers = tuple(buffer.as_array() for buffer in self._buffers)
        whole = LoadedRecords(self._start, self._end, self._joined, self._slots, buffers)
        return (((wanted.record.segment, wanted.record.kind), whole) for wanted in self._run)


def _runs(
    store: SegmentStore, run: Sequence[RecordToRead], limit: int, damaged: list[tuple[StoredRecord, DamagedRecord]]
) -> list[_Run]:
    """One for the whole run, or one for each record if they cannot be joined."""
    try:
        with store.reading(run[0].record) as reading:
            first = reading.head
    except DamagedRecord as damage:
        damaged.append((run[0].record, damage))
        return []
    tokens = _capacity(run, limit)
    joined = run[0].record.kind == RecordKind.KV and _by_token(first, run[0].segment, tokens)
    if not joined and len(run) > 1:
        return [made for wanted in run for made in _runs(store, [wanted], limit, damaged)]
    if small := [wanted.record for wanted in run if wanted.record.bytes < _least_bytes(first, run[0], wanted)]:
        damaged.extend((record, DamagedRecord(Damage.LAYOUT, "it is not like those beside it")) for record in small)
        return []
    return [_Run(run, first, tokens if joined else 0)]


def _capacity(run: Sequence[RecordToRead], limit: int) -> int:
    """The tokens to make room for: a conversation from its beginning on is gone on with right there."""
    start, end = run[0].segment.start, run[-1].segment.end
    return capacity(max(end, min(limit, end + end // 4))) if start == 0 and grows_in_place() else end - start


def _least_bytes(head: Head, first: RecordToRead, wanted: RecordToRead) -> int:
    """The bytes that a record must have if it is like the first, whose header is `head`. No memory is made for less."""
    of_first, of_wanted = (one.segment.end - one.segment.start for one in (first, wanted))
    return sum(map(_bytes, head.places.values())) // of_first * of_wanted


def _by_token(head: Head, segment: Segment, total: int) -> bool:
    """Whether each array holds its segment's tokens, so that others, `total` in all, can lie in the same memory."""
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


def _groups(places: Sequence[tuple[str, TensorPlace]], tokens: int) -> Iterator[list[Slot]]:
    """Arrays that share a slab: neighbours in the file, where they are joined also of one type and shape.

    `tokens` is how many the joined arrays hold; 0 if they are not joined.
    """
    group: list[Slot] = []
    number = size = 0
    for name, at in places:
        shape = _with_tokens(at.shape, tokens) if tokens else at.shape
        new = Slot(name, at.dtype, shape, number, size)
        alike = not tokens or not group or (group[0].dtype, group[0].shape) == (new.dtype, new.shape)
        if group and (not alike or size + new.bytes > SHARED_BUFFER_BYTES):
            yield group
            number, size, group = number + 1, 0, []
            new = Slot(name, at.dtype, shape, number, size)
        group.append(new)
        size += new.bytes
    if group:
        yield group
