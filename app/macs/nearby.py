"""The Macs that announce themselves on the local network.

What they say is foreign data that proves nothing (`app.macs.announcement`). It is bounded: a few Macs are kept, a few
are asked at once, and what comes beyond that is dropped.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final, Self

from app.macs import interfaces
from app.macs.announcement import SERVICE, Announcement, heard
from app.macs.multicast import Multicast

if TYPE_CHECKING:
    from zeroconf import RecordUpdate, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

_MOST: Final = 32
_MOST_RECORDS: Final = 100_000
"""zeroconf notes for each announcement when to ask again, and drops no note before its time. After this many records it
is started anew.
"""
_ANSWER_MS: Final = 2000


class Nearby:
    """Looks for workers while it runs, on a thread of its own. Any thread may call."""

    def __init__(self, service: str = SERVICE) -> None:
        self._type = service
        self._found: dict[str, Announcement] = {}
        self._changed = threading.Condition()
        self._asking: set[asyncio.Task[None]] = set()
        self._multicast: Multicast | None = None

    def start(self) -> None:
        """Look from now on, if it does not already."""
        if self._multicast is None:
            self._multicast = Multicast("nearby", lambda: interfaces.addresses().values(), self._browse)
            self._multicast.start()

    def stop(self) -> None:
        """Look no more, and forget what was found. The thread ends soon."""
        multicast, self._multicast = self._multicast, None
        if multicast is not None:
            multicast.end()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def is_possible(self) -> bool:
        """Whether this Mac may send multicasts on one of its networks. True until it has tried."""
        usable = self._multicast.usable if self._multicast is not None else None
        return usable is None or any(not host.startswith("127.") for host in usable)

    @property
    def macs(self) -> tuple[Announcement, ...]:
        """The workers, by name."""
        with self._changed:
            found = self._found.values()
            return tuple(sorted(found, key=lambda mac: (mac.name.casefold(), mac.address)))

    def wait(self, enough: Callable[[tuple[Announcement, ...]], bool], seconds: float) -> tuple[Announcement, ...]:
        """The workers, once they are `enough`, or after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: enough(self.macs), seconds)
            return self.macs

    @asynccontextmanager
    async def _browse(self, zeroconf: AsyncZeroconf) -> AsyncIterator[Callable[[], bool]]:
        from zeroconf import DNSQuestionType, RecordUpdateListener
        from zeroconf.asyncio import AsyncServiceBrowser

        count = 0

        class Count(RecordUpdateListener):
            def async_update_records(self, _zeroconf: Zeroconf, _now: float, records: list[RecordUpdate]) -> None:
                nonlocal count
                count += len(records)

        # Answers to all: of the programs that share the port, the system gives an answer to one only to one of them.
        browser = AsyncServiceBrowser(
            zeroconf.zeroconf, self._type, handlers=[self._heard], question_type=DNSQuestionType.QM
        )
        zeroconf.zeroconf.async_add_listener(Count(), None)
        try:
            yield lambda: count > _MOST_RECORDS
        finally:
            await browser.async_cancel()
            for task in self._asking:
                task.cancel()
            with self._changed:
                self._found.clear()

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:  # noqa: ARG002 - the library's names
        if state_change.name == "Removed":
            self._keep(name, None)
        elif len(self._asking) < _MOST:
            task = asyncio.get_running_loop().create_task(self._ask(zeroconf, name))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)

    async def _ask(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf import DNSQuestionType, Error
        from zeroconf.asyncio import AsyncServiceInfo

        with suppress(Error, ValueError):  # a name that is none, a record that does not fit
            info = AsyncServiceInfo(self._type, name)
            if await info.async_request(zeroconf, _ANSWER_MS, question_type=DNSQuestionType.QM):
                near = interfaces.networks()
                self._keep(name, heard(info.properties, info.parsed_addresses(), info.port, near))

    def _keep(self, name: str, mac: Announcement | None) -> None:
        with self._changed:
            self._found.pop(name, None)
            if mac is not None and len(self._found) < _MOST:
                self._found[name] = mac
            self._changed.notify_all()
