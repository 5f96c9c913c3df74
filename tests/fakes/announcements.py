"""Packets of multicast DNS as any machine on the network can send them, true or not. Written by hand: zeroconf refuses
to send what is wrong.
"""

from __future__ import annotations

import secrets
import socket
import struct

from tests.fakes.macs import HOST

_GROUP = ("224.0.0.251", 5353)
_PTR, _TXT, _A, _SRV = 12, 16, 1, 33
_IN = 1
_TTL = 120


def fresh_service() -> str:
    """A type that no other test uses: all processes of this machine hear each other."""
    return f"_h{secrets.token_hex(5)}._tcp.local."


def packet(service: str, label: bytes, fields: tuple[bytes, ...], host: str = HOST, port: int = 1) -> bytes:
    """The announcement of one worker, whose instance has the name `label`."""
    instance = bytes([len(label)]) + label + _name(service)
    server = bytes([len(label)]) + label + _name("local.")
    answers = (
        _record(_name(service), _PTR, instance),
        _record(instance, _SRV, struct.pack("!HHH", 0, 0, port) + server),
        _record(instance, _TXT, b"".join(bytes([len(field)]) + field for field in fields)),
        _record(server, _A, socket.inet_aton(host)),
    )
    return struct.pack("!6H", 0, 0x8400, 0, len(answers), 0, 0) + b"".join(answers)


def send(*packets: bytes) -> None:
    """Send them to all programs of this machine that listen."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HOST))
        sender.bind((HOST, _GROUP[1]))
        for one in packets:
            sender.sendto(one, _GROUP)


def _name(dotted: str) -> bytes:
    return b"".join(bytes([len(label)]) + label.encode() for label in dotted.split(".") if label) + b"\0"


def _record(name: bytes, kind: int, data: bytes) -> bytes:
    return name + struct.pack("!HHIH", kind, _IN, _TTL, len(data)) + data
