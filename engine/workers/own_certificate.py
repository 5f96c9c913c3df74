"""The certificate of this Mac, by which other Macs know it, and its private key.

Both are in one file that only the user can read. The key is encrypted with a password from the system's keychain. A
machine without a keychain, such as a server reached by ssh, has its key in the file as it is.

Certificates are pinned, so neither their names nor their dates mean anything: a clock may be wrong.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from engine.workers.errors import OwnKeyLocked, OwnKeyLost
from storage import keychain
from storage.errors import KeychainRefused
from storage.folders import OWNER_FILE, private_folder, sync
from storage.untrusted import MissingFileError, read_file, set_aside

FILE: Final = "this-mac.pem"
_LARGEST: Final = 1 << 16
_ENCRYPTED: Final = b"ENCRYPTED PRIVATE KEY"
_END: Final = "-----END CERTIFICATE-----\n"


def fingerprint(certificate: str) -> str:
    """The SHA-256 digest of a certificate in PEM, in hexadecimal. Raises ValueError for anything else."""
    content = ssl.PEM_cert_to_DER_cert(certificate)
    if ssl.DER_cert_to_PEM_cert(content) != certificate:
        raise ValueError("signs that are none of Base64, or more than one certificate")
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class OwnCertificate:
    """The certificate in `file`, as PEM."""

    file: Path
    certificate: str
    in_keychain: bool

    @property
    def fingerprint(self) -> str:
        """Of the certificate."""
        return fingerprint(self.certificate)

    def present(self, context: ssl.SSLContext) -> None:
        """Let this Mac present itself in connections of `context`. Raises OwnKeyLocked and OwnKeyLost."""
        try:
            password = keychain.secret(_entry(self.fingerprint)) if self.in_keychain else ""
        except KeychainRefused as error:
            raise OwnKeyLocked from error
        try:
            context.load_cert_chain(self.file, password=lambda: password or "")
        except (ssl.SSLError, ValueError) as error:
            raise OwnKeyLost from error
        except OSError as error:  # too many open files, perhaps: the key may be well
            raise OwnKeyLocked from error


def own_certificate(folder: Path) -> OwnCertificate:
    """The certificate in `folder`, made now if there is none. Raises OSError, UntrustedDataError and OwnKeyLost."""
    file = folder / FILE
    try:
        return _read(file)
    except MissingFileError:
        private_folder(folder)
        _write(file, *_made())
        return _read(file)


def usable_certificate(folder: Path) -> OwnCertificate:
    """The certificate in `folder`, whose key can be used now. One that is lost is set aside, and another one made: the
    Macs that know it have to be paired again. Raises OSError, UntrustedDataError and OwnKeyLocked.
    """
    try:
        return _tried(folder)
    except OwnKeyLost:
        set_aside(folder / FILE)
        return _tried(folder)


def _tried(folder: Path) -> OwnCertificate:
    own = own_certificate(folder)
    own.present(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    return own


def _entry(of: str) -> str:
    """The name of the key's password in the keychain."""
    return f"mac-{of[:16]}"


def _read(file: Path) -> OwnCertificate:
    content = read_file(file, _LARGEST)
    certificate = content.decode("ascii", "replace").partition(_END)[0] + _END
    try:
        fingerprint(certificate)
    except ValueError as error:
        raise OwnKeyLost from error
    return OwnCertificate(file, certificate, _ENCRYPTED in content)


def _write(file: Path, certificate: bytes, key: bytes) -> None:
    """Write a file that no other process has written first."""
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_FILE), "wb") as content:
        content.write(certificate + key)
    sync(fresh)
    with suppress(FileExistsError):
        os.link(fresh, file)
    fresh.unlink()


def _made() -> tuple[bytes, bytes]:
    """A new certificate and its key, which the keychain's password encrypts if there is a keychain."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _signed(key).public_bytes(serialization.Encoding.PEM)
    password = secrets.token_urlsafe(32)
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if keychain.keep(_entry(fingerprint(certificate.decode("ascii"))), password):
        encryption = serialization.BestAvailableEncryption(password.encode("ascii"))
    return certificate, key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)


def _signed(key: Any) -> Any:
    """A certificate of `key`, signed by it. Its name is unique, so that a list of certificates has no two of a name."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import NameOID

    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Hearth {secrets.token_hex(16)}")])
    built = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    built = built.serial_number(x509.random_serial_number())
    built = built.not_valid_before(datetime(2000, 1, 1, tzinfo=UTC)).not_valid_after(datetime(9999, 12, 31, tzinfo=UTC))
    built = built.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    return built.sign(key, hashes.SHA256())
