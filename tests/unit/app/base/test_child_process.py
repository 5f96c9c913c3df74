"""ChildProcess: questions of any length, to a process that may not even read them. See also `models/test_inspector`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.base.child_process import ChildProcess, ChildStuck, Patience
from app.base.program import Program

_SCRIPT = """
import sys, time
for line in sys.stdin:
    if line == "hang\\n":
        print("now", flush=True)
        time.sleep(600)
    print(len(line), flush=True)
"""


@pytest.fixture
def child() -> Iterator[ChildProcess[bytes]]:
    """A process that answers how long a question is."""
    made = ChildProcess(Program(sys.executable, ("-c", _SCRIPT), Path("/")), b"\n", bytes, 100, Patience(60, 0.3))
    yield made
    made.close()


def test_a_question_may_be_longer_than_a_pipe_is_wide(child: ChildProcess[bytes]) -> None:
    """It goes there in portions."""
    assert child.ask(b"x" * 3_000_000 + b"\n") == b"3000001"


def test_a_process_that_does_not_read_is_ended(child: ChildProcess[bytes]) -> None:
    """To write the question would take forever. The next question has another process."""
    assert child.ask(b"hang\n") == b"now"
    with pytest.raises(ChildStuck):
        child.ask(b"x" * 3_000_000 + b"\n")
    assert child.ask(b"x\n") == b"2"
