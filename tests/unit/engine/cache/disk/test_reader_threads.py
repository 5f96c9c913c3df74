"""Several threads read the files of records at once, from a real store."""

from __future__ import annotations

import errno
import os
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.cache.disk import reader_threads
from engine.cache.disk.portions import portions
from engine.cache.disk.reader_threads import ReadJob, ReadLimits, RecordForm, RecordPart
from storage.errors import Damage, EnvironmentProblem
from storage.segments.reading import Reading
from storage.segments.store import SegmentStore
from tests.fakes.segments import flip, new_record, new_segment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engine.cache.disk.buffers import Bytes
    from engine.cache.disk.reader_threads import TensorForms
    from storage.errors import DamagedRecord
    from storage.segments.records import StoredRecord

SIZE = 300_000
SMALL = ReadLimits(scratch=4096, each=1, threads=4)
"""Several threads, and many portions a record."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SegmentStore]:
    with closing(SegmentStore.open(tmp_path / "segments", 1 << 30)) as opened:
        yield opened


def written(store: SegmentStore, key: str, fill: int = 7) -> StoredRecord:
    store.commit("chat", [new_segment(key, None, new_record(fill=fill, size=SIZE))])
    return store.lookup([key])[0].records["kv"]


def job(store: SegmentStore, record: StoredRecord) -> tuple[ReadJob, Bytes]:
    with store.reading(record) as reading:
        tensors = [(name, at.dtype, at.shape) for name, at in reading.head.places.items()]
    return ReadJob(record, form(tensors)), np.zeros((1, SIZE), np.uint8)


def form(tensors: TensorForms) -> RecordForm:
    return RecordForm(tensors, [portions([(1, SIZE)], SMALL.scratch, SMALL.direct)])


def filled(store: SegmentStore, jobs: Sequence[tuple[ReadJob, Bytes]]) -> list[tuple[StoredRecord, DamagedRecord]]:
    """Read whole records. Returns the damaged ones."""
    try:
        reader_threads.fill(store, [RecordPart(one, 0, [target]) for one, target in jobs], SMALL)
    finally:
        for one, _ in jobs:
            one.close()
    return [(one.record, one.damage) for one, _ in jobs if one.damage]


def open_files() -> int:
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - what a process has open, not files


def test_several_threads_read_one_record(store: SegmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread without a record of its own helps: two threads read one file at once, and its checksum is right."""
    met = threading.Barrier(2)
    fill = Reading.fill

    def together(self: Reading, at: int, *buffers: memoryview) -> None:
        if at < SMALL.scratch * 2:
            met.wait(timeout=60)
        fill(self, at, *buffers)

    (one, target) = job(store, written(store, "aa"))
    monkeypatch.setattr(Reading, "fill", together)
    assert filled(store, [(one, target)]) == []
    assert (target == 7).all()
    assert not met.broken


def test_bytes_are_checked_in_order_however_they_come(store: SegmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A portion that arrives before its predecessor waits for its turn in the checksum."""
    fill, first = Reading.fill, threading.Event()
    order: list[int] = []

    def late(self: Reading, at: int, *buffers: memoryview) -> None:
        fill(self, at, *buffers)
        if not order:
            order.append(at)
            first.wait(timeout=60)
        else:
            order.append(at)
            first.set()

    (one, target) = job(store, written(store, "aa"))
    monkeypatch.setattr(Reading, "fill", late)
    assert filled(store, [(one, target)]) == []
    assert (target == 7).all()
    assert len(order) > 70


def test_a_slab_is_done_before_later_ones_are_checked(store: SegmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record lies in two slabs. The later one is read first and waits. The thread of the first one adds its own bytes
    to the checksum, then it can send them: the other thread adds the rest.
    """
    record = written(store, "aa")
    with store.reading(record) as reading:
        tensors = [(name, at.dtype, at.shape) for name, at in reading.head.places.items()]
    first = portions([(1, SIZE // 2)], SMALL.scratch, SMALL.direct)
    later = portions([(1, SIZE // 2)], SMALL.scratch, SMALL.direct, first[-1])
    one = ReadJob(record, RecordForm(tensors, [first, later]))
    targets = [np.zeros((1, SIZE // 2), np.uint8) for _ in range(2)]
    read, first_done, adders = threading.Event(), threading.Event(), list[bool]()
    fill, add = Reading.fill, Reading.add

    def noted(self: Reading, at: int, *buffers: memoryview) -> None:
        fill(self, at, *buffers)
        read.set()

    def added(self: Reading, *buffers: memoryview) -> None:
        adders.append(threading.current_thread() is threading.main_thread())
        if len(adders) == len(first) + 1:
            assert first_done.wait(60), "the first slab does not wait for this"
        add(self, *buffers)

    monkeypatch.setattr(Reading, "fill", noted)
    monkeypatch.setattr(Reading, "add", added)
    other = threading.Thread(
        target=lambda: reader_threads.fill(store, [RecordPart(one, 1, targets[1:])], ReadLimits(scratch=4096))
    )
    other.start()
    assert read.wait(60)
    reader_threads.fill(store, [RecordPart(one, 0, targets[:1])], ReadLimits(scratch=4096))
    first_done.set()
    other.join()
    one.close()
    assert one.damage is None
    assert all((target == 7).all() for target in targets)
    assert adders == [True] * len(first) + [False] * len(later)


def test_damage_is_told_once_and_closes_the_file(store: SegmentStore, tmp_path: Path) -> None:
    """A damaged record is reported once, however many threads read it. Its neighbours are read."""
    records = [written(store, f"a{number}", number) for number in range(6)]
    flip(tmp_path / "segments" / "a3" / "a3.kv.safetensors", -1)
    jobs = [job(store, record) for record in records]
    before = open_files()
    damaged = filled(store, jobs)
    assert [(record.segment, damage.cause) for record, damage in damaged] == [("a3", Damage.CHECKSUM)]
    assert all((target == number).all() for number, (_, target) in enumerate(jobs) if number != 3)
    assert open_files() == before


def test_a_record_of_another_form_is_not_read(store: SegmentStore) -> None:
    """The header is compared before any byte is placed."""
    target = np.zeros((1, SIZE), np.uint8)
    other = ReadJob(written(store, "aa"), form([("other", "U8", (SIZE,))]))
    damaged = filled(store, [(other, target)])
    assert [damage.cause for _, damage in damaged] == [Damage.LAYOUT]
    assert not target.any()


def test_a_disk_that_fails_is_no_damage(store: SegmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the disk ends the reading, in whichever thread it occurs, and quarantines nothing."""
    jobs = [job(store, written(store, f"a{number}")) for number in range(8)]
    before = open_files()

    def broken(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "preadv", broken)
    with pytest.raises(EnvironmentProblem):
        filled(store, jobs)
    assert dict(store.stats().causes) == {}
    assert open_files() == before


def test_a_fault_of_ours_in_a_thread_is_not_lost(store: SegmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that a failed thread did not fill never counts as read."""
    jobs = [job(store, written(store, f"a{number}")) for number in range(8)]
    monkeypatch.setattr(Reading, "add", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        filled(store, jobs)
