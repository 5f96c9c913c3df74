"""What a worker announces on the local network: where it waits, and by which name. Pure.

It holds nothing secret. Everyone on the network can read it, and anyone can forge it, so it proves nothing: the pairing
code and the certificates decide which Mac answers at an address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from typing import TYPE_CHECKING, Final

from app.macs.roster import shown_name
from engine.workers.requests import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from ipaddress import IPv4Network

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
