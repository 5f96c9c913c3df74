"""What a release says of itself, in one signed JSON file. Owns the file's form and whose signature counts.

Whether a release is newer, or still holds, is left to `app.updates.judgement`. The same form is written by
`packaging/sign_release.py`.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from app.base.errors import UpdateNotChecked
from storage.foreign import ForeignError, decode_json

KEY_BYTES: Final = 32
"""Of a public key, and of the seed that a private one is made from."""

_SIGNED_AS: Final = b"hearth release 1\n"
"""Stands before what is signed, so that a signature under anything else never counts as one under a release."""


class Release(msgspec.Struct, frozen=True):
    """One version that can be had. `issued` and `expires` are Unix seconds, `notes` Markdown, `page` where it is."""

    version: str
    issued: int
    expires: int
    page: str
    notes: str = ""


class _Sheet(msgspec.Struct, frozen=True):
    """The file. What is signed are the very bytes of `release`, so it may be read by people and by nobody changed."""

    release: msgspec.Raw
    signature: str


def opened(sheet: bytes, key: bytes) -> Release:
    """The release that a file tells of, if `key` (32 bytes) signed it. Raises UpdateNotChecked."""
    try:
        read = decode_json(sheet, _Sheet)
        VerifyKey(key).verify(_SIGNED_AS + bytes(read.release), base64.b64decode(read.signature, validate=True))
        return decode_json(read.release, Release)
    except ForeignError as error:
        raise UpdateNotChecked("The file about updates cannot be read.") from error
    except (BadSignatureError, binascii.Error, ValueError) as error:
        raise UpdateNotChecked("The file about updates is not signed by Hearth.") from error


def sealed(release: Release, seed: bytes) -> bytes:
    """The file that tells of `release`, signed with the private key that `seed` (32 bytes) stands for."""
    words = msgspec.json.format(msgspec.json.encode(release), indent=2)
    signature = SigningKey(seed).sign(_SIGNED_AS + words).signature
    return b'{"signature": "%s",\n"release": %s}\n' % (base64.b64encode(signature), words)


def public_key(seed: bytes) -> bytes:
    """The 32 bytes by which a signature made with `seed` is known."""
    return bytes(SigningKey(seed).verify_key)


def key_of(text: bytes) -> bytes:
    """The key in a key file: one line of base64. Raises UpdateNotChecked."""
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except binascii.Error as error:
        raise UpdateNotChecked("The key for updates cannot be read.") from error
    if len(key) != KEY_BYTES:
        raise UpdateNotChecked("The key for updates cannot be read.")
    return key
