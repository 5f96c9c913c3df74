"""Announces this Mac on the local network while it waits for others, by DNS-SD (RFC 6763)."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from app.macs.announcement import SERVICE
from app.macs.multicast import Multicast

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from zeroconf import ServiceInfo
    from zeroconf.asyncio import AsyncZeroconf

    from app.macs.announcement import Announcement

_GOODBYE_SECONDS: Final = 2.0


class Announcer:
    """Announces a worker on its own interface only. Runs on a thread of its own."""

    def __init__(self, announcement: Announcement, service: str = SERVICE) -> None:
        self._announcement = announcement
        self._type = service
        self._host, _, self._port = announcement.address.rpartition(":")
        self._multicast = Multicast("announcer", lambda: (self._host,), self._announced)

    def start(self) -> None:
        """Announce it from now on."""
        self._multicast.start()

    def stop(self) -> None:
        """Say that it has gone."""
        self._multicast.end(_GOODBYE_SECONDS)

    @asynccontextmanager
    async def _announced(self, zeroconf: AsyncZeroconf) -> AsyncIterator[Callable[[], bool]]:
        service = self._service()
        # The id makes the name unique, so other machines need not confirm that it is free.
        announcing = asyncio.ensure_future(await zeroconf.async_register_service(service, cooperating_responders=True))
        try:
            yield lambda: False
        finally:
            announcing.cancel()  # none may follow the goodbye
            await zeroconf.async_unregister_service(service)
            await asyncio.sleep(0)  # the first of three goodbyes: an app that quits does not wait for the others

    def _service(self) -> ServiceInfo:
        from zeroconf import ServiceInfo

        name = f"Hearth {self._announcement.id}-{self._port}"
        return ServiceInfo(
            self._type,
            f"{name}.{self._type}",
            port=int(self._port),
            addresses=[socket.inet_aton(self._host)],
            properties=self._announcement.fields,
            server=f"{name.replace(' ', '-')}.local.",
        )
