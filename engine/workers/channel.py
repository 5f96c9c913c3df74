"""A channel: a TLS 1.3 connection between two Macs that know each other's certificate.

Each side demands the certificate of the other and accepts only those it was given, as their own authority. One thread
may read while another writes: Python's own sockets do not allow that, so the TLS engine works in memory, under a lock,
and no thread waits for the network while it holds that lock.
"""

from __future__ import annotations

import hashlib
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from engine.workers.own_certificate import OwnCertificate
from engine.workers.requests import LONGEST
from resources.language.text import tr

_PORTION: Final = 1 << 16
_NO_CHECK_TIME: Final = 0x200000
"""X509_V_FLAG_NO_CHECK_TIME of OpenSSL, which `ssl` does not name: see X509_VERIFY_PARAM_set_flags(3)."""


def client_context(own: OwnCertificate, trusted: str) -> ssl.SSLContext:
    """Accepts the worker with the certificate `trusted`, as PEM. Raises OwnKeyLocked and OwnKeyLost."""
    return _context(ssl.PROTOCOL_TLS_CLIENT, own, (trusted,))


def stranger_context() -> ssl.SSLContext:
    """Accepts any worker, and shows it no certificate: compare its fingerprint before you send anything."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT, None, ())
    context.verify_mode = ssl.CERT_NONE
    return context


def server_context(own: OwnCertificate, trusted: Iterable[str]) -> ssl.SSLContext:
    """Accepts Macs with the `trusted` certificates, each as PEM. Raises OwnKeyLocked and OwnKeyLost."""
    context = _context(ssl.PROTOCOL_TLS_SERVER, own, trusted)
    context.num_tickets = 0  # each connection is verified in full
    return context


def pairing_context(own: OwnCertificate, trusted: Iterable[str]) -> ssl.SSLContext:
    """Also accepts a Mac that shows no certificate: it has to prove that it knows the code. Raises as above."""
    context = server_context(own, trusted)
    context.verify_mode = ssl.CERT_OPTIONAL
    return context


def _context(side: int, own: OwnCertificate | None, trusted: Iterable[str]) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # the certificate itself is known
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | _NO_CHECK_TIME  # the clock of a Mac may be wrong
    if own is not None:
        own.present(context)
    if authorities := "".join(trusted):
        context.load_verify_locations(cadata=authorities)
    return context


class Channel:
    """A connection with TLS on it. Methods raise OSError if it breaks; `read` returns nothing at its end."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext, *, server: bool) -> None:
        self._connection = connection
        with suppress(OSError):  # a pair of sockets of one machine has no such option
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a step waits for each message
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=server)
        self._computing = threading.Lock()
        self._sending = threading.Lock()
        self._held = bytearray()
        self._until: float | None = None

    def shake_hands(self) -> None:
        """Begin. Raises OSError, of which ssl.SSLError is one."""
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self._flush()
                self._fill()
            except ssl.SSLError:
                self._flush()  # the other side shall know why
                raise
            else:
                self._flush()
                return

    @property
    def peer(self) -> str:
        """The fingerprint of the other side's certificate; empty if it has shown none."""
        certificate = self._tls.getpeercert(binary_form=True)
        return hashlib.sha256(certificate).hexdigest() if certificate else ""

    @property
    def peer_certificate(self) -> str:
        """The other side's certificate, as PEM."""
        return ssl.DER_cert_to_PEM_cert(self._tls.getpeercert(binary_form=True) or b"")

    @property
    def host(self) -> str:
        """This side's address."""
        host: str = self._connection.getsockname()[0]
        return host

    def end_within(self, seconds: float) -> None:
        """Let all that is read and written from now on take `seconds` together, or raise TimeoutError."""
        self._until = time.monotonic() + seconds

    def allow_silence(self, seconds: float | None) -> None:
        """From now on raise TimeoutError only if nothing can be read, or written, for `seconds`. None: never."""
        self._until = None
        self._connection.settimeout(seconds)

    def read(self, size: int) -> bytes:
        """Wait for some bytes, at most `size`; nothing at the end."""
        return self._take(min(size, len(self._held))) if self._held else self._receive(size)

    def line(self) -> bytes:
        """The next line, without its newline. Raises ConnectionError if the end comes first, or it is too long."""
        while (end := self._held.find(b"\n")) < 0:
            data = self._receive(_PORTION)
            self._held += data
            if not data or len(self._held) > LONGEST:
                raise ConnectionError(tr("the connection was closed"))
        return self._take(end + 1)[:-1]

    def exactly(self, size: int) -> bytes:
        """The next `size` bytes. Raises ConnectionError if the end comes first."""
        found = bytearray()
        while len(found) < size:
            data = self.read(size - len(found))
            if not data:
                raise ConnectionError(tr("the connection was closed"))
            found += data
        return bytes(found)

    def write(self, data: bytes) -> None:
        """Send all of `data`."""
        rest = memoryview(data)
        with self._sending:
            while rest:
                with self._computing:
                    rest = rest[self._tls.write(rest) :]
            self._flush()

    def refuse(self, seconds: float) -> None:
        """End a connection that failed, so that the other side gets what was sent to it: wait until it has closed."""
        with suppress(OSError, ValueError):
            self.end_within(seconds)
            self._connection.shutdown(socket.SHUT_WR)
            while self._connection.recv(_PORTION):
                self._hurry()
        self.close()

    def close(self) -> None:
        """End the connection. A thread that reads or writes returns."""
        with suppress(OSError, ValueError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def _receive(self, size: int) -> bytes:
        while True:
            with self._computing, suppress(ssl.SSLWantReadError):
                try:
                    return self._tls.read(min(size, _PORTION))
                except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                    return b""
            self._fill()

    def _take(self, size: int) -> bytes:
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken

    def _hurry(self) -> None:
        if self._until is not None:
            self._connection.settimeout(max(0.001, self._until - time.monotonic()))

    def _fill(self) -> None:
        self._hurry()
        data = self._connection.recv(_PORTION)
        with self._computing:
            if data:
                self._incoming.write(data)
            else:
                self._incoming.write_eof()

    def _flush(self) -> None:
        with self._computing:
            data = self._outgoing.read()
        if data:
            self._hurry()
            self._connection.sendall(data)
