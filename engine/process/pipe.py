"""The two ends of a process that speaks the protocol: commands from stdin, messages to a private copy of stdout.

Whatever a library prints goes to stderr, which the app keeps as a log.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final

from resources.language.text import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.process.lifeline import Ending
    from engine.protocol.framing import PipeMessage
    from engine.protocol.messages import Command, Event

    Put = Callable[[Command | Callable[[], None]], None]

log = logging.getLogger(__name__)

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
    for name in ("HF_ENDPOINT", "HF_HUB_DOWNLOAD_TIMEOUT", "HF_HUB_ETAG_TIMEOUT"):
        os.environ.pop(name, None)  # a malformed one breaks the import of huggingface_hub
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
            log.info("the app is gone; %s was not sent", type(message).__name__)

    return emit


def lines() -> Iterator[bytes | None]:
    """The lines of stdin until it ends; None for one that is too long."""
    from engine.protocol.framing import Lines

    splitter = Lines()
    while data := os.read(0, _PORTION):
        yield from splitter.feed(data)


def read_commands(put: Put, emit: Callable[[Event], None], ending: Ending) -> None:
    """Put the engine's commands from stdin into its inbox by `put`. On a thread of its own: if that ends, for any
    reason, the engine ends.
    """
    try:
        for line in lines():
            if not _take(line, put, emit):
                return  # a thread that still reads when Python ends would abort the process
    finally:
        ending.begin()


def _take(line: bytes | None, put: Put, emit: Callable[[Event], None]) -> bool:
    """Put the command of a line (None: one that is too long) into the inbox. Returns False for a Shutdown, which ends
    the reading.
    """
    from engine.protocol import framing
    from engine.protocol.errors import BadCommand
    from engine.protocol.messages import Rejected, Shutdown
    from storage.untrusted import UntrustedDataError

    try:
        command = framing.decode_command(line or b"")
    except UntrustedDataError as error:
        log.warning("not a command: %s", error)
        rejected = Rejected(BadCommand.code, tr("The engine was sent something that is not a command."))
        put(partial(emit, rejected))  # by the main thread, which alone emits events
        return True
    if isinstance(command, Shutdown):
        return False
    put(command)
    return True
