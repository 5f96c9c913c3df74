"""The two ends of a process that speaks the protocol: lines from stdin, messages to a private copy of stdout.

Whatever a library prints goes to stderr, which the app keeps as a log.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.protocol.framing import PipeMessage

_PORTION: Final = 1 << 16
"""The most bytes read from stdin at once."""


def begin() -> BinaryIO:
    """Prepare this process, before anything heavy is imported. Returns a private copy of fd 1 for the protocol: fd 1
    becomes stderr.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if sys.platform == "linux":
        # With a compiler on the machine MLX builds its CPU kernels at run time: seconds of silence in the first answer.
        os.environ.setdefault("MLX_DISABLE_COMPILE", "1")
    os.environ["HF_HUB_OFFLINE"] = "1"  # no library may ask a network about a folder
    os.environ.pop("HF_ENDPOINT", None)  # a malformed one breaks the import of huggingface_hub
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the app decides what it means
    os.umask(0o077)  # files that a library writes are private, too
    return out


def emitter(out: BinaryIO) -> Callable[[PipeMessage], None]:
    """A function that sends a message through `out`. Messages to an app that has ended are dropped."""
    from engine.protocol import framing

    def emit(message: PipeMessage) -> None:
        try:
            out.write(framing.encode(message))
            out.flush()
        except BrokenPipeError:
            logging.getLogger(__name__).info("the app is gone; %s was not sent", type(message).__name__)

    return emit


def lines() -> Iterator[bytes | None]:
    """The lines of stdin until it ends; None for one that is too long."""
    from engine.protocol.framing import Lines

    splitter = Lines()
    while data := os.read(0, _PORTION):
        yield from splitter.feed(data)
