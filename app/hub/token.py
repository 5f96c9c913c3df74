"""Keeps the user's token for the hub: in the system's keychain, or in a file that only the user can read.

Blocks: a keychain may ask the user. The token is never logged, and never an argument of a process.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.base.errors import reason
from app.base.paths import Paths
from app.hub.errors import TokenNotKept
from resources.language.text import tr
from storage import keychain
from storage.errors import KeychainRefused
from storage.folders import private_folder, write_durably
from storage.untrusted import UntrustedDataError, read_file

_USER: Final = "hugging-face-token"
_FILE: Final = "hub-token"
_FORM: Final = re.compile(r"[!-~]{1,500}", re.ASCII)
_LARGEST: Final = 4096


class TokenPlace(StrEnum):
    """The place of the token."""

    NOWHERE = "nowhere"
    KEYCHAIN = "keychain"
    FILE = "file"


class TokenStore:
    """The token of this home."""

    def __init__(self, paths: Paths) -> None:
        self.file: Path = paths.data / _FILE

    def token(self) -> str | None:
        """The user's token; None if the user set none, so that huggingface_hub's own rules apply."""
        return self._in_file() or _in_keychain()

    def place(self) -> TokenPlace:
        """Where the user's token is now."""
        if self._in_file():
            return TokenPlace.FILE
        return TokenPlace.KEYCHAIN if _in_keychain() else TokenPlace.NOWHERE

    def keep(self, token: str) -> TokenPlace:
        """Keep `token` in place of an earlier one; "" forgets it. Raises TokenNotKept."""
        token = token.strip()
        if not token:
            return self._forget()
        if not _FORM.fullmatch(token):
            raise TokenNotKept(tr("This is no token: a token has no spaces and only plain letters."))
        if keychain.keep(_USER, token):
            self._delete_file()
            return TokenPlace.KEYCHAIN
        try:
            private_folder(self.file.parent)
            write_durably(self.file, self.file.with_name(self.file.name + ".new"), token.encode("ascii"))
        except OSError as error:
            raise TokenNotKept(tr("The token cannot be kept: {reason}.", reason=reason(error))) from error
        return TokenPlace.FILE

    def _forget(self) -> TokenPlace:
        try:
            keychain.forget(_USER)
        except KeychainRefused as error:
            raise TokenNotKept(
                tr("The keychain does not delete the token. Delete it there: it is called Hearth.")
            ) from error
        self._delete_file()
        return TokenPlace.NOWHERE

    def _in_file(self) -> str | None:
        try:
            found = read_file(self.file, _LARGEST).decode("ascii", "replace").strip()
        except UntrustedDataError:
            return None
        return found if _FORM.fullmatch(found) else None

    def _delete_file(self) -> None:
        try:
            self.file.unlink(missing_ok=True)
        except OSError as error:
            raise TokenNotKept(tr("The earlier token cannot be deleted: {reason}.", reason=reason(error))) from error


def _in_keychain() -> str | None:
    try:
        return keychain.secret(_USER)
    except KeychainRefused:
        return None
