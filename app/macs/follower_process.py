"""The engine of a rank on this Mac, as a child process, and the bytes between it and its leader.

The thread of the connection carries what the engine says, a second one what the leader says, and a third the engine's
log. The engine ends with the connection, and the connection with the engine: either may stop without closing anything,
so silence counts as the end.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from app.base import settings
from app.base.logs import ENGINE
from app.base.paths import Paths
from app.base.program import Program, this_app
from app.cache import quota

if TYPE_CHECKING:
    from engine.workers.channel import Channel
    from engine.workers.requests import Lead

SILENT_SECONDS: Final = 11.0
"""Both sides say every second that they run, but for ten seconds at most while MLX forms the group."""
ENDING_SECONDS: Final = 5.0
"""How long the engine may take to finish its cache writes."""
ASKING_SECONDS: Final = 2.0
"""How often a group looks whether its leader is still paired."""
_PORTION: Final = 1 << 16


def run(
    program: Callable[[Path], Program], addresses: Sequence[str], is_allowed: Callable[[], bool], channel: Channel
) -> int:
    """Run the engine until it or the leader ends. Returns its exit status. `program` returns the engine for a file with
    the data addresses of all ranks, and `is_allowed` whether the leader is still paired. Raises OSError if the engine
    does not start.
    """
    with tempfile.TemporaryDirectory(prefix="hearth-worker-") as temporary:
        file = Path(temporary) / "ranks.json"
        file.write_text(json.dumps([[address] for address in addresses]), "utf-8")
        with program(file).popen() as process:
            _carry(process, channel, is_allowed)
        return process.returncode


def _carry(process: subprocess.Popen[bytes], channel: Channel, is_allowed: Callable[[], bool]) -> None:
    """Connect the two until either ends. Then end the other."""
    channel.allow_silence(SILENT_SECONDS)
    threads = (
        threading.Thread(target=_hear, args=(process, channel), name="worker-leader", daemon=True),
        threading.Thread(target=_log, args=(process.stderr,), name="worker-log", daemon=True),
    )
    for thread in threads:
        thread.start()
    stopped = True
    try:
        stopped = _speak(process, channel, is_allowed)
    finally:
        channel.close()
        try:
            process.wait(0.0 if stopped else ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
        for thread in threads:
            thread.join()


def engine(places: Paths, leader: str, models: Path, lead: Lead, addresses: Path) -> Program:
    """Return the engine of a rank. `leader` is the fingerprint of the Mac that leads it, `models` the list of this
    Mac's models, and `addresses` the file with those of all ranks.
    """
    segments = places.segments.with_name("segments-of-groups")
    # The shares of all groups take as much of this Mac's disk as its own chats may take.
    most = quota.on_disk(settings.load(places.settings, lambda _: None).cache_quota, segments, places.data)
    shares = ("--shares", ",".join(map(str, lead.shares))) if lead.shares else ()
    return this_app(
        "--engine", "--segments", str(segments), "--quota", str(most), "--rank", str(lead.rank),
        "--leader", leader, "--addresses", str(addresses), "--split", lead.split, "--models", str(models), *shares,
    )  # fmt: skip


def _speak(process: subprocess.Popen[bytes], channel: Channel, is_allowed: Callable[[], bool]) -> bool:
    """Carry what the engine says, until it ends, or the leader does, or may no longer use this Mac. Returns whether the
    engine has stopped instead.
    """
    handle, asked = _opened(process.stdout).fileno(), time.monotonic()
    with suppress(OSError):
        while select.select([handle], [], [], SILENT_SECONDS)[0]:
            data = os.read(handle, _PORTION)
            if time.monotonic() - asked > ASKING_SECONDS:
                asked, data = time.monotonic(), data if is_allowed() else b""
            if not data:
                return False
            channel.write(data)
        return True
    return False


def _hear(process: subprocess.Popen[bytes], channel: Channel) -> None:
    """Carry what the leader says, until it ends. The engine then notices the end of its stdin."""
    stdin = _opened(process.stdin)
    with suppress(OSError, ValueError):
        while data := channel.read(_PORTION):
            stdin.write(data)
            stdin.flush()
    with suppress(OSError):
        stdin.close()


def _log(lines: IO[bytes] | None) -> None:
    for line in _opened(lines):
        ENGINE.info("%s", line.decode("utf-8", "replace").rstrip("\n"))


def _opened(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "all three are pipes"
    return pipe
