from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.cache.disk.io_thread import Failure, IoThread, Priority
from storage.errors import UNFORESEEN, DamagedDatabase, EnvironmentProblem, Problem
from storage.segments.store import SegmentStore
from tests.fakes.problems import raising


@pytest.fixture
def io(tmp_path: Path) -> Iterator[IoThread]:
    """A thread over `tmp_path / "segments"`."""
    made = IoThread(lambda: SegmentStore.open(tmp_path / "segments", 1 << 30))
    yield made
    assert made.close(10)


def test_restores_overtake_writes_and_closing_finishes_what_waits(
    io: IoThread, caplog: pytest.LogCaptureFixture
) -> None:
    """An answer that waits for its cache never waits for another turn's bookkeeping. Writes keep their order, so a
    forgotten conversation is not saved afterwards, and reach the disk before the thread ends. A job that raises returns
    a Failure of one sentence. The log has the details, and the next job runs as usual.
    """
    gate, results = threading.Event(), queue.SimpleQueue[Any]()
    io.submit(Priority.RESTORE, lambda _: gate.wait(10), results.put)
    io.submit(Priority.WRITE, lambda _: 1 / 0, results.put)
    for name, priority in (("save", Priority.WRITE), ("forget", Priority.WRITE), ("restore", Priority.RESTORE)):
        io.submit(priority, lambda _, n=name: n, results.put)  # type: ignore[misc] # a job that only says its name
    gate.set()
    assert io.close(10)
    blocked, restored, failure, *writes = [results.get_nowait() for _ in range(5)]
    assert (blocked, restored, writes) == (True, "restore", ["save", "forget"])
    assert isinstance(failure, Failure)
    assert failure.message == UNFORESEEN
    assert "ZeroDivisionError" in caplog.text


class _Records:
    """Stands for the large records of a job."""


def test_a_finished_job_holds_no_memory(io: IoThread) -> None:
    """The memory of a written turn is freed at once, not with the next job, which may come hours later."""
    records, results, gone = _Records(), queue.SimpleQueue[Any](), threading.Event()
    weakref.finalize(records, gone.set)
    io.submit(Priority.WRITE, lambda _, written=records: id(written), results.put)  # type: ignore[misc] # a job that holds something
    del records
    assert results.get(timeout=10)
    assert gone.wait(timeout=10)


@pytest.mark.parametrize("thing", ["folder", "link that leads round"])
def test_an_obstacle_at_the_lock_is_one_sentence(
    io: IoThread, thing: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The sentence contains no error number and no path; the log does. When the obstacle is gone, the store works again
    by itself.
    """
    lock = tmp_path / "segments" / "lock"
    lock.parent.mkdir()
    lock.mkdir() if thing == "folder" else lock.symlink_to(lock)
    failure = ask(io, lambda store: store.index.lookup(["x"]))
    assert failure == Failure("in_the_way", str(EnvironmentProblem(Problem.IN_THE_WAY)))
    assert str(lock) in caplog.text
    lock.rmdir() if thing == "folder" else lock.unlink()
    assert ask(io, lambda store: store.index.lookup(["x"])) == ()


def ask(io: IoThread, job: Any) -> Any:
    results = queue.SimpleQueue[Any]()
    io.submit(Priority.WRITE, job, results.put)
    return results.get(timeout=10)


def test_a_store_that_does_not_come_back_is_opened_anew(tmp_path: Path) -> None:
    """A store that vanished once may come back. If it vanished twice, is damaged, or made a job fail in any other way,
    it is closed, and the next job gets a new one.
    """
    opened: list[SegmentStore] = []

    def open_store() -> SegmentStore:
        opened.append(SegmentStore.open(tmp_path / "segments", 1 << 30))
        return opened[-1]

    io = IoThread(open_store)
    opened_stores: list[SegmentStore] = []
    io.at_opening = opened_stores.append
    gone = raising(EnvironmentProblem(Problem.VANISHED))
    for job, times in (
        (gone, 1),
        (lambda store: store.index.lookup([]), 1),
        (gone, 1),
        (gone, 1),
        (lambda store: store.index.lookup([]), 2),
        (raising(EnvironmentProblem(Problem.DISK_FULL)), 2),
        (raising(DamagedDatabase("rotten")), 2),
        (lambda store: store.index.lookup([]), 3),
        (raising(TypeError("'<' not supported between 'str' and 'int'")), 3),
        (lambda store: store.index.lookup([]), 4),
    ):
        ask(io, job)
        assert len(opened) == times
    assert opened_stores == opened, "each is configured before its first job"
    assert io.close(10)
