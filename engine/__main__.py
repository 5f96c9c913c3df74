"""The engine process: its arguments, pipes and threads.

The main thread runs the server; a second one reads commands from stdin. Protocol lines arrive on stdin and leave on a
private copy of stdout. Whatever a library prints goes to stderr, which the app keeps as the engine's log.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from engine.process import pipe
from resources.language import children

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.model.split import Way
    from engine.process.lifeline import Ending
    from engine.protocol import messages as protocol
    from engine.ranks.inputs import Input, Report
    from engine.ranks.link import Link
    from engine.ranks.meeting import LastWords
    from engine.server.model_loads import Inbox
    from engine.server.server import Parts
    from engine.workers.group_file import GroupFile

    Links = dict[int, Link[Report]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the engine until its stdin or its parent ends. Returns the process's exit status."""
    options = _options(arguments)
    out = pipe.begin()
    _serve(options, out)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="hearth --engine", description="Hearth's engine process.")
    parser.add_argument("--segments", type=Path, required=True, metavar="DIR", help="folder of the segment store")
    parser.add_argument(
        "--quota",
        type=int,
        metavar="BYTES",
        help="most bytes the store may hold (default: any, until the app tells; with --rank, whatever it tells)",
    )
    parser.add_argument("--hot", type=int, metavar="BYTES", help="most bytes kept in memory (default: by this machine)")
    parser.add_argument(
        "--parent", type=int, metavar="PID", help="process to end with (default: the one that started it)"
    )
    group = parser.add_argument_group("one model on several machines")
    group.add_argument("--group", type=Path, metavar="FILE", help="lead a group of this machine and others")
    group.add_argument(
        "--shares", type=_layers, default=(), metavar="N,N", help="layers of each rank of a pipeline (default: even)"
    )
    group.add_argument("--rank", type=int, metavar="R", help="follow the leader at stdin and stdout, as rank R")
    group.add_argument("--leader", default="", metavar="NAME", help="name of the leader (with --rank)")
    group.add_argument("--addresses", type=Path, metavar="FILE", help="data addresses of the ranks (with --rank)")
    group.add_argument("--models", type=Path, metavar="FILE", help="folders of this machine's models (with --rank)")
    group.add_argument("--split", choices=("tensor", "pipeline"), default="pipeline", help="how the model is split")
    return parser.parse_args(arguments)


def _layers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _way(options: argparse.Namespace) -> Way:
    from engine.model.split import Way

    return Way(options.split, options.shares)


def _serve(options: argparse.Namespace, out: BinaryIO) -> None:
    """Run the engine, or a follower of a group, until stdin ends. The thread that reads stdin starts before the heavy
    imports, so that its end is noticed even while they hang.
    """
    children.speak_as_told()
    import queue

    from engine.process import lifeline

    if options.rank is not None:
        _follow(options, out)
        return
    gc.disable()  # what imports make stays: looking for garbage among it is a fifth of the start
    inbox: Inbox = queue.SimpleQueue()
    emit = pipe.emitter(out)
    ending = lifeline.Ending(partial(_shut_down, inbox))
    threading.Thread(target=pipe.read_commands, args=(inbox.put, emit, ending), name="stdin", daemon=True).start()
    if lifeline.tie_to(options.parent or os.getppid()):
        _import_mlx_lm()
        _run(options, _parts(options, inbox, emit, ending), ending)


def _import_mlx_lm() -> None:
    from engine.process.imports import hard_limit_kept, unused_hidden

    with hard_limit_kept(), unused_hidden():
        import mlx_lm  # noqa: F401 - later imports find it loaded


def _parts(options: argparse.Namespace, inbox: Inbox, emit: Callable[[protocol.Event], None], ending: Ending) -> Parts:
    """The parts of the engine that the app commands: one by itself, or the leader of a group."""
    from engine.server.server import alone

    if not options.group:
        return alone(inbox, emit)
    from engine.ranks import meeting, rank
    from engine.ranks.meeting import LastWords
    from storage.folders import own_folder

    words = LastWords(emit)
    own_folder(options.segments)
    addresses = options.segments / "ranks.json"
    links, group = _gathered(options, addresses, words)
    leader = meeting.lead(links, inbox, ending, words)
    leader.names, leader.members = group.names, group.members
    return rank.leader(leader, rank.join(leader, 0, addresses), _way(options), words.emit)


def _gathered(options: argparse.Namespace, addresses: Path, words: LastWords) -> tuple[Links, GroupFile]:
    """The links to the workers that the group's file names, by rank, and that file."""
    from engine.ranks import remote
    from engine.ranks.lockstep import GroupLost

    try:
        group = remote.read(options.group)
        options.split, options.shares = group.split, group.shares
        return remote.start_followers(group, addresses), group
    except remote.NotGathered as error:
        words.say(error.rank, "not_started", str(error))
        raise GroupLost(str(error)) from error


def _follow(options: argparse.Namespace, out: BinaryIO) -> None:
    """Take part in a group as another rank. The leader sends its inputs to stdin."""
    from engine.process.lifeline import Ending
    from engine.ranks import meeting
    from engine.ranks.inputs import decode_input
    from engine.ranks.link import Link, Pipes

    link: Link[Input] = Link(Pipes(sys.stdin.buffer, out), decode_input)
    ending = Ending(lambda _: None)
    follower = meeting.follow(link, ending, options.leader)
    _import_mlx_lm()
    from engine.ranks import rank

    meeting.meet(follower)
    group = rank.join(follower, options.rank, options.addresses)
    own = rank.Own(options.models, options.quota, options.leader)
    _run(options, rank.follower(follower, group, _way(options), own), ending)


def _run(options: argparse.Namespace, parts: Parts, ending: Ending) -> None:
    import mlx.core as mx
    import psutil

    from engine.cache.disk.io_thread import IoThread
    from engine.cache.memory.hot_tier import HotTier
    from engine.memory.footprint import hot_budget
    from engine.model.identity import WeightDigests
    from engine.protocol import messages as protocol
    from engine.server.server import Server
    from storage.segments.store import UNBOUNDED, SegmentStore

    quota = UNBOUNDED if options.quota is None else options.quota
    hot = HotTier(options.hot or hot_budget(psutil.virtual_memory().total))
    manager = parts.manager(IoThread(lambda: SegmentStore.open(options.segments, quota)), hot)
    ending.finish_writes = manager.close
    digests = WeightDigests(options.segments / "weights.json")
    server = Server(parts.inbox, parts.emit, manager, digests, parts.load, parts.machine)
    gc.freeze()  # no collection during an answer looks at it again
    gc.enable()
    parts.emit(protocol.Ready(protocol.PROTOCOL_VERSION))
    server.run()
    mx.clear_streams()  # a process that ends with streams open can abort


def _shut_down(inbox: Inbox, noticed: Callable[[], None]) -> None:
    """End the server's loop. If the loop calls `noticed`, it does not compute, and has time to close."""
    from engine.protocol import messages as protocol

    inbox.put(noticed)
    inbox.put(protocol.Shutdown())


if __name__ == "__main__":
    sys.exit(main())
