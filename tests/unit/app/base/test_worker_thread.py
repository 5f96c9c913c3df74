"""The worker thread: the order of its work, the delivery of results, and an end that waits for nothing."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from app.base import worker_thread
from app.base.worker_thread import WorkerThread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


@pytest.fixture
def worker(qtbot: QtBot) -> Iterator[WorkerThread]:  # noqa: ARG001 - the queued signal needs an application
    worker = WorkerThread("test")
    yield worker
    worker.close()


def _nothing(_result: object) -> None:
    """A callback for results that do not matter."""


def test_work_runs_elsewhere_and_results_come_home(worker: WorkerThread, qtbot: QtBot) -> None:
    """Work runs on one thread in order, and callbacks run on the window's."""
    ran: list[tuple[int, int]] = []
    for number in range(20):
        worker.run(threading.get_ident, lambda where, number=number: ran.append((number, where)), _nothing)  # type: ignore[misc]  # the default binds the number
    qtbot.waitUntil(lambda: len(ran) == 20, timeout=5_000)
    assert [number for number, _ in ran] == list(range(20))
    assert len({where for _, where in ran}) == 1
    assert ran[0][1] != threading.get_ident()


def test_a_fault_goes_back_to_its_caller(worker: WorkerThread, qtbot: QtBot) -> None:
    """The next work runs all the same."""
    faults: list[Exception] = []
    results: list[int] = []
    worker.run(lambda: 1 // 0, _nothing, faults.append)
    worker.run(lambda: 2, results.append, _nothing)
    qtbot.waitUntil(lambda: results == [2], timeout=5_000)
    assert isinstance(faults[0], ZeroDivisionError)


def test_closing_waits_for_no_disk_that_hangs(
    worker: WorkerThread, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No result comes after that, and no more work runs."""
    monkeypatch.setattr(worker_thread, "PATIENCE_S", 0.01)
    begun, release, ended = threading.Event(), threading.Event(), threading.Event()
    results: list[object] = []

    def hang() -> None:
        begun.set()
        release.wait(60)

    worker.run(hang, results.append, results.append)
    worker.run(ended.set, results.append, results.append)
    begun.wait(60)
    worker.close()
    worker.run(ended.set, results.append, results.append)
    release.set()
    qtbot.wait(1)
    assert results == []
    assert not ended.is_set()


def test_finishing_does_the_queued_work_and_leaves_no_thread(worker: WorkerThread, qtbot: QtBot) -> None:
    """No result comes after that. What the work ends may not stay behind."""
    release = threading.Event()
    results: list[object] = []
    ran: list[threading.Thread] = []
    worker.run(lambda: release.wait(60), results.append, results.append)
    worker.run(lambda: ran.append(threading.current_thread()), results.append, results.append)
    worker.finish()
    worker.run(lambda: ran.append(threading.current_thread()), results.append, results.append)
    release.set()
    qtbot.waitUntil(lambda: bool(ran) and not ran[0].is_alive(), timeout=5_000)
    qtbot.wait(1)
    assert (len(ran), results) == (1, [])
