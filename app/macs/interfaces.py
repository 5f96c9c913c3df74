"""The network interfaces of this Mac, and the address at which it waits for others. IPv4, as MLX's ring demands."""

from __future__ import annotations

import socket
from ipaddress import IPv4Network
from typing import Final

import psutil

PORT: Final = 42517
"""The usual port of a worker. Its data connections use free ports of the same interface."""
_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address that exists nowhere. A connectionless socket sends nothing, but the system chooses its interface."""


def addresses() -> dict[str, str]:
    """The interfaces that are up, with their addresses; loopback is the last."""
    states = psutil.net_if_stats()
    found = {
        name: one.address
        for name, all_of in psutil.net_if_addrs().items()
        for one in all_of
        if one.family is socket.AF_INET and name in states and states[name].isup
    }
    return dict(sorted(found.items(), key=lambda entry: entry[1].startswith("127.")))


def networks() -> tuple[IPv4Network, ...]:
    """The networks of the interfaces: what is in them is reached without a router."""
    return tuple(
        IPv4Network(f"{one.address}/{one.netmask}", strict=False)
        for all_of in psutil.net_if_addrs().values()
        for one in all_of
        if one.family is socket.AF_INET and one.netmask
    )


def usual() -> str:
    """The address of the interface that leads to other networks; that of the first interface if none does."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(_ELSEWHERE)
            found: str = trial.getsockname()[0]
        except OSError:
            return next(iter(addresses().values()), "127.0.0.1")
        return found


def named(name: str) -> str:
    """The address of the interface `name`, or `name` itself if it is no interface."""
    return addresses().get(name, name)
