"""An engine that leads a group in which rank 1 has a fault: `python -m tests.fakes.faulty_engine`, as `-m engine`.

The environment names the fault.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import structs

from engine.__main__ import main
from tests.fakes import local_ranks

FAULT: Final = "HEARTH_TEST_FAULT"
DETAIL: Final = "HEARTH_TEST_DETAIL"


def _other_model() -> None:
    """The model of a folder is another one here."""
    from engine.ranks import shared_loads

    there, here = os.environ[DETAIL].split("=")
    patched: Any = shared_loads
    load = patched.load

    def loaded(lockstep: Any, group: Any, how: Any, command: Any, *rest: Any, **named: Any) -> Any:
        path = here if Path(command.path) == Path(there) else command.path
        return load(lockstep, group, how, structs.replace(command, path=path), *rest, **named)

    patched.load = loaded


def _other_version() -> None:
    from engine.ranks import meeting
    from engine.workers.versions import versions

    own = versions()
    patched: Any = meeting
    patched.versions = lambda: own | {"mlx": "0.1"}


def _garbage() -> None:
    os.write(1, b"hello\n")


def _slow_link() -> None:
    from engine.ranks.link import Link

    patched: Any = Link
    send = patched.send

    def delayed(self: Any, message: Any) -> None:
        threading.Event().wait(0.005)
        send(self, message)

    patched.send = delayed


def _slow_disk() -> None:
    from engine.model import loader

    patched: Any = loader
    evaluated = patched._evaluated

    def late(portion: Any) -> Any:
        threading.Event().wait(float(os.environ[DETAIL]))
        return evaluated(portion)

    patched._evaluated = late


def _no_memory() -> None:
    from engine.model import loader

    patched: Any = loader
    patched.free_bytes = lambda: 0


def _stranger() -> None:
    """Another program is the first to connect to the leader's data address, and says something there."""
    from engine.ranks import data_paths

    patched: Any = data_paths
    check = patched.check_addresses

    def late(lockstep: Any, number: int, addresses: Path) -> None:
        [address] = json.loads(addresses.read_text("utf-8"))[0]
        host, _, port = address.rpartition(":")
        while not _strangers:
            with suppress(ConnectionRefusedError):
                _strangers.append(socket.create_connection((host, int(port))))
        _strangers[0].sendall(b"hello")
        check(lockstep, number, addresses)

    patched.check_addresses = late


def _hangs() -> None:
    """As long as there is a leader: nothing else would end the process."""
    leader = os.getppid()
    while os.getppid() == leader:
        threading.Event().wait(0.2)


def _ends() -> None:
    sys.exit(3)


_strangers: list[socket.socket] = []

FAULTS: dict[str, Callable[[], None]] = {
    "other model": _other_model,
    "other version": _other_version,
    "garbage": _garbage,
    "slow link": _slow_link,
    "slow disk": _slow_disk,
    "no memory": _no_memory,
    "stranger": _stranger,
    "hangs": _hangs,
    "ends": _ends,
}

if __name__ == "__main__":
    if "--rank" in sys.argv:
        FAULTS[os.environ[FAULT]]()
        sys.exit(main())
    sys.exit(local_ranks.lead("tests.fakes.faulty_engine"))
