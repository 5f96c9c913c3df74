"""An engine that leads a group of processes on this machine: `python -m tests.fakes.local_ranks`, as `-m engine`. Each
worker of the group's file stands for one process, with pipes as its control connection.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from engine.__main__ import main
from engine.model.split import Way
from engine.protocol.inspection import Split
from engine.ranks.inputs import Report, decode_report
from engine.ranks.link import Link, Pipes
from engine.workers.group_file import GroupFile, WorkerEntry


def options(home: Path, split: Split, shares: tuple[int, ...] = ()) -> tuple[str, ...]:
    """The options of an engine that leads a group of two processes."""
    file = home / "group.json"
    GroupFile("", split, (WorkerEntry("", "", ""),), shares).write(file)
    return ("--group", str(file))


def lead(program: str = "engine") -> int:
    """Run the engine, whose followers run the module `program`."""
    from engine.ranks import remote

    def start(group: GroupFile, addresses: Path) -> dict[int, Link[Report]]:
        ranks = len(group.workers) + 1
        write_addresses(addresses, ranks)
        return start_followers(addresses.parent, addresses, ranks, Way(group.split, group.shares), program)

    patched: Any = remote
    patched.start_followers = start
    return main()


def write_addresses(file: Path, ranks: int) -> None:
    """Choose a free port of this machine for the data connections of each rank."""
    with ExitStack() as held:
        ports = []
        for _ in range(ranks):
            one = held.enter_context(socket.socket())
            one.bind(("127.0.0.1", 0))
            ports.append(one.getsockname()[1])
    file.write_text(json.dumps([[f"127.0.0.1:{port}"] for port in ports]), "utf-8")


def start_followers(segments: Path, addresses: Path, ranks: int, way: Way, program: str) -> dict[int, Link[Report]]:
    """Start ranks 1 and up. The store of each lies beside that of rank 0."""
    return {
        rank: _start(rank, segments.with_name(f"{segments.name}-{rank}"), addresses, way, program)
        for rank in range(1, ranks)
    }


def _start(rank: int, segments: Path, addresses: Path, way: Way, program: str) -> Link[Report]:
    shares = ("--shares", ",".join(map(str, way.shares))) if way.shares else ()
    command = [
        sys.executable, "-m", program, "--segments", str(segments),
        "--rank", str(rank), "--addresses", str(addresses), "--split", way.how, *shares,
    ]  # fmt: skip
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None, "it is a pipe"
    assert process.stdout is not None, "it is a pipe"
    return Link(Pipes(process.stdout, process.stdin), decode_report)


if __name__ == "__main__":
    sys.exit(lead())
