"""The user's token: in the keychain, or else in a file that only the user can read."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import keyring
import pytest
from keyring.errors import KeyringLocked, PasswordDeleteError

from app.base import paths
from app.hub import library
from app.hub.errors import TokenNotKept
from app.hub.token import TokenPlace, TokenStore

TOKEN = "hf_secret123"  # noqa: S105 - of nobody


class Keychain:
    """A keychain in memory, in the place of keyring's functions. If `locked`, it refuses everything."""

    priority = 5

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_keyring(self) -> Keychain:
        return self

    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check()
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("no such password")

    def _check(self) -> None:
        if self.locked:
            raise KeyringLocked("locked")


@pytest.fixture
def keychain(monkeypatch: pytest.MonkeyPatch) -> Keychain:
    """The keychain of the system."""
    keychain = Keychain()
    for name in ("get_keyring", "get_password", "set_password", "delete_password"):
        monkeypatch.setattr(keyring, name, getattr(keychain, name))
    return keychain


@pytest.fixture
def store(home: Path) -> TokenStore:
    return TokenStore(paths.under(home))


def test_a_keychain_keeps_the_token(keychain: Keychain, store: TokenStore) -> None:
    """No file has it."""
    assert store.keep(f" {TOKEN}\n") is TokenPlace.KEYCHAIN
    assert store.token() == TOKEN
    assert not store.file.exists()
    assert list(keychain.kept.values()) == [TOKEN]


def test_without_a_keychain_a_private_file_keeps_the_token(store: TokenStore) -> None:
    """Mode 0600, and nothing is left of the write."""
    assert store.keep(TOKEN) is TokenPlace.FILE
    assert store.token() == TOKEN
    assert stat.S_IMODE(store.file.stat().st_mode) == 0o600
    assert [path.name for path in store.file.parent.iterdir()] == ["hub-token"]


def test_a_locked_keychain_is_no_obstacle(keychain: Keychain, store: TokenStore) -> None:
    """The file takes the token; asking for it later does not fail either."""
    keychain.locked = True
    assert store.token() is None
    assert store.keep(TOKEN) is TokenPlace.FILE
    assert store.token() == TOKEN


def test_a_token_moves_into_the_keychain(keychain: Keychain, store: TokenStore) -> None:
    """The file is deleted once the keychain has the token."""
    keychain.locked = True
    store.keep("hf_old")
    keychain.locked = False
    assert store.keep(TOKEN) is TokenPlace.KEYCHAIN
    assert not store.file.exists()
    assert store.token() == TOKEN


def test_an_empty_token_forgets_the_old_one(keychain: Keychain, store: TokenStore) -> None:
    """In the keychain and in the file; a second time too."""
    store.keep(TOKEN)
    store.file.parent.mkdir(parents=True)
    store.file.write_bytes(b"hf_old")
    for _ in range(2):
        assert store.keep("") is TokenPlace.NOWHERE
        assert store.token() is None
    assert keychain.kept == {}


def test_a_keychain_that_does_not_delete_is_told(keychain: Keychain, store: TokenStore) -> None:
    """The user can delete it there."""
    store.keep(TOKEN)
    keychain.locked = True
    with pytest.raises(TokenNotKept) as caught:
        store.keep("")
    assert str(caught.value) == "The keychain does not delete the token. Delete it there: it is called Hearth."


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "tönen", "x" * 501])
def test_what_is_no_token_is_refused(store: TokenStore, token: str) -> None:
    """It would break the header of a request."""
    with pytest.raises(TokenNotKept, match="This is no token"):
        store.keep(token)


def test_a_folder_that_takes_no_file_is_told(store: TokenStore) -> None:
    """The sentence has the system's reason."""
    store.file.parent.parent.mkdir(parents=True, exist_ok=True)
    store.file.parent.write_bytes(b"a file")
    with pytest.raises(TokenNotKept) as caught:
        store.keep(TOKEN)
    assert str(caught.value) == "The token cannot be kept: A file stands in the place of the folder."


def test_a_damaged_file_is_no_token(store: TokenStore) -> None:
    """The hub's own rules apply then."""
    store.file.parent.mkdir(parents=True)
    store.file.write_bytes(b"\xff\xfe two words")
    assert store.token() is None


def test_the_user_s_token_comes_before_the_environment_s(store: TokenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """HF_TOKEN counts only if the user set no token in Hearth."""
    monkeypatch.setenv("HF_TOKEN", "hf_env")
    assert library.token(store.token()) == "hf_env"
    store.keep(TOKEN)
    assert library.token(store.token()) == TOKEN


def test_the_token_is_never_logged(keychain: Keychain, store: TokenStore, caplog: pytest.LogCaptureFixture) -> None:
    """Not even where the keychain refuses it."""
    caplog.set_level(logging.DEBUG)
    store.keep(TOKEN)
    keychain.locked = True
    store.keep(TOKEN)
    store.token()
    assert "refuses" in caplog.text
    assert TOKEN not in caplog.text
