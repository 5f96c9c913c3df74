"""The code that pairs two Macs: the worker shows it, and a person types it on the other Mac. Pure.

It has 24 characters: 80 bits of the fingerprint of the worker's certificate, 35 bits of a secret that is used once, and
5 check bits, which tell a typing error from a wrong code. The alphabet is Crockford's base32: it has no letters I, L, O
and U, and reads I and L as 1, and O as 0.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final, Self

from app.macs.errors import PairingFailed
from resources.language.text import tr

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_FORGIVEN: Final = str.maketrans("OIL", "011", "- \t\n\r\u00a0\u2010\u2011\u2013\u2014")
_FINGERPRINT: Final = 16
_SECRET: Final = 7
_GROUP: Final = 4


@dataclass(frozen=True, slots=True)
class PairingCode:
    """`fingerprint` is the beginning of the certificate's, `secret` is known to none but the two. Both are written in
    the alphabet of the code.
    """

    fingerprint: str
    secret: str

    @classmethod
    def made(cls, fingerprint: str) -> Self:
        """A code with a new secret, for the certificate with this fingerprint in hexadecimal."""
        return cls(_short(fingerprint), "".join(secrets.choice(_ALPHABET) for _ in range(_SECRET)))

    @classmethod
    def typed(cls, text: str) -> Self:
        """The code that a person has typed. Raises PairingFailed."""
        signs = text.upper().translate(_FORGIVEN)
        code = cls(signs[:_FINGERPRINT], signs[_FINGERPRINT:-1])
        if len(signs) != _FINGERPRINT + _SECRET + 1 or not set(signs) <= set(_ALPHABET):
            raise PairingFailed(tr("A pairing code has 24 letters and digits, in groups of four."))
        if signs[-1] != code.check:
            raise PairingFailed(tr("There is a typing error in the code."))
        return code

    @property
    def check(self) -> str:
        """The last character."""
        return _ALPHABET[hashlib.sha256(f"{self.fingerprint}{self.secret}".encode("ascii")).digest()[0] >> 3]

    def names(self, fingerprint: str) -> bool:
        """Whether it is for the certificate with this fingerprint in hexadecimal."""
        return hmac.compare_digest(_short(fingerprint), self.fingerprint)

    def __str__(self) -> str:
        signs = f"{self.fingerprint}{self.secret}{self.check}"
        return "-".join(signs[at : at + _GROUP] for at in range(0, len(signs), _GROUP))


def _short(fingerprint: str) -> str:
    """The first 80 bits of a fingerprint in hexadecimal."""
    bits = int(fingerprint[: _FINGERPRINT * 5 // 4], 16)
    return "".join(_ALPHABET[bits >> 5 * at & 31] for at in reversed(range(_FINGERPRINT)))
