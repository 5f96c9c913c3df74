"""Followers on this machine: the other ranks of a group as child processes, with pipes as their control connections."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from engine.ranks.inputs import decode_report
from engine.ranks.link import Link, Pipes

if TYPE_CHECKING:
    from pathlib import Path

    from engine.model.split import Way
    from engine.ranks.inputs import Report

PROGRAM: Final = "engine"
"""The module that a follower runs."""


def write_addresses(file: Path, ranks: int) -> None:
    """Choose a free port of this machine for the data connections of each rank."""
    with ExitStack() as held:
        ports = []
        for _ in range(ranks):
            one = held.enter_context(socket.socket())
            one.bind(("127.0.0.1", 0))
            ports.append(one.getsockname()[1])
    file.write_text(json.dumps([[f"127.0.0.1:{port}"] for port in ports]), "utf-8")


def start_followers(segments: Path, addresses: Path, ranks: int, way: Way) -> dict[int, Link[Report]]:
    """Start ranks 1 and up. The store of each lies beside that of rank 0."""
    return {
        rank: _start(rank, segments.with_name(f"{segments.name}-{rank}"), addresses, way) for rank in range(1, ranks)
    }


def _start(rank: int, segments: Path, addresses: Path, way: Way) -> Link[Report]:
    command = [
        sys.executable, "-m", PROGRAM, "--segments", str(segments),
        "--rank", str(rank), "--addresses", str(addresses), "--split", way.how, *way.shares_option,
    ]  # fmt: skip
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - this engine itself
    assert process.stdin is not None, "it is a pipe"
    assert process.stdout is not None, "it is a pipe"
    return Link(Pipes(process.stdout, process.stdin), decode_report)
