"""The engine process: arguments, pipes and threads. Owns how the parts are put together; what they do is the server's.

Protocol lines come in on stdin and leave on a private copy of stdout. Everything that any library prints goes to
stderr, which the app keeps as the engine's log.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import protocol
    from engine.server import Inbox


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the engine until its stdin ends. Returns the process's exit status."""
    options = _options(arguments)
    out = _take_stdout()
    if sys.platform == "linux":
        # With a compiler on the machine MLX builds its CPU kernels at run time: seconds of silence in the first answer.
        os.environ.setdefault("MLX_DISABLE_COMPILE", "1")
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the app decides what it means
    _serve(options, out)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="hearth --engine", description="Hearth's engine process.")
    parser.add_argument("--segments", type=Path, required=True, metavar="DIR", help="folder of the segment store")
    parser.add_argument(
        "--quota", type=int, metavar="BYTES", help="most bytes the store may hold (default: any, until the app tells)"
    )
    parser.add_argument("--hot", type=int, metavar="BYTES", help="most bytes kept in memory (default: by this machine)")
    return parser.parse_args(arguments)


def _take_stdout() -> BinaryIO:
    """A private copy of fd 1 for the protocol; fd 1 itself becomes stderr before anything heavy is imported."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def _serve(options: argparse.Namespace, out: BinaryIO) -> None:
    import queue

    import mlx.core as mx
    import psutil

    from engine import protocol
    from engine.cache.hot import HotTier
    from engine.cache.io_thread import IoThread
    from engine.cache.manager import CacheManager
    from engine.identity import WeightDigests
    from engine.memory import hot_budget
    from engine.server import Server
    from storage.segments.budget import UNBOUNDED
    from storage.segments.store import SegmentStore

    quota = UNBOUNDED if options.quota is None else options.quota
    emit = _emitter(out)
    inbox: Inbox = queue.SimpleQueue()
    hot = HotTier(options.hot or hot_budget(psutil.virtual_memory().total))
    manager = CacheManager(IoThread(lambda: SegmentStore.open(options.segments, quota)), hot, inbox.put)
    server = Server(inbox, emit, manager, WeightDigests(options.segments / "weights.json"))
    threading.Thread(target=_read, args=(inbox, emit), name="stdin", daemon=True).start()
    emit(protocol.Ready(protocol.PROTOCOL_VERSION, os.getpid()))
    server.run()
    mx.clear_streams()  # a process that ends with streams open can abort


def _emitter(out: BinaryIO) -> Callable[[protocol.Event], None]:
    from engine import frames

    def emit(event: protocol.Event) -> None:
        try:
            out.write(frames.encode(event))
            out.flush()
        except BrokenPipeError:
            logging.getLogger(__name__).info("the app is gone; %s unheard", type(event).__name__)

    return emit


def _read(inbox: Inbox, emit: Callable[[protocol.Event], None]) -> None:
    """Commands from stdin to the inbox. The end of stdin is a Shutdown: no engine outlives its app."""
    import msgspec

    from engine import frames, protocol
    from engine.errors import BadCommand

    for line in sys.stdin.buffer:
        try:
            command = frames.decode_command(line)
        except msgspec.DecodeError as error:
            rejected = protocol.Rejected(BadCommand.code, f"Not a command: {error}")
            inbox.put(partial(emit, rejected))  # events leave from one thread only
            continue
        if isinstance(command, protocol.Shutdown):
            break  # a thread that still reads when Python ends would abort the process
        inbox.put(command)
    inbox.put(protocol.Shutdown())


if __name__ == "__main__":
    sys.exit(main())
