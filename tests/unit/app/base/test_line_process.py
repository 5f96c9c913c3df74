"""A process of the window's thread, whatever it writes and however it ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.base.line_process import LineProcess
from app.base.program import Program


@pytest.fixture
def process(qtbot: QtBot) -> Iterator[LineProcess]:
    assert qtbot
    process = LineProcess(longest=10)
    yield process
    process.close()


def python(script: str) -> Program:
    return Program(sys.executable, ("-c", f"import sys; {script}"), Path("/"))


def test_lines_are_kept_until_they_are_read(process: LineProcess, qtbot: QtBot) -> None:
    """Also beyond the end. One that is too long is None, and stderr is apart."""
    logged: list[str] = []
    process.logged.connect(logged.append)
    script = r"print('one\n' + 'x' * 20 + '\ntwo'); print('note', file=sys.stderr); sys.exit('end')"
    with qtbot.waitSignal(process.ended, timeout=30_000) as ended:
        process.start(python(script))
    assert (process.lines(), process.lines(), logged) == ([b"one", None, b"two"], [], ["note", "end"])
    assert (ended.args, process.is_there) == ([1], False)


def test_a_signal_is_a_negative_status(process: LineProcess, qtbot: QtBot) -> None:
    """So that no exit status can be taken for one."""
    process.start(python("sys.stdin.read()"))
    with qtbot.waitSignal(process.ended, timeout=30_000) as ended:
        process.kill()
    assert ended.args == [-9]


def test_a_closed_stdin_is_noticed(process: LineProcess, qtbot: QtBot) -> None:
    """After what was written to it."""
    process.start(python("print(sys.stdin.read())"))
    process.write(b"words")
    with qtbot.waitSignal(process.ended, timeout=30_000):
        process.close_stdin()
    assert process.lines() == [b"words"]
