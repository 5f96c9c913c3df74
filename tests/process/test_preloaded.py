"""The process that forks itself for these tests outlives whatever happens to those that it has started."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from tests.fakes import command, preloaded
from tests.fakes.preloaded import Nursery

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked"),
    pytest.mark.usefixtures("preloaded"),
]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    command_line = [sys.executable, "-m", *arguments]
    return subprocess.Popen(command_line, cwd=command.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@contextmanager
def _suspended(nursery: Nursery) -> Iterator[None]:
    """The nursery stands still. A test that fails lets it go on for the next one."""
    server = psutil.Process(nursery.process.pid)
    server.suspend()
    try:
        yield
    finally:
        server.resume()


def test_the_next_start_works_whenever_one_is_killed(nursery: Nursery) -> None:
    """A start may be killed before it asks, before it learns of its fork, or in the same moment as its fork."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as not_asked:
        not_asked.connect(str(Path(nursery.python).with_name("nursery")))

    with _suspended(nursery):
        not_told = start("app", "--version")
        while Path(f"/proc/{not_told.pid}/fd/1").exists():  # it has asked, and closes what it has handed over
            assert not_told.poll() is None
        not_told.kill()
    not_told.communicate()

    engine = start("tests.fakes.engine_process")
    assert engine.stdout is not None
    assert engine.stdout.read(1) != b""
    fork = preloaded.behind(engine.pid)
    with _suspended(nursery):
        fork.kill()
        while fork.status() != psutil.STATUS_ZOMBIE:
            pass
        engine.kill()
        if sys.platform == "linux":  # as always here; a Mac's Python knows no such call
            with suppress(ChildProcessError):  # another thread may have waited for it: it has ended
                os.waitid(os.P_PID, engine.pid, os.WEXITED | os.WNOWAIT)
    engine.communicate()

    assert start("app", "--version").communicate()[0].startswith(b"hearth")
