"""This Mac's certificate and key: made once, private, and with its password in the keychain if there is one."""

from __future__ import annotations

import ssl
import stat
from pathlib import Path

import pytest

from engine.workers.errors import OwnKeyLocked, OwnKeyLost
from engine.workers.own_certificate import FILE, fingerprint, own_certificate, usable_certificate
from storage import keychain
from storage.errors import KeychainRefused


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What a keychain keeps."""
    kept: dict[str, str] = {}
    monkeypatch.setattr(keychain, "keep", lambda name, value: not kept.update({name: value}))
    monkeypatch.setattr(keychain, "secret", kept.get)
    return kept


def presented(folder: Path) -> None:
    own_certificate(folder).present(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))


def test_a_certificate_is_made_once(tmp_path: Path) -> None:
    """The same for every process of this home, and another one in another home."""
    first = own_certificate(tmp_path / "a")
    assert own_certificate(tmp_path / "a") == first
    assert own_certificate(tmp_path / "b").fingerprint != first.fingerprint
    assert first.fingerprint == fingerprint(first.certificate)


def test_without_a_keychain_a_private_file_has_the_key(tmp_path: Path) -> None:
    """And nothing else is left of the write."""
    own = own_certificate(tmp_path / "macs")
    presented(tmp_path / "macs")
    assert not own.in_keychain
    assert [file.name for file in (tmp_path / "macs").iterdir()] == [FILE]
    assert stat.S_IMODE(own.file.stat().st_mode) == 0o600
    assert "PRIVATE KEY" not in own.certificate


def test_a_keychain_protects_the_key(tmp_path: Path, secrets: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The file alone is of no use: without the password, the key cannot be used. A keychain that is only locked has it
    still.
    """
    own = own_certificate(tmp_path)
    assert own.in_keychain
    assert b"ENCRYPTED PRIVATE KEY" in own.file.read_bytes()
    presented(tmp_path)
    [name] = secrets
    with monkeypatch.context() as locked:

        def refuse(_name: str) -> str | None:
            raise KeychainRefused

        locked.setattr(keychain, "secret", refuse)
        with pytest.raises(OwnKeyLocked):
            presented(tmp_path)
        with pytest.raises(OwnKeyLocked):
            usable_certificate(tmp_path)
    secrets[name] = "another"
    with pytest.raises(OwnKeyLost):
        presented(tmp_path)
    secrets.clear()
    with pytest.raises(OwnKeyLost):
        presented(tmp_path)
    assert own_certificate(tmp_path) == own


def test_a_key_whose_password_is_gone_is_made_anew(tmp_path: Path, secrets: dict[str, str]) -> None:
    """The keychain was reset, or the home is on another Mac now. The old key is kept beside it."""
    lost = own_certificate(tmp_path)
    secrets.clear()
    fresh = usable_certificate(tmp_path)
    assert fresh.fingerprint != lost.fingerprint
    assert usable_certificate(tmp_path) == fresh == own_certificate(tmp_path)
    presented(tmp_path)
    assert lost.certificate in (tmp_path / f"{FILE}.bad").read_text()


_PEM = b"-----BEGIN CERTIFICATE-----\n"


@pytest.mark.parametrize("content", [b"", b"hello", _PEM, b"\xff" * 100, _PEM + b"M!I\n-----END CERTIFICATE-----\n"])
def test_a_damaged_file_is_said_so(tmp_path: Path, content: bytes) -> None:
    """It is replaced only for who pairs this Mac: those that know the certificate no longer know this one."""
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(OwnKeyLost):
        presented(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content
    assert usable_certificate(tmp_path) == own_certificate(tmp_path)
    assert (tmp_path / f"{FILE}.bad").read_bytes() == content
