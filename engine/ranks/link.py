"""A link: the control connection between the leader of a group and one follower, over pipes or a network.

Each end has a thread that reads and calls `heard`, a thread that says every second that its process runs, and a thread
that checks that the peer says so too. A peer that is silent for SILENT_SECONDS counts as lost, as if it had closed the
connection: a stopped process closes nothing. It also takes nothing, so a thread that sends to it can block; the thread
that checks never sends.

A process that starts may be silent for longer, up to STARTING_SECONDS: while it loads MLX's libraries and forms the
group, no other thread of it runs. It has started when it sends something other than beats and its Hello.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import IO, Final, Generic, Protocol, TypeVar

from engine.protocol.framing import LONGEST, Lines
from engine.ranks.inputs import Alive, Hello, Input, Report, encode
from storage.untrusted import UntrustedDataError

BEAT_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 5.0
STARTING_SECONDS: Final = 10.0
_PORTION: Final = 1 << 16

Heard = TypeVar("Heard")


class Stream(Protocol):
    """Carries bytes in both directions. Two threads may read and write at the same time. Methods raise OSError, or
    ValueError once it is closed.
    """

    def read(self, size: int) -> bytes:
        """Wait for some bytes, at most `size`; nothing at the end."""

    def write(self, data: bytes) -> None:
        """Send all of `data`."""


class Pipes:
    """A stream over two pipes."""

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self._reading = reading
        self._writing = writing

    def read(self, size: int) -> bytes:
        """Wait for some bytes. Takes no lock of the file, which a thread would hold while Python ends."""
        return os.read(self._reading.fileno(), size)

    def write(self, data: bytes) -> None:
        """Send all of `data`."""
        self._writing.write(data)
        self._writing.flush()


class Link(Generic[Heard]):
    """Sends messages from any thread. `decode` raises UntrustedDataError. `longest`: the most bytes in a line of the
    peer. `lost` is called at most once, with the reason for the log, on one of the link's threads.
    """

    def __init__(
        self,
        stream: Stream,
        decode: Callable[[bytes], Heard | Alive],
        clock: Callable[[], float] = time.monotonic,
        longest: int = LONGEST,
    ) -> None:
        self._stream = stream
        self._longest = longest
        self._decode = decode
        self._clock = clock
        self._sending = threading.Lock()
        self._ending = threading.Lock()
        self._over = threading.Event()
        self._heard_at = clock()
        self._limit = STARTING_SECONDS
        self._lost: Callable[[str], object] | None = None

    def start(self, heard: Callable[[Heard], object], lost: Callable[[str], object]) -> None:
        """Begin to listen."""
        self._lost, self._heard_at = lost, self._clock()
        threading.Thread(target=self._listen, args=(heard,), name="link", daemon=True).start()
        threading.Thread(target=self._beat, name="beat", daemon=True).start()
        threading.Thread(target=self._check, name="check", daemon=True).start()

    def expect_end(self) -> None:
        """From now on the peer may close the connection: both ends are about to end."""
        self._ending.acquire(blocking=False)

    def send(self, message: Input | Report) -> None:
        """Send a message. If the peer is gone, the message is dropped and the link is lost."""
        try:
            with self._sending:
                self._stream.write(encode(message))
        except (OSError, ValueError) as error:  # a closed stream raises ValueError
            self._end(f"nothing can be sent: {error}")

    def _listen(self, heard: Callable[[Heard], object]) -> None:
        splitter, reason = Lines(self._longest), "the connection was closed"
        try:
            while data := self._stream.read(_PORTION):
                self._heard_at = self._clock()
                for line in splitter.feed(data):
                    message = self._decode(line or b"")  # a line that is too long is no message, either
                    if isinstance(message, Alive):
                        continue
                    if not isinstance(message, Hello):
                        self._limit = SILENT_SECONDS
                    heard(message)
        except (OSError, ValueError, UntrustedDataError) as error:
            reason = f"{type(error).__name__}: {error}"
        self._end(reason)

    def _beat(self) -> None:
        while not self._over.is_set():
            self.send(Alive())
            self._over.wait(BEAT_SECONDS)

    def _check(self) -> None:
        while (silent := self._clock() - self._heard_at) < self._limit:
            if self._over.wait(BEAT_SECONDS):
                return
        self._end(f"silent for {silent:.0f} s")

    def _end(self, reason: str) -> None:
        if self._lost is None:  # the thread that listens will notice it too
            return
        self._over.set()
        if self._ending.acquire(blocking=False):
            self._lost(reason)
