"""Threads that read records into memory and verify their checksums.

A portion is as large as the processor's cache: it is read, added to the checksum and moved into place while it is
there. Each thread takes a record of its own; a thread that finds no new record helps with the ones in progress. These
threads never call MLX.

A record may lie in several slabs, which other threads fill at the same time.

Invariant: the bytes of a record enter its checksum in the order of the file, whichever thread read them.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.cache.disk.senders import MOST_SENDERS
from storage.errors import Damage, DamagedRecord, StorageError, classified

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.cache.disk.buffers import Bytes
    from engine.cache.disk.portions import Portion
    from storage.segments.reading import Reading
    from storage.segments.records import StoredRecord
    from storage.segments.store import SegmentStore

TensorForms = list[tuple[str, str, tuple[int, ...]]]
"""Names, types and shapes, in the order of a file."""


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How reading is divided, in bytes.

    `scratch` bytes are read at once: what the processor's cache holds. Rows of `direct` bytes or more are read straight
    into place; shorter ones are read together and then moved. There are up to `threads`, one for `each` so many bytes:
    starting one takes as long as reading a few megabytes. Arrays share a buffer up to `shared` bytes: copying one of
    them out of it costs next to nothing. A GPU with memory of its own is sent slabs of `slab` bytes, so many at once as
    there are `senders`.
    """

    scratch: int = 1 << 19
    direct: int = 1 << 13
    each: int = 1 << 23
    threads: int = min(8, os.cpu_count() or 1)
    shared: int = 1 << 20
    slab: int = 1 << 22
    senders: int = MOST_SENDERS


LIMITS = ReadLimits()
"""If no row decodes."""
BESIDE_ROWS = ReadLimits(senders=1)
"""While rows decode: no step can begin during a transfer, and transfers that wait for each other come before it."""


def fill(store: SegmentStore, parts: Sequence[RecordPart], limits: ReadLimits = LIMITS) -> None:
    """Read all parts, which lie in one slab. Raises EnvironmentProblem."""
    _Readers(store, parts, limits).run()
    for part in parts:
        part.job.wait(part.slab)


@dataclass(frozen=True, slots=True)
class RecordForm:
    """The tensors that each header of records of one length must describe, and the portions of a record by slab."""

    tensors: TensorForms
    portions: Sequence[Sequence[Portion]]


class RecordPart(NamedTuple):
    """The part of a record in one of its slabs, and the targets of its bytes: arrays of (rows, bytes), each row
    contiguous.
    """

    job: ReadJob
    slab: int
    targets: Sequence[Bytes]


class ReadJob:
    """A record and its form. Several threads may `read` it at once.

    If the record is open already, `reading` is it.
    """

    def __init__(self, record: StoredRecord, form: RecordForm, reading: Reading | None = None) -> None:
        self.record = record
        self.damage: DamagedRecord | None = None
        self._form = form
        self._turn = threading.Condition()
        self._opened = reading
        self._reading: Reading | None = None
        self._left = [iter(portions) for portions in form.portions]
        self._ends = [*accumulate(map(len, form.portions))]
        self._read: dict[int, Sequence[memoryview]] = {}
        self._added = 0
        self._adding = self._failed = False

    def read(self, store: SegmentStore, scratch: Bytes, slab: int, targets: Sequence[Bytes]) -> None:
        """Read the portions of a slab that no thread has taken yet. Sets `damage` if the record is found to be damaged.

        After a failure in one thread the others leave the record alone. Raises OSError.
        """
        try:
            reading = self._checked(store)
            while portion := self._next(slab):
                self._put(reading, portion, scratch, targets)
        except DamagedRecord as damage:
            self._fail(damage)
        except BaseException:
            self._fail(None)
            raise

    def wait(self, slab: int) -> None:
        """Wait until no thread uses the memory of a slab: its bytes are in the checksum, or a thread failed."""
        with self._turn:
            self._turn.wait_for(lambda: self._failed or self._added >= self._ends[slab])

    def abandon(self) -> None:
        """Let no thread wait for the rest: it will not be read."""
        self._fail(None)

    def _fail(self, damage: DamagedRecord | None) -> None:
        with self._turn:
            self._failed, self.damage = True, self.damage or damage
            self._turn.notify_all()

    def close(self) -> None:
        """Close the file. Call it when no thread reads any more."""
        if self._opened is not None:
            self._opened.close()

    def _checked(self, store: SegmentStore) -> Reading:
        """The open file, of the right form. The first thread opens it."""
        with self._turn:
            if self._reading is None:
                self._opened = reading = self._opened or store.reading(self.record)
                if [(name, at.dtype, at.shape) for name, at in reading.head.places.items()] != self._form.tensors:
                    raise DamagedRecord(Damage.LAYOUT, "it is not like those beside it")
                self._finish_if_last(reading)
                self._reading = reading
            return self._reading

    def _next(self, slab: int) -> Portion | None:
        with self._turn:
            return None if self._failed else next(self._left[slab], None)

    def _put(self, reading: Reading, portion: Portion, scratch: Bytes, targets: Sequence[Bytes]) -> None:
        """Read a portion into place. Each call below lets other threads run while it moves bytes."""
        at = reading.head.first + portion.at
        parts = [targets[part.target][part.first : part.last, part.begin : part.end] for part in portion.parts]
        if portion.direct:
            rows = [row.data for part in parts for row in part]
            reading.fill(at, *rows)
            self._add(reading, portion.number, rows)
            return
        read = scratch[: portion.size]
        reading.fill(at, read.data)
        self._add(reading, portion.number, [read.data])
        moved = 0
        for part in parts:
            part[...] = read[moved : moved + part.size].reshape(part.shape)
            moved += part.size
        self._wait_until_added(portion.number)  # before the scratch memory is used again

    def _add(self, reading: Reading, number: int, buffers: Sequence[memoryview]) -> None:
        """Add the portion to the checksum, after all portions before it."""
        if len(self._left) > 1:
            self._add_in_turn(reading, number, buffers)
        else:
            self._add_or_leave(reading, number, buffers)

    def _add_in_turn(self, reading: Reading, number: int, buffers: Sequence[memoryview]) -> None:
        """Each thread adds its own portions of a record in several slabs, and can then send its slab."""
        with self._turn:
            self._turn.wait_for(lambda: self._failed or self._added == number)
            if self._failed:
                return
        reading.add(*buffers)
        with self._turn:
            self._added += 1
            self._finish_if_last(reading)
            self._turn.notify_all()

    def _add_or_leave(self, reading: Reading, number: int, buffers: Sequence[memoryview]) -> None:
        """If another thread adds portions, it adds this one too, in its turn: no thread waits with nothing to do."""
        with self._turn:
            self._read[number] = buffers
            if self._adding:
                return
            self._adding = True
        while following := self._next_to_add():
            reading.add(*following)
            with self._turn:
                self._added += 1
                self._finish_if_last(reading)
                self._turn.notify_all()

    def _next_to_add(self) -> Sequence[memoryview] | None:
        with self._turn:
            following = None if self._failed else self._read.pop(self._added, None)
            self._adding = following is not None
            return following

    def _wait_until_added(self, number: int) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self._failed or self._added > number)

    def _finish_if_last(self, reading: Reading) -> None:
        if self._added == sum(map(len, self._form.portions)):
            reading.finish()
            reading.close()


class _Readers:
    """Threads that share parts. The first error of the environment ends them all."""

    def __init__(self, store: SegmentStore, parts: Sequence[RecordPart], limits: ReadLimits) -> None:
        self._limits = limits
        self._store = store
        self._parts = parts
        self._new = iter(parts)
        self._errors: list[StorageError] = []
        self._lock = threading.Lock()

    def run(self) -> None:
        """Read all parts. Raises EnvironmentProblem."""
        size = sum(target.nbytes for part in self._parts for target in part.targets)
        others = min(self._limits.threads, size // self._limits.each) - 1
        if others < 1:
            self._work()
        else:
            with ThreadPoolExecutor(others, "segment-reader") as pool:
                readers = [pool.submit(self._work) for _ in range(others)]
                self._work()
                for reader in readers:
                    reader.result()
        if self._errors:
            raise self._errors[0]

    def _work(self) -> None:
        scratch = np.empty(self._limits.scratch, np.uint8)
        for job, slab, targets in self._mine():
            try:
                with classified():
                    job.read(self._store, scratch, slab, targets)
            except StorageError as error:
                self._errors.append(error)

    def _mine(self) -> Iterator[RecordPart]:
        """New parts while there are any, then the parts of other threads."""
        while part := self._next():
            yield part
        if not self._errors:
            yield from self._parts

    def _next(self) -> RecordPart | None:
        with self._lock:
            return None if self._errors else next(self._new, None)
