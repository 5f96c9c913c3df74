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
_LOOPBACK: Final = "127."
_TUNNELS: Final = ("utun", "ipsec", "ppp", "tun", "tap", "wg")
"""How the names of the interfaces of VPNs begin: no Mac around is behind them."""


def addresses() -> dict[str, str]:
    """The interfaces that are up, with their addresses; loopback is the last."""
    states = psutil.net_if_stats()
    found = {
        name: one.address
        for name, all_of in psutil.net_if_addrs().items()
        for one in all_of
        if one.family is socket.AF_INET and name in states and states[name].isup
    }
    return dict(sorted(found.items(), key=lambda entry: entry[1].startswith(_LOOPBACK)))


def networks() -> tuple[IPv4Network, ...]:
    """The networks of the interfaces: what is in them is reached without a router."""
    return tuple(
        IPv4Network(f"{one.address}/{one.netmask}", strict=False)
        for all_of in psutil.net_if_addrs().values()
        for one in all_of
        if one.family is socket.AF_INET and one.netmask
    )


def usual() -> str:
    """The address at which the Macs around reach this one; empty without a network. It is that of the interface that
    leads to other networks, unless that is a VPN.
    """
    routed, found = _routed(), addresses()
    names = (name for name, address in found.items() if not address.startswith(_LOOPBACK))
    best = min(names, key=lambda name: (name.startswith(_TUNNELS), found[name] != routed), default="")
    return found.get(best, "")


def _routed() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(_ELSEWHERE)
        except OSError:
            return ""
        address: str = trial.getsockname()[0]
        return address


def named(name: str) -> str:
    """The address of the interface `name`, or `name` itself if it is no interface."""
    return addresses().get(name, name)
