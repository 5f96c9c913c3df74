"""Two Macs on this machine: homes of their own, and a worker at a loopback address."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.base import paths
from app.base.paths import Paths
from app.macs import pairing
from app.macs.roster import Mac
from app.macs.worker import Worker
from engine.workers.own_certificate import fingerprint

HOST = "127.0.0.1"
_log = logging.getLogger(__name__)


def paired_mac(name: str, address: str, paired_at: float = 1.0) -> Mac:
    """A Mac in a list. No TLS would take its certificate, but its fingerprint is that of it."""
    certificate = ssl.DER_cert_to_PEM_cert(name.encode())
    return Mac(name, address, fingerprint(certificate), paired_at, certificate)


class Other:
    """The other Mac, with a worker that runs."""

    def __init__(self, places: Paths, worker: Worker, lines: list[str]) -> None:
        self.places = places
        self.worker = worker
        self.lines = lines

    @property
    def address(self) -> tuple[str, int]:
        """Where the worker waits."""
        host, _, port = self.worker.address.rpartition(":")
        return host, int(port)

    def pair(self, places: Paths) -> Mac:
        """Pair with the Mac of `places`, which becomes a leader."""
        return pairing.pair(places, self.worker.offer.renew(), self.worker.address)


def mac(home: Path) -> Paths:
    """The folders of a Mac, which exist."""
    places = paths.under(home)
    paths.prepare(places)
    return places


@contextmanager
def other_mac(home: Path) -> Iterator[Other]:
    """A Mac with a worker, at any free port. Its models are those of its own folder alone, if the test sets HF_HOME."""
    lines: list[str] = []
    places = mac(home)

    def tell(line: str) -> None:
        lines.append(line)
        _log.info("%s", line)

    worker = Worker(places, HOST, 0, tell)
    worker.start()
    try:
        yield Other(places, worker, lines)
    finally:
        worker.stop()
