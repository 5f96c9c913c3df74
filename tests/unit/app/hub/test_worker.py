"""The worker's process as the window sees it, whatever the process writes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.base.program import Program
from app.hub.downloads import FetchProcess
from app.hub.fetch.progress import Done, FetchProgress, Report


@pytest.fixture
def worker(qtbot: QtBot) -> Iterator[FetchProcess]:
    assert qtbot
    worker = FetchProcess()
    yield worker
    worker.close()


def python(script: str) -> Program:
    return Program(sys.executable, ("-c", f"import sys, time; out = sys.stdout.buffer; {script}"), Path("/"))


def reports(worker: FetchProcess, program: Program, qtbot: QtBot) -> list[Report]:
    """Everything that a process reports to its end."""
    seen: list[Report] = []
    worker.reported.connect(seen.append)
    with qtbot.waitSignal(worker.ended, timeout=30_000):
        worker.start(program)
    return seen


def test_lines_become_reports(worker: FetchProcess, qtbot: QtBot) -> None:
    """Also if a line comes in two parts."""
    script = (
        """out.write(b'{"event":"progress","do'); out.flush(); """
        """out.write(b'ne":1,"total":2}\\n{"event":"done","repository":"a/b","commit":"c","folder":"f"}\\n')"""
    )
    assert reports(worker, python(script), qtbot) == [FetchProgress(1, 2), Done("a/b", "c", "f")]
    assert worker.pid == 0


def test_other_lines_are_ignored(worker: FetchProcess, qtbot: QtBot) -> None:
    """A library's warning, a line without an end, two megabytes of anything."""
    script = (
        """out.write(b'Warning!\\n\\xff\\n{"event":"unknown"}\\n{"event":"progress","done":1,"total":2}\\n'); """
        """out.write(b'x' * 2_000_000)"""
    )
    assert reports(worker, python(script), qtbot) == [FetchProgress(1, 2)]


def test_a_program_that_does_not_start_is_an_end(worker: FetchProcess, qtbot: QtBot) -> None:
    """The window hears of it, and can start another."""
    assert reports(worker, Program("/nowhere/hearth", (), Path("/")), qtbot) == []
    assert reports(worker, python("pass"), qtbot) == []


def test_a_closed_worker_is_gone_and_silent(worker: FetchProcess, qtbot: QtBot) -> None:
    """Quitting does not wait for a download."""
    ended: list[bool] = []
    worker.ended.connect(lambda: ended.append(True))
    with qtbot.waitSignal(worker.reported, timeout=30_000):
        worker.start(python("""out.write(b'{"event":"verifying"}\\n'); out.flush(); sys.stdin.read()"""))
    worker.close()
    assert worker.pid == 0
    assert ended == []
