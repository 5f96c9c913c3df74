"""One rank of a measured group: `python -m tests.bench.ranks.rank`. The leader prints what the group took.

All ranks take the same measures in the same order, so the passes of mlx-lm's generator, which ask no other rank first,
meet as well. On a GPU the group is formed by NCCL, with one card for each rank; otherwise by the ring.
"""

from __future__ import annotations

import argparse
import os
import queue
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.model.split import Way
from engine.process.lifeline import Ending
from engine.process.pipe import begin
from engine.ranks import meeting
from engine.ranks.inputs import Input, decode_input
from engine.ranks.link import Link, Pipes
from engine.ranks.meeting import LastWords
from engine.server.model_loads import Inbox
from engine.server.server import Parts
from tests.bench.life import Emit
from tests.fakes.local_ranks import start_followers, write_addresses

Make = Callable[[Inbox, Emit], Parts]

MODEL: Final = "HEARTH_BENCH_MODEL"
"""Names the environment variable with the model's folder."""
NCCL_PORT: Final = "HEARTH_BENCH_NCCL"
"""Names the one with the port of the leader's card. Without it the ranks form a ring."""


def main() -> None:
    """Take part in a group, or be alone, and print the measures if this is rank 0."""
    options = _options()
    if port := os.environ.get(NCCL_PORT):
        _choose_card(options.rank, options.ranks, port)  # before MLX is imported
    out = begin()
    with tempfile.TemporaryDirectory() as folder:
        parts = _parts(options, out, Path(folder))
        from tests.bench.ranks.sides import measure

        measured = measure(parts, Path(os.environ[MODEL]), Path(folder), options.rank)
    if not options.rank:
        out.write(msgspec.json.encode(measured) + b"\n")
        out.flush()
    sys.stderr.flush()
    os._exit(0)  # the links' threads still read


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--segments", type=Path, help="given to followers, which store elsewhere")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--addresses", type=Path)
    parser.add_argument("--split", default="pipeline")
    return parser.parse_args()


def _choose_card(rank: int, ranks: int, port: str) -> None:
    os.environ |= {
        "CUDA_VISIBLE_DEVICES": str(rank),
        "NCCL_HOST_IP": "127.0.0.1",
        "NCCL_PORT": port,
        "MLX_RANK": str(rank),
        "MLX_WORLD_SIZE": str(ranks),
    }


def _parts(options: argparse.Namespace, out: Any, folder: Path) -> Make:
    """Makes the parts of this rank. All of them end in a group whose other ranks are there."""
    ending = Ending(lambda _: None)
    if options.rank:
        link: Link[Input] = Link(Pipes(sys.stdin.buffer, out), decode_input)
        follower = meeting.follow(link, ending)
        from engine.ranks import rank

        meeting.meet(follower)
        group = _form(options.rank, options.addresses)
        return lambda _, emit: _heard(rank.follower(follower, group, Way(options.split), rank.Own()), emit)
    if options.ranks == 1:
        from engine.server.server import alone

        return alone
    addresses = folder / "ranks.json"
    write_addresses(addresses, options.ranks)
    way, program = Way(options.split), __spec__.name  # its followers measure, too
    links = start_followers(folder / "segments", addresses, options.ranks, way, program)
    leader = meeting.lead(links, queue.SimpleQueue(), ending, LastWords(lambda _: None))
    from engine.ranks import rank

    group = _form(0, addresses)
    return lambda _, emit: rank.leader(leader, group, Way(options.split), emit)


def _form(number: int, addresses: Path) -> Any:
    from engine.ranks import rank

    if NCCL_PORT not in os.environ:
        return rank.form(number, addresses)
    import mlx.core as mx

    return mx.distributed.init(strict=True, backend="nccl")


def _heard(parts: Parts, emit: Emit) -> Parts:
    """A follower's parts, whose events are taken too: the next prompt repeats the answer."""

    def both(event: Any) -> None:
        parts.emit(event)
        emit(event)

    return replace(parts, emit=both)


if __name__ == "__main__":
    main()
