"""Two Macs on this machine: homes of their own, and a worker at a loopback address."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.base import paths
from app.base.paths import Paths
from app.macs import pairing
from app.macs.roster import Mac
from app.macs.worker import Worker
from engine.workers.own_certificate import OwnCertificate, fingerprint

HOST = "127.0.0.1"
_log = logging.getLogger(__name__)


def paired_mac(name: str, address: str, paired_at: float = 1.0) -> Mac:
    """A Mac in a list. No TLS would take its certificate, but its fingerprint is that of it."""
    certificate = ssl.DER_cert_to_PEM_cert(name.encode())
    return Mac(name, address, fingerprint(certificate), paired_at, certificate)


def foreign_certificate(file: Path, years: tuple[int, int] = (2000, 9999), by: Path | None = None) -> OwnCertificate:
    """A certificate that Hearth would not make: it may sign others. The one in the file `by` has signed it; None: its
    own key.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, file.name)])
    issuer, signing = name, key
    if by is not None:
        issuer = x509.load_pem_x509_certificate(by.read_bytes()).subject
        signing = serialization.load_pem_private_key(by.read_bytes(), None)  # type: ignore[assignment] # as made here
    made = x509.CertificateBuilder(issuer, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(datetime(years[0], 1, 1, tzinfo=UTC)).not_valid_after(
        datetime(years[1], 1, 1, tzinfo=UTC)
    )
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate = made.sign(signing, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    form = serialization.PrivateFormat.PKCS8
    file.write_bytes(certificate + key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return OwnCertificate(file, certificate.decode("ascii"), in_keychain=False)


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
