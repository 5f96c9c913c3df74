"""The library's thread: the order of jobs, the delivery of results, and a clean end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.base import background
from app.base.library_thread import LibraryThread
from storage.errors import EnvironmentProblem, Problem
from storage.library.library import Library
from tests.fakes.problems import raising


@pytest.fixture
def tasks(qtbot: QtBot, tmp_path: Path) -> Iterator[LibraryThread]:  # noqa: ARG001 - the queued signal needs an application
    tasks = LibraryThread(partial(Library.open, tmp_path / "library.sqlite"))
    yield tasks
    tasks.close()


def _nothing(_result: object) -> None:
    """A callback for results that do not matter."""


def test_jobs_run_elsewhere_and_results_come_home(tasks: LibraryThread, qtbot: QtBot) -> None:
    """Jobs run on the library's thread only, and callbacks on the window's only."""
    threads: list[int] = []
    tasks.run(lambda _: threading.get_ident(), lambda ran: threads.extend((ran, threading.get_ident())), _nothing)
    qtbot.waitUntil(lambda: len(threads) == 2, timeout=5_000)
    assert threads[0] != threading.get_ident() == threads[1]


def test_results_keep_the_order_of_the_jobs(tasks: LibraryThread, qtbot: QtBot) -> None:
    """Results arrive in the order of the jobs."""
    results: list[int] = []
    for number in range(50):
        tasks.run(lambda _, number=number: number, results.append, _nothing)  # type: ignore[misc]  # the default binds the number
    qtbot.waitUntil(lambda: len(results) == 50, timeout=5_000)
    assert results == list(range(50))


def test_many_results_leave_the_window_time(
    tasks: LibraryThread, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If results take long, other events come between them."""
    monkeypatch.setattr(background, "DELIVERY_SECONDS", 0.0)
    seen: list[str] = []
    for _ in range(3):
        tasks.run(_nothing, lambda _: QTimer.singleShot(0, lambda: seen.append("event")), _nothing)
        tasks.run(_nothing, lambda _: seen.append("result"), _nothing)
    qtbot.waitUntil(lambda: len(seen) == 6, timeout=5_000)
    assert seen[:3] != ["result"] * 3


def test_a_fault_goes_back_to_its_caller(tasks: LibraryThread, qtbot: QtBot) -> None:
    """A failed job is reported to its own caller, and the next one runs."""
    faults: list[Exception] = []
    titles: list[str] = []
    tasks.run(lambda library: library.conversations.get("nothing"), _nothing, faults.append)
    tasks.run(lambda library: library.conversations.create(title="Yes").title, titles.append, _nothing)
    qtbot.waitUntil(lambda: titles == ["Yes"], timeout=5_000)
    assert getattr(faults[0], "code", "") == "no_such_conversation"


def test_only_a_write_shows_that_the_disk_accepts_words(tasks: LibraryThread, qtbot: QtBot) -> None:
    """Only a job that has written shows that the disk accepts words again; a query or a failure does not."""
    told: list[str] = []
    tasks.wrote.connect(lambda: told.append("wrote"))
    tasks.run(lambda library: library.conversations.listed(), lambda _: told.append("read"), _nothing)
    tasks.run(lambda library: library.labels.rename("nothing", "Yes"), _nothing, lambda _: told.append("failed"))
    tasks.run(lambda library: library.conversations.create(title="Yes"), lambda _: told.append("made"), _nothing)
    qtbot.waitUntil(lambda: told[-1:] == ["made"], timeout=5_000)
    assert told == ["read", "failed", "wrote", "made"]


def test_a_full_disk_is_said_before_the_job_that_it_refused_has_failed(tasks: LibraryThread, qtbot: QtBot) -> None:
    """Another fault says nothing of the disk."""
    told: list[str] = []
    tasks.filled.connect(lambda: told.append("filled"))
    for problem in (Problem.READ_ONLY, Problem.DISK_FULL):
        tasks.run(raising(EnvironmentProblem(problem)), _nothing, lambda error: told.append(str(error)))
    qtbot.waitUntil(lambda: len(told) == 3, timeout=5_000)
    assert told == ["The disk or folder is read-only.", "filled", "The disk is full."]


def test_library_that_does_not_open_fails_each_job(qtbot: QtBot, tmp_path: Path) -> None:
    """Every caller gets the error of a damaged file, and closing still works."""
    path = tmp_path / "library.sqlite"
    path.write_bytes(b"this is no database, it only looks like a file " * 100)
    tasks = LibraryThread(partial(Library.open, path))
    faults: list[Exception] = []
    for _ in range(2):
        tasks.run(lambda library: library.conversations.listed(), _nothing, faults.append)
    qtbot.waitUntil(lambda: len(faults) == 2, timeout=5_000)
    assert {getattr(fault, "code", "") for fault in faults} == {"damaged_database"}
    tasks.close()


def test_closing_drains(qtbot: QtBot, tmp_path: Path) -> None:  # noqa: ARG001 - the queued signal needs an application
    """All earlier jobs are run and delivered, and also the jobs that those deliveries queue."""
    tasks = LibraryThread(partial(Library.open, tmp_path / "library.sqlite"))
    seen: list[str] = []

    def rename(title: str) -> None:
        seen.append(title)
        if len(seen) < 3:
            tasks.run(_make, rename, _nothing)

    tasks.run(_make, rename, _nothing)
    tasks.close()
    assert len(seen) == 3
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("library")]


def _make(library: Library) -> str:
    return library.conversations.create(title="A").title


def test_long_work_keeps_no_job_waiting(tasks: LibraryThread, qtbot: QtBot) -> None:
    """A large file is read beside the library, and its faults are delivered in the same way."""
    go_on = threading.Event()
    seen: list[str] = []
    faults: list[Exception] = []
    tasks.apart(go_on.wait, lambda _: seen.append("file"), _nothing)
    tasks.run(lambda library: library.conversations.create(title="A").title, seen.append, _nothing)
    qtbot.waitUntil(lambda: seen == ["A"], timeout=5_000)
    go_on.set()
    tasks.apart(lambda: Path("/nowhere/at/all").read_bytes(), _nothing, faults.append)
    qtbot.waitUntil(lambda: seen == ["A", "file"] and len(faults) == 1, timeout=5_000)


def test_another_library_takes_the_place_between_two_jobs(qtbot: QtBot, tmp_path: Path) -> None:
    """Earlier jobs use the old library, later ones the new one. During the exchange neither is open."""
    path, other = tmp_path / "library.sqlite", tmp_path / "other.sqlite"
    fresh = Library.open(other)
    fresh.conversations.create(title="New")
    fresh.close()
    tasks = LibraryThread(partial(Library.open, path))
    found: list[list[str]] = []
    faults: list[Exception] = []

    def look(library: Library) -> list[str]:
        return [one.title for one in library.conversations.listed()]

    def refuse() -> None:
        raise OSError

    tasks.run(lambda library: library.conversations.create(title="Old"), _nothing, faults.append)
    tasks.run(look, found.append, faults.append)
    tasks.exchange(lambda: other.replace(path), _nothing, faults.append)
    tasks.run(look, found.append, faults.append)
    tasks.exchange(refuse, _nothing, faults.append)
    tasks.run(look, found.append, faults.append)
    qtbot.waitUntil(lambda: len(found) == 3, timeout=5_000)
    assert found == [["Old"], ["New"], ["New"]]
    assert [type(fault) for fault in faults] == [OSError]
    tasks.close()


def test_a_library_in_memory_lives_as_long_as_its_thread(qtbot: QtBot, tmp_path: Path) -> None:  # noqa: ARG001 - the queued signal needs an application
    """The next job finds what an earlier one has written; nothing is on disk."""
    tasks = LibraryThread(Library.in_memory)
    titles: list[str] = []
    tasks.run(_make, _nothing, _nothing)
    tasks.run(lambda library: library.conversations.listed()[0].title, titles.append, _nothing)
    tasks.close()
    assert titles == ["A"]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_nothing_waits_for_a_document_that_is_read(tasks: LibraryThread, qtbot: QtBot) -> None:
    """It may take a minute, and many may come together. Copies, measurements and an exchange run meanwhile."""
    done: list[str] = []
    go_on = threading.Event()
    tasks.read(lambda: str(go_on.wait(5)), done.append, _nothing)
    tasks.read(lambda: "another document", done.append, _nothing)
    tasks.apart(lambda: "copied", done.append, _nothing)
    tasks.exchange(lambda: "exchanged", done.append, _nothing)
    qtbot.waitUntil(lambda: done == ["copied", "exchanged"], timeout=5_000)
    go_on.set()
    qtbot.waitUntil(lambda: done[2:] == ["True", "another document"], timeout=5_000)


def test_the_end_waits_for_no_file_of_chats(qtbot: QtBot, tmp_path: Path) -> None:
    """Reading such a file may take a minute, and its chats are dropped anyway. Attached documents are waited for, even
    if their reading began later.
    """
    tasks = LibraryThread(partial(Library.open, tmp_path / "library.sqlite"))
    done: list[str] = []
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def long() -> str:
        begun.set()
        go_on.wait(5)
        ended.set()
        return "chats"

    tasks.read_chats(long, done.append, _nothing)
    assert begun.wait(5)
    tasks.read(lambda: "document", done.append, _nothing)
    tasks.close()
    assert not ended.is_set()
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "imports")
    go_on.set()
    assert ended.wait(5)
    qtbot.wait(10)
    assert done == ["document"]


def test_an_exchange_waits_for_work_apart(tasks: LibraryThread, qtbot: QtBot) -> None:
    """The exchange begins only after a running copy of the library has ended."""
    done: list[str] = []
    asked, go_on = threading.Event(), threading.Event()

    def long() -> str:
        assert go_on.wait(5)
        return "copied"

    tasks.apart(long, done.append, _nothing)
    tasks.run(lambda _: asked.set(), _nothing, _nothing)
    tasks.exchange(lambda: "exchanged", done.append, _nothing)
    tasks.run(lambda _: "next", done.append, _nothing)
    assert asked.wait(5)
    go_on.set()
    qtbot.waitUntil(lambda: len(done) == 3, timeout=5_000)
    assert done == ["copied", "exchanged", "next"]
