"""What a worker announces on the local network, by DNS-SD (RFC 6763): where it waits, and by which name.

It holds nothing secret. Everyone on the network can read it, and anyone can forge it, so it proves nothing: the pairing
code and the certificates decide which Mac answers at an address.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network
from typing import TYPE_CHECKING, Final

from app.macs.multicast import Multicast
from app.macs.roster import shown_name
from engine.workers.requests import VERSION

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf


SERVICE: Final = "_hearth._tcp.local."
"""The type of the service, as DNS-SD names it."""
_ID_DIGITS: Final = 20
_ID: Final = re.compile(rb"[0-9a-f]{%d}" % _ID_DIGITS)
_VERSION: Final = re.compile(rb"[0-9]{1,4}")
_LONGEST_NAME: Final = 200
"""In bytes. A field has at most 255, with its key."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A worker. `address` is "host:port", `id` the beginning of the fingerprint of its certificate, as many bits as a
    pairing code has of it. `version` is that of the messages between Macs.
    """

    name: str
    address: str
    id: str
    version: int = VERSION

    @classmethod
    def of(cls, name: str, address: str, fingerprint: str) -> Announcement:
        """The announcement of this Mac."""
        return cls(name, address, fingerprint[:_ID_DIGITS])

    @property
    def fields(self) -> dict[bytes, bytes]:
        """The text record. What is read from it is the same announcement, apart from the address."""
        name = self.name.encode("utf-8", "ignore")[:_LONGEST_NAME]
        return {b"version": b"%d" % self.version, b"id": self.id.encode("ascii"), b"name": name}

    @property
    def is_understood(self) -> bool:
        """Whether this Mac speaks the same messages."""
        return self.version == VERSION

    def claims(self, fingerprint: str) -> bool:
        """Whether it says that it is the Mac with this certificate."""
        return fingerprint.startswith(self.id)


def heard(
    fields: Mapping[bytes, bytes | None], hosts: Iterable[str], port: int | None, near: Iterable[IPv4Network]
) -> Announcement | None:
    """The announcement of a worker in one of the networks `near`. None for anything else: anyone can send anything."""
    version, id_ = fields.get(b"version") or b"", fields.get(b"id") or b""
    host = next((one for one in hosts if _is_in(one, tuple(near))), "")
    if not (host and port and _ID.fullmatch(id_) and _VERSION.fullmatch(version)):
        return None
    address = f"{host}:{port}"
    name = shown_name((fields.get(b"name") or b"").decode("utf-8", "ignore"), address)
    return Announcement(name, address, id_.decode("ascii"), int(version))


def _is_in(host: str, near: tuple[IPv4Network, ...]) -> bool:
    """A worker that can be heard is on a network of this Mac. Another address in an announcement is an attempt to have
    this Mac connect to some other machine.
    """
    try:
        address = IPv4Address(host)
    except AddressValueError:
        return False
    return any(address in network for network in near)


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
        from zeroconf import ServiceInfo

        name = f"Hearth {self._announcement.id}-{self._port}"
        service = ServiceInfo(
            self._type,
            f"{name}.{self._type}",
            port=int(self._port),
            addresses=[socket.inet_aton(self._host)],
            properties=self._announcement.fields,
            server=f"{name.replace(' ', '-')}.local.",
        )
        # The id makes the name unique, so other machines need not confirm that it is free.
        announcing = asyncio.ensure_future(await zeroconf.async_register_service(service, cooperating_responders=True))
        try:
            yield lambda: False
        finally:
            announcing.cancel()  # none may follow the goodbye
            await zeroconf.async_unregister_service(service)
            await asyncio.sleep(0)  # the first of three goodbyes: an app that quits does not wait for the others
