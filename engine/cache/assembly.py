"""Assembly: records read from the disk straight to where they stay. Owns the memory of what is read together, and who
reads what of it; which records are read is left to `engine.cache.disk`, giving types to bytes to `engine.cache.wire`.

The keys and values of consecutive segments become one array a layer: a record's bytes are read in small pieces, added
to its checksum and put in their place while they are in the processor's cache. Records of other kinds are kept as they
are in their files. On the I/O thread, with some threads beside it; these compute nothing with MLX.
"""

from __future__ import annotations

import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from engine.cache.slab import blank
from engine.cache.span import TOKEN_AXIS
from storage.errors import Damage, DamagedRecord, StorageError, classified
from storage.segments.records import ITEM_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import mlx.core as mx
    import numpy.typing as npt

    from engine.cache.segment import Segment
    from engine.cache.slab import Slab
    from storage.segments.header import Head, Place
    from storage.segments.reading import Reading
    from storage.segments.records import StoredRecord
    from storage.segments.store import SegmentStore

    Bytes = npt.NDArray[np.uint8]

log = logging.getLogger(__name__)

SLAB_BYTES = 1 << 23
"""Layers share a slab up to this size; larger ones would go back to the system when freed, to be cleared anew."""

SCRATCH_BYTES = 1 << 19
"""Read at once: what the processor's cache holds."""

DIRECT_BYTES = 1 << 13
"""What a record has for one place, from this much on, is read right there; less is read together and then moved."""

ALONE_BYTES = 1 << 23
"""Up to this much is read by one thread: others would take as long to start."""

MOST_READERS = 4

_LARGEST = (1 << 31) - 1
"""Bytes of an array that MLX can cut."""

_AXES = 4

Form = list[tuple[str, str, tuple[int, ...]]]
"""Names, types and shapes, in the order of a file."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an array lies: its type by its name in files, its shape, and its first byte in one of the slabs."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    slab: int
    offset: int

    @property
    def bytes(self) -> int:
        """The size of the array."""
        return prod(self.shape) * ITEM_BYTES[self.dtype]


@dataclass(frozen=True, slots=True, eq=False)
class Assembled:
    """Records as they were read. `joined`: each array holds the tokens of all its records, from `start` to `end`."""

    start: int
    end: int
    joined: bool
    slots: tuple[Slot, ...]
    slabs: tuple[mx.array, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A record to be read, and whose it is."""

    segment: Segment
    record: StoredRecord


def read(
    store: SegmentStore, runs: Sequence[Sequence[Wanted]]
) -> tuple[dict[tuple[str, str], Assembled], list[tuple[str, str]]]:
    """Read runs of records of one kind, those of keys and values of segments that follow each other.

    What was read, by segment's key and kind, and what is damaged: the store has put that aside. Where the first of a
    run cannot be trusted, none of it is read. Raises EnvironmentProblem.
    """
    damaged: list[tuple[StoredRecord, DamagedRecord]] = []
    frames = [frame for run in runs for frame in _frames(store, run, damaged)]
    _Readers(store, [job for frame in frames for job in frame.jobs()], damaged).run()
    for record, damage in damaged:
        log.warning("%s record of %s: %s", record.kind, record.segment, damage)
        store.refuse(record, damage)
    bad = [(record.segment, record.kind) for record, _ in damaged]
    return {place: whole for frame in frames for place, whole in frame.assembled() if place not in bad}, bad


class _Frame:
    """The memory of a run, made when the header of its first record was checked and the index promises enough bytes."""

    def __init__(self, run: Sequence[Wanted], first: Head, *, joined: bool) -> None:
        self._run = run
        self._joined = joined
        self._start, self._end = run[0].segment.start, run[-1].segment.end
        self._places = list(first.places.items())
        self._forms: dict[int, Form] = {}
        groups = list(_groups(self._places, self._end - self._start if joined else 0))
        self._slots = tuple(slot for group in groups for slot in group)
        self._slabs = [blank(sum(slot.bytes for slot in group)) for group in groups]
        self._rows = [self._laid(slab, group) for slab, group in zip(self._slabs, groups, strict=True)]

    def _laid(self, slab: Slab, group: Sequence[Slot]) -> Bytes:
        """The slab as rows, tokens and bytes: in a record, each row's tokens follow one another, and so do the rows."""
        if not self._joined:
            return slab.content.reshape(1, 1, -1)
        return slab.content.reshape(-1, self._end - self._start, group[0].shape[-1] * ITEM_BYTES[group[0].dtype])

    def jobs(self) -> Iterator[_Job]:
        """One for each record."""
        for wanted in self._run:
            first = wanted.segment.start - self._start if self._joined else 0
            last = wanted.segment.end - self._start if self._joined else 1
            yield _Job(wanted.record, self._form(last - first), [rows[:, first:last] for rows in self._rows])

    def _form(self, tokens: int) -> Form:
        if tokens not in self._forms:
            shape = (lambda old: _with_tokens(old, tokens)) if self._joined else tuple
            self._forms[tokens] = [(name, at.dtype, shape(at.shape)) for name, at in self._places]
        return self._forms[tokens]

    def assembled(self) -> Iterator[tuple[tuple[str, str], Assembled]]:
        """Each record with the whole that it is in, once all were read."""
        self._rows.clear()
        slabs = tuple(slab.filled() for slab in self._slabs)
        whole = Assembled(self._start, self._end, self._joined, self._slots, slabs)
        return (((wanted.record.segment, wanted.record.kind), whole) for wanted in self._run)


def _frames(
    store: SegmentStore, run: Sequence[Wanted], damaged: list[tuple[StoredRecord, DamagedRecord]]
) -> list[_Frame]:
    """One for the whole run, or one for each record if they cannot be joined."""
    try:
        with store.reading(run[0].record) as reading:
            first = reading.head
    except DamagedRecord as damage:
        damaged.append((run[0].record, damage))
        return []
    joined = _by_token(first, run[0].segment, run[-1].segment.end - run[0].segment.start)
    if not joined and len(run) > 1:
        return [frame for wanted in run for frame in _frames(store, [wanted], damaged)]
    if small := [wanted.record for wanted in run if wanted.record.bytes < _promised(first, run[0], wanted)]:
        damaged.extend((record, DamagedRecord(Damage.LAYOUT, "it is not like those beside it")) for record in small)
        return []
    return [_Frame(run, first, joined=joined)]


def _promised(head: Head, first: Wanted, wanted: Wanted) -> int:
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


def _bytes(at: Place) -> int:
    return at.span[1] - at.span[0]


def _with_tokens(shape: tuple[int, ...], tokens: int) -> tuple[int, ...]:
    return (*shape[:TOKEN_AXIS], tokens, *shape[TOKEN_AXIS + 1 :])


def _groups(places: Sequence[tuple[str, Place]], tokens: int) -> Iterator[list[Slot]]:
    """Arrays that share a slab: neighbours in the file, where they are joined also of one type and shape.

    `tokens` is how many the joined arrays hold; 0 if they are not joined.
    """
    group: list[Slot] = []
    number = size = 0
    for name, at in places:
        shape = _with_tokens(at.shape, tokens) if tokens else at.shape
        new = Slot(name, at.dtype, shape, number, size)
        alike = not tokens or not group or (group[0].dtype, group[0].shape) == (new.dtype, new.shape)
        if group and (not alike or size + new.bytes > SLAB_BYTES):
            yield group
            number, size, group = number + 1, 0, []
            new = Slot(name, at.dtype, shape, number, size)
        group.append(new)
        size += new.bytes
    if group:
        yield group


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """A record, what its header has to say, and where its bytes go."""

    record: StoredRecord
    form: Form
    targets: Sequence[Bytes]

    def read(self, reading: Reading, scratch: Bytes) -> None:
        """Raises DamagedRecord and OSError."""
        if [(name, at.dtype, at.shape) for name, at in reading.head.places.items()] != self.form:
            raise DamagedRecord(Damage.LAYOUT, "it is not like those beside it")
        for batch in _batches(self.targets, scratch.size):
            _fill(reading, batch, scratch)
        reading.finish()


def _batches(targets: Sequence[Bytes], size: int) -> Iterator[list[Bytes]]:
    """What is read at once, of at most `size` bytes: rows of (tokens, bytes), each of them without gaps."""
    batch: list[Bytes] = []
    room = size
    for part in (part for rows in targets for part in _parts(rows, size)):
        if part.size > room:
            yield batch
            batch, room = [], size
        batch.append(part)
        room -= part.size
    if batch:
        yield batch


def _parts(rows: Bytes, size: int) -> Iterator[Bytes]:
    """Some rows after the other, or a row bit by bit."""
    long = rows[0].size if len(rows) else 0
    if long > size:
        whole = (row.reshape(1, -1) for row in rows)
        yield from (row[:, first : first + size] for row in whole for first in range(0, long, size))
    elif long:
        count = size // long
        yield from (rows[first : first + count] for first in range(0, len(rows), count))


def _fill(reading: Reading, batch: Sequence[Bytes], scratch: Bytes) -> None:
    if all(part[0].size >= DIRECT_BYTES for part in batch):
        reading.into(*(row.data for part in batch for row in part))
        return
    read = scratch[: sum(part.size for part in batch)]
    reading.into(read.data)
    at = 0
    for part in batch:
        part[...] = read[at : at + part.size].reshape(part.shape)
        at += part.size


class _Readers:
    """Threads that share jobs. The first error ends all of them."""

    def __init__(
        self, store: SegmentStore, jobs: Sequence[_Job], damaged: list[tuple[StoredRecord, DamagedRecord]]
    ) -> None:
        self._store = store
        self._jobs = iter(jobs)
        self._size = sum(job.record.bytes for job in jobs)
        self._damaged = damaged
        self._errors: list[StorageError] = []
        self._lock = threading.Lock()

    def run(self) -> None:
        """Do all jobs. Raises EnvironmentProblem."""
        if self._size <= ALONE_BYTES:
            self._work()
        else:
            with ThreadPoolExecutor(min(MOST_READERS, os.cpu_count() or 1), "segment-reader") as pool:
                for reader in [pool.submit(self._work) for _ in range(MOST_READERS)]:
                    reader.result()
        if self._errors:
            raise self._errors[0]

    def _work(self) -> None:
        scratch = np.empty(SCRATCH_BYTES, np.uint8)
        while job := self._next():
            try:
                with classified(), self._store.reading(job.record) as reading:
                    job.read(reading, scratch)
            except DamagedRecord as damage:
                self._damaged.append((job.record, damage))
            except StorageError as error:
                self._errors.append(error)

    def _next(self) -> _Job | None:
        with self._lock:
            return None if self._errors else next(self._jobs, None)
