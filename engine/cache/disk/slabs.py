"""Slabs: which buffers of several runs are filled together, and how.

Memory that stays where it is filled is one slab. A GPU with memory of its own is sent slab after slab.

Threads: `fill` may run on several threads at once, for different slabs. The others belong to the I/O thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.cache.disk import reader_threads
from engine.cache.disk.reader_threads import RecordPart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.cache.disk.buffers import Bytes
    from engine.cache.disk.reader_threads import ReadJob, ReadLimits
    from storage.errors import DamagedRecord
    from storage.segments.records import StoredRecord
    from storage.segments.store import SegmentStore


class Run(Protocol):
    """Records of one kind that share buffers of `sizes` in bytes."""

    sizes: list[int]

    def jobs(self, slabs: Sequence[Sequence[int]]) -> list[ReadJob]:
        """One job for each record. `slabs` are the numbers of the buffers that are filled together."""

    def targets(self, numbers: Sequence[int], contents: Sequence[Bytes]) -> Iterator[list[Bytes]]:
        """Each record's rows in the buffers `numbers`, whose memory is `contents`."""


@dataclass(frozen=True, slots=True)
class _Share:
    """One run's part of a slab: the buffers `numbers` of run number `run`. `nth_of_run` is the number of this slab
    among those that have a part of the run.
    """

    run: int
    nth_of_run: int
    numbers: list[int]


class Slabs:
    """The slabs of `runs`. Each has at most `most` bytes, or a little more, or a single buffer."""

    def __init__(self, store: SegmentStore, runs: Sequence[Run], limits: ReadLimits, most: int) -> None:
        self._store = store
        self._limits = limits
        self._runs = runs
        self._slabs = _slabs(runs, most)
        self._jobs = [run.jobs(self._numbers(at)) for at, run in enumerate(runs)]

    @property
    def sizes(self) -> list[list[int]]:
        """The sizes of each slab's buffers. The buffers of all slabs are those of all runs, in order."""
        return [[self._runs[share.run].sizes[n] for share in slab for n in share.numbers] for slab in self._slabs]

    def fill(self, number: int, contents: Sequence[Bytes]) -> None:
        """Read a slab into the memory of its buffers. Raises EnvironmentProblem."""
        left = iter(contents)
        parts: list[RecordPart] = []
        for share in self._slabs[number]:
            own = [next(left) for _ in share.numbers]
            targets = self._runs[share.run].targets(share.numbers, own)
            for job, target in zip(self._jobs[share.run], targets, strict=True):
                parts.append(RecordPart(job, share.nth_of_run, target))
        reader_threads.fill(self._store, parts, self._limits)

    def _numbers(self, run: int) -> list[list[int]]:
        """The buffers of a run in each slab that has some."""
        return [share.numbers for slab in self._slabs for share in slab if share.run == run]

    def abandon(self) -> None:
        """Let no thread wait for a slab: one of them could not be filled."""
        for jobs in self._jobs:
            for job in jobs:
                job.abandon()

    @property
    def damaged(self) -> list[tuple[StoredRecord, DamagedRecord]]:
        """The records that turned out to be damaged."""
        return [(job.record, job.damage) for jobs in self._jobs for job in jobs if job.damage]

    def close(self) -> None:
        """Close the files. Call it when no thread reads any more."""
        for jobs in self._jobs:
            for job in jobs:
                job.close()


def _slabs(runs: Sequence[Run], most: int) -> list[list[_Share]]:
    """The shares of each slab. A run without buffers has one too: its records must be checked. A slab may be a little
    larger than `most`: else the small rest of a restore would wait for a thread that is done with a large slab.
    """
    slabs: list[list[_Share]] = []
    size = 0
    for at, run in enumerate(runs):
        nth = -1
        for number, more in enumerate(run.sizes or [0]):
            if not slabs or (slabs[-1] and size + more > most + most // 8):
                slabs.append([])
                size = 0
            if not slabs[-1] or slabs[-1][-1].run != at:
                nth += 1
                slabs[-1].append(_Share(at, nth, []))
            slabs[-1][-1].numbers.extend([number] if run.sizes else [])
            size += more
    return slabs
