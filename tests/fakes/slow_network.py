"""A slow network: a port that carries every byte to another one some milliseconds later."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

DELAY_SECONDS = 0.01


class _Network:
    """The port and its connections."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._far = (host, int(port))
        self._sockets = [socket.create_server(("127.0.0.1", 0))]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def address(self) -> str:
        host, port = self._sockets[0].getsockname()
        return f"{host}:{port}"

    def close(self) -> None:
        for end in self._sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for end in self._sockets:
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._sockets[0].accept()
                self._sockets.append(near)
                self._sockets.append(far := socket.create_connection(self._far))
                for pair in ((near, far), (far, near)):
                    self._threads.append(threading.Thread(target=_carry, args=pair))
                    self._threads[-1].start()


@contextmanager
def slow(address: str) -> Iterator[str]:
    """The address of a port before `address`. All its threads have ended afterwards."""
    network = _Network(address)
    try:
        yield network.address
    finally:
        network.close()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 14):
            threading.Event().wait(DELAY_SECONDS)
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
