"""The engine ends when its app is gone, whatever its main thread does. Processes, signals and pipes are real."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.protocol.framing import decode_event
from engine.protocol.messages import Ready
from tests.fakes.command import ROOT

LINUX = sys.platform == "linux"
PARENT = """
import subprocess, sys, threading
start = lambda: subprocess.Popen(sys.argv[2:], stdin=None if sys.argv[1] == "ours" else subprocess.PIPE)
live = lambda: start() and threading.Event().wait()
threading.Thread(target=live).start() if sys.argv[1] == "thread" else live()
"""
"""Starts an engine from its main thread or from another `thread`, and waits. Its stdin is `ours`, or ends with it."""


def engine(how: str, home: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "tests.fakes.stuck_engine", how, "--segments", str(home), *options]


@contextmanager
def parent(way: str, command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that starts `command`. It is killed after the test."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, way, *command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def greeted(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    assert isinstance(decode_event(process.stdout.readline()), Ready)


def is_over(process: subprocess.Popen[bytes]) -> bool:
    """Wait until no process has the engine's output pipe open any more."""
    assert process.stdout is not None
    return process.stdout.read() == b""


@pytest.mark.parametrize("how", ["sleep", "spin"])
def test_a_stuck_engine_ends_with_its_stdin(tmp_path: Path, how: str) -> None:
    """A stuck engine ends by itself, and its log shows where it hung."""
    command = engine(how, tmp_path)
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        greeted(process)
        assert process.stdin is not None
        process.stdin.close()
        assert is_over(process)
        assert process.wait(10) == 1
        assert process.stderr is not None
        assert b"stuck_engine.py" in process.stderr.read()


@pytest.mark.parametrize("how", ["sleep", "spin"])
def test_a_stuck_engine_ends_with_its_killed_parent(tmp_path: Path, how: str) -> None:
    """Killing the app leaves no process behind, on any system."""
    with parent("own", engine(how, tmp_path)) as app:
        greeted(app)
        app.kill()
        assert is_over(app)


@pytest.mark.skipif(not LINUX, reason="needs a signal at the parent's death, which only Linux sends")
@pytest.mark.parametrize("how", ["sleep", "spin", "locked"])
def test_a_killed_parent_is_noticed_without_python_and_without_a_pipe(tmp_path: Path, how: str) -> None:
    """The engine ends even if another process holds its pipe open, or if C code holds the interpreter's lock."""
    with parent("ours", engine(how, tmp_path)) as app:
        greeted(app)
        app.kill()
        assert is_over(app), "our end of its stdin is still open"


@pytest.mark.skipif(not LINUX, reason="needs a signal at the parent's death, which only Linux sends")
@pytest.mark.parametrize(("way", "expected"), [("own", signal.SIGHUP), ("thread", 0)])
def test_the_end_of_the_starting_thread_does_not_end_the_engine(tmp_path: Path, way: str, expected: int) -> None:
    """The kernel reports the death of the thread that started the engine, so only a main thread may request that
    report.
    """
    with parent(way, engine("tell", tmp_path)) as app:
        greeted(app)
        assert app.stderr is not None
        assert next(int(line) for line in app.stderr if line.strip().isdigit()) == expected


def test_an_engine_whose_parent_has_died_already_ends_at_once(tmp_path: Path) -> None:
    """The parent may die before the engine requests the report. The engine then has another parent, and notices
    that.
    """
    with subprocess.Popen(["true"]) as gone:  # noqa: S607 - any program that ends
        gone.wait()
    command = engine("sleep", tmp_path, "--parent", str(gone.pid))
    ended = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout) == (0, b"")
