"""A thread that speaks multicast DNS (RFC 6762), with an event loop of its own.

Invariants:

- The library is imported on this thread, so neither a start nor the window waits for it.
- While nothing can be sent, it tries again every few seconds: the user may allow it, or join a network, at any time.
- The thread is a daemon: the end of the process does not wait for it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf

_GROUP: Final = ("224.0.0.251", 5353)
_NO_QUESTIONS: Final = bytes(12)
"""A query without a question. It gets no answer."""
_TRIAL_SECONDS: Final = 5.0
_log = logging.getLogger(__name__)


class Multicast:
    """`hosts` returns the addresses of the interfaces to use. `part` is what the thread does as long as they stay the
    same: a context that it enters with a Zeroconf and leaves at the end, or when the function that it yields says that
    it has heard too much: then both begin anew. `usable` are those of them at which something can be sent; None before
    the first attempt.
    """

    def __init__(
        self,
        name: str,
        hosts: Callable[[], Iterable[str]],
        part: Callable[[AsyncZeroconf], AbstractAsyncContextManager[Callable[[], bool]]],
    ) -> None:
        self._hosts = hosts
        self._part = part
        self.usable: list[str] | None = None
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin, once."""
        self._thread.start()

    def end(self, seconds: float = 0.0) -> None:
        """End. Wait until the thread has ended, `seconds` at most."""
        with suppress(RuntimeError):  # the loop has ended by itself
            self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(seconds)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        from zeroconf import Error

        while not self._ended.is_set():
            try:
                self.usable = self._tried()
                await (self._speak(self.usable) if self.usable else self._pause())
            except (OSError, Error) as error:  # an interface that has gone meanwhile
                _log.info("multicast DNS has failed: %s", error)
                await self._pause()

    async def _speak(self, hosts: list[str]) -> None:
        from zeroconf import IPVersion
        from zeroconf.asyncio import AsyncZeroconf

        async with AsyncZeroconf(hosts, ip_version=IPVersion.V4Only) as zeroconf, self._part(zeroconf) as is_full:
            while not self._ended.is_set() and not is_full() and self._tried() == hosts:
                await self._pause()

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_TRIAL_SECONDS):
                await self._ended.wait()

    def _tried(self) -> list[str]:
        return [host for host in self._hosts() if may_send(host)]


def may_send(host: str) -> bool:
    """Whether the system lets this program send to all Macs on the network of an interface. macOS asks the user."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
            trial.sendto(_NO_QUESTIONS, _GROUP)
        except OSError:
            return False
        return True
