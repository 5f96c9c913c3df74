"""Reads the requests of the loopback hub and writes its answers, with the faults that are ordered for them.

Each connection has a thread of its own.
"""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.fakes.hub.faults import Fault
from tests.fakes.hub.messages import Asked, Reply

if TYPE_CHECKING:
    from tests.fakes.hub.server import Hub

PIECE = 16 * 1024


class HubServer(ThreadingHTTPServer):
    """Listens for one hub on a free port."""

    daemon_threads = True  # a kept connection of a client that stays must not hold the test
    block_on_close = False

    def __init__(self, hub: Hub) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.hub = hub

    def handle_error(self, request: object, client_address: object) -> None:
        """Tests are quiet about clients that go, and loud about faults of the hub."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # as the base class calls it


class Handler(BaseHTTPRequestHandler):
    """Serves one connection."""

    protocol_version = "HTTP/1.1"
    server: HubServer

    def do_GET(self) -> None:
        self._serve(b"")

    def do_HEAD(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def _serve(self, form: bytes) -> None:
        address = urlsplit(self.path)
        query = parse_qs(address.query) | parse_qs(form.decode())
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, address.path, query, headers)
        fault = self.server.hub.note(asked)
        try:
            self._answer(asked, fault)
        except OSError:  # the client has closed the connection
            self.close_connection = True

    def _answer(self, asked: Asked, fault: Fault) -> None:
        if fault.silent:
            self.server.hub.closing.wait()
            self.close_connection = True
        elif fault.drip:
            self.wfile.write(fault.drip)
            while not self.server.hub.closing.wait(0.02):
                self.wfile.write(b"1")
        elif fault.loop:
            self._send(Reply(b"", 302, {"Location": self.path}), fault)
        elif fault.status:
            self._send(Reply(fault.body, fault.status, fault.headers), fault)
        else:
            self._send(self._ranged(self.server.hub.answer(asked), fault), fault)

    def _ranged(self, reply: Reply, fault: Fault) -> Reply:
        """The asked part of the body, as the fault has it."""
        if not reply.ranged:
            return reply
        body, headers = _spoiled(reply.body, fault), {**reply.headers, "Accept-Ranges": "bytes"}
        if fault.size is not None and "X-Linked-Size" in headers:
            headers["X-Linked-Size"] = str(fault.size)
        span = self.headers.get("Range", "")
        if not span or fault.no_range:
            return Reply(body, 200, headers)
        first, _, last = span.removeprefix("bytes=").partition("-")
        start, end = int(first), min(int(last or len(body)), len(body) - 1)
        if start >= len(body):
            return Reply(b"", 416, {"Content-Range": f"bytes */{len(body)}"})
        headers["Content-Range"] = f"bytes {start}-{end}/{len(body)}"
        return Reply(body[start : end + 1], 206, headers)

    def _send(self, reply: Reply, fault: Fault) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command != "HEAD":
            self._write(reply.body if fault.cut is None else reply.body[: fault.cut], fault.rate)
        if fault.cut is not None:
            self.close_connection = True

    def _write(self, body: bytes, rate: float) -> None:
        piece = min(PIECE, max(1, int(rate * 0.02))) if rate else len(body) or 1
        for start in range(0, len(body), piece):
            self.wfile.write(body[start : start + piece])
            if rate and self.server.hub.closing.wait(piece / rate):
                self.close_connection = True
                return

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class's name
        """Tests are quiet."""


def _spoiled(body: bytes, fault: Fault) -> bytes:
    if fault.size is not None:
        body = body[: fault.size].ljust(fault.size, b"\0")
    if fault.flip and body:
        middle = len(body) // 2
        body = body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]
    return body
