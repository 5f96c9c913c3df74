"""A follower's engine and its leader: bytes pass in both directions, and each end takes the other with it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.base.paths import Paths
from app.base.program import Program
from app.macs import follower_process

WAIT = 10.0
ECHO = "import os\nwhile data := os.read(0, 1000): os.write(1, data)\nos._exit(7)"
BEATS = "import os, threading\nwhile True: os.write(1, b'.'); threading.Event().wait(0.01)"
DEAF = "import threading\nthreading.Event().wait()"
ENDS = "import os\nos.write(1, b'last words')\nos.write(2, b'why\\n')"


class Plain:
    """A channel without TLS."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def allow_silence(self, seconds: float) -> None:
        self._end.settimeout(seconds)

    def read(self, size: int) -> bytes:
        return self._end.recv(size)

    def write(self, data: bytes) -> None:
        self._end.sendall(data)

    def close(self) -> None:
        self._end.shutdown(socket.SHUT_RDWR)


class Rank:
    """A program in the place of the engine, and the leader's end of its connection."""

    def __init__(self, places: Paths, models: Path) -> None:
        self.leader, self._own = socket.socketpair()
        self.leader.settimeout(WAIT)
        self.allowed = True
        self.status: int | None = None
        self._home = places, models
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        self._thread.start()

    def ended(self) -> int | None:
        """Its status, once nothing of it is left."""
        self._thread.join(WAIT)
        assert not self._thread.is_alive()
        return self.status

    def close(self) -> None:
        self.leader.close()
        self._thread.join(WAIT)
        self._own.close()

    def _run(self) -> None:
        places, models = self._home
        engine = partial(follower_process.engine, places, "", models, Any)  # type: ignore[arg-type] # not used
        self.status = follower_process.run(engine, (), lambda: self.allowed, Plain(self._own))  # type: ignore[arg-type] # a plain one


@pytest.fixture
def rank(here: Paths, tmp_path: Path) -> Iterator[Rank]:
    rank = Rank(here, tmp_path / "models.json")
    yield rank
    rank.close()


def runs(monkeypatch: pytest.MonkeyPatch, code: str) -> list[subprocess.Popen[bytes]]:
    """Let a program be the engine. Returns the processes that are started."""
    started: list[subprocess.Popen[bytes]] = []

    class Engine(Program):
        def popen(self, **_: object) -> subprocess.Popen[bytes]:
            started.append(super().popen())
            return started[-1]

    engine = Engine(sys.executable, ("-c", code), Path("/"))
    monkeypatch.setattr(follower_process, "engine", lambda *_: engine)
    return started


def test_bytes_pass_in_both_directions(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the engine sees the leader's end as the end of its stdin, so it has time to finish."""
    runs(monkeypatch, ECHO)
    rank.start()
    told = bytes(range(256)) * 1000
    sending = threading.Thread(target=rank.leader.sendall, args=(told,))
    sending.start()
    heard = bytearray()
    while len(heard) < len(told):
        heard += rank.leader.recv(1 << 16)
    sending.join()
    assert heard == told
    rank.leader.shutdown(socket.SHUT_WR)
    assert rank.ended() == 7


def test_the_last_words_of_an_engine_reach_the_leader(
    rank: Rank, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Then the connection ends. What it has logged is in the log."""
    runs(monkeypatch, ENDS)
    with caplog.at_level("INFO", "hearth.engine"):
        rank.start()
        assert rank.leader.recv(100) == b"last words"
        assert rank.leader.recv(100) == b""
        assert rank.ended() == 0
    assert caplog.messages == ["why"]


def test_an_engine_that_stops_is_killed(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says nothing, and closes nothing."""
    monkeypatch.setattr(follower_process, "SILENT_SECONDS", 0.3)
    runs(monkeypatch, DEAF)
    rank.start()
    assert rank.ended() == -signal.SIGKILL


def test_an_engine_that_does_not_end_is_killed(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some seconds after the leader has gone."""
    monkeypatch.setattr(follower_process, "ENDING_SECONDS", 0.1)
    runs(monkeypatch, BEATS)
    rank.start()
    assert rank.leader.recv(1) == b"."
    rank.leader.close()
    assert rank.ended() == -signal.SIGKILL


def test_a_leader_that_is_no_longer_paired_loses_its_rank(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within seconds, in the middle of its work."""
    monkeypatch.setattr(follower_process, "ASKING_SECONDS", 0.02)
    monkeypatch.setattr(follower_process, "ENDING_SECONDS", 0.1)
    runs(monkeypatch, BEATS)
    rank.start()
    for _ in range(20):
        assert rank.leader.recv(1) == b"."
    rank.allowed = False
    while rank.leader.recv(1000):
        pass
    assert rank.ended() == -signal.SIGKILL
