"""Work beside the window: its order, the delivery of results, cancelling, and an end that waits for nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.base.background import Background

THREADS = 3
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def worker(qtbot: QtBot) -> Iterator[Background]:  # noqa: ARG001 - the queued signal needs an application
    worker = Background("test")
    yield worker
    worker.close()


@pytest.fixture
def several(qtbot: QtBot) -> Iterator[Background]:  # noqa: ARG001 - the queued signal needs an application
    several = Background("hub", THREADS)
    yield several
    several.close()


def unexpected(error: Exception) -> None:
    raise error


def _nothing(_result: object) -> None:
    """A callback for results that do not matter."""


def test_work_runs_elsewhere_and_results_come_home(worker: Background, qtbot: QtBot) -> None:
    """Work runs on one thread in order, and callbacks run on the window's."""
    ran: list[tuple[int, int]] = []
    for number in range(20):
        worker.run(threading.get_ident, lambda where, number=number: ran.append((number, where)), _nothing)  # type: ignore[misc]  # the default binds the number
    qtbot.waitUntil(lambda: len(ran) == 20, timeout=5_000)
    assert [number for number, _ in ran] == list(range(20))
    assert len({where for _, where in ran}) == 1
    assert ran[0][1] != threading.get_ident()


def test_a_fault_goes_back_to_its_caller(worker: Background, qtbot: QtBot) -> None:
    """The next work runs all the same."""
    faults: list[Exception] = []
    results: list[int] = []
    worker.run(lambda: 1 // 0, _nothing, faults.append)
    worker.run(lambda: 2, results.append, _nothing)
    qtbot.waitUntil(lambda: results == [2], timeout=5_000)
    assert isinstance(faults[0], ZeroDivisionError)


def test_closing_waits_for_no_disk_that_hangs(worker: Background, qtbot: QtBot) -> None:
    """No result comes after that, and no more work runs."""
    begun, release, ended = threading.Event(), threading.Event(), threading.Event()
    results: list[object] = []

    def hang() -> None:
        begun.set()
        release.wait(60)

    worker.run(hang, results.append, results.append)
    worker.run(ended.set, results.append, results.append)
    begun.wait(60)
    worker.close(0.01)
    worker.run(ended.set, results.append, results.append)
    release.set()
    qtbot.wait(1)
    assert results == []
    assert not ended.is_set()


def test_finishing_does_the_queued_work_and_leaves_no_thread(worker: Background, qtbot: QtBot) -> None:
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


def test_a_cancelled_question_has_no_answer(several: Background, qtbot: QtBot) -> None:
    """The result of an older search never replaces that of a newer one, though it comes later."""
    go = threading.Event()
    told: list[str] = []
    older = several.run(lambda: str(go.wait(10)), told.append, unexpected)
    older.cancel()
    several.run(lambda: "newer", told.append, unexpected)
    qtbot.waitUntil(lambda: told == ["newer"])
    go.set()
    several.run(lambda: "last", told.append, unexpected)
    qtbot.waitUntil(lambda: told == ["newer", "last"])


def test_a_question_that_has_not_begun_is_never_asked(several: Background, qtbot: QtBot) -> None:
    """While the hub hangs, the searches for each typed letter do not pile up behind it."""
    go = threading.Event()
    asked: list[str] = []
    for _ in range(THREADS):
        several.run(lambda: go.wait(10), lambda _waited: None, unexpected)
    several.run(lambda: asked.append("typed"), lambda _none: None, unexpected).cancel()
    done: list[object] = []
    several.run(lambda: "last", done.append, unexpected)
    go.set()
    qtbot.waitUntil(lambda: done == ["last"])
    assert asked == []


def test_the_end_of_the_process_does_not_wait_for_the_network() -> None:
    """A hub that never answers holds no process."""
    code = (
        "import threading\n"
        "from PySide6.QtCore import QCoreApplication\n"
        "from app.base.background import Background\n"
        "application = QCoreApplication([])\n"
        "several, begun = Background('hub'), threading.Event()\n"
        "several.run(lambda: (begun.set(), threading.Event().wait()), print, print)\n"
        "assert begun.wait(30)\n"
        "several.close()\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60, check=True, capture_output=True)
    assert (ended.stdout, ended.stderr) == (b"", b"")
