"""Reads and writes the signed JSON file that describes a release, and checks its signature.

`packaging/sign_release.py` writes the same form.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from app.base.errors import UpdateNotChecked
from resources.language.text import tr
from storage.untrusted import UntrustedDataError, decode_json

KEY_BYTES: Final = 32
"""Bytes of a public key, and of the seed of a private one."""

_SIGNED_AS: Final = b"hearth release 1\n"
"""Precedes the signed bytes, so that a signature of anything else never counts as one of a release."""


class Release(msgspec.Struct, frozen=True):
    """One available version. `issued` and `expires` are Unix seconds, `notes` is Markdown, `page` the address of its
    page.
    """

    version: str
    issued: int
    expires: int
    page: str
    notes: str = ""


class _Sheet(msgspec.Struct, frozen=True):
    """The file. The signature covers the exact bytes of `release`, so people can read them, and any change
    is detected.
    """

    release: msgspec.Raw
    signature: str


def opened(sheet: bytes, key: bytes) -> Release:
    """Return the release in a file, if `key` (32 bytes) has signed it. Raises UpdateNotChecked."""
    try:
        read = decode_json(sheet, _Sheet)
        VerifyKey(key).verify(_SIGNED_AS + bytes(read.release), base64.b64decode(read.signature, validate=True))
        return decode_json(read.release, Release)
    except UntrustedDataError as error:
        raise UpdateNotChecked(tr("The file about updates cannot be read.")) from error
    except (BadSignatureError, binascii.Error, ValueError) as error:
        raise UpdateNotChecked(tr("The file about updates is not signed by Hearth.")) from error


def sealed(release: Release, seed: bytes) -> bytes:
    """Return the file for `release`, signed with the private key of `seed` (32 bytes)."""
    words = msgspec.json.format(msgspec.json.encode(release), indent=2)
    signature = SigningKey(seed).sign(_SIGNED_AS + words).signature
    return b'{"signature": "%s",\n"release": %s}\n' % (base64.b64encode(signature), words)


def public_key(seed: bytes) -> bytes:
    """Return the 32 bytes that verify signatures made with `seed`."""
    return bytes(SigningKey(seed).verify_key)


def key_of(text: bytes) -> bytes:
    """Return the key in a key file: one line of base64. Raises UpdateNotChecked."""
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except binascii.Error as error:
        raise UpdateNotChecked(tr("The key for updates cannot be read.")) from error
    if len(key) != KEY_BYTES:
        raise UpdateNotChecked(tr("The key for updates cannot be read."))
    return key
