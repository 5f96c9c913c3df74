"""Pairs this Mac with a worker, by the code that the worker shows. Blocks, for a few seconds at most.

The code names the worker's certificate, so another machine at its address is noticed before anything is sent to it. It
has 24 characters: 80 bits of the certificate's fingerprint, 35 bits of a secret that is used once, and 5 check bits,
which tell a typing error from a wrong code. The alphabet is Crockford's base32: it has no letters I, L, O and U, and
reads I and L as 1, and O as 0.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Self

from app.base.errors import reason
from app.base.paths import Paths
from app.macs.errors import MacsError, PairingFailed
from app.macs.interfaces import PORT
from app.macs.roster import Mac, folder, shown_name, workers
from engine.workers.errors import Unpaired, WorkerError
from engine.workers.own_certificate import FILE, OwnCertificate, own_certificate, usable_certificate
from engine.workers.requests import Forget, Forgotten, Paired, Prove
from engine.workers.visit import visit, visit_stranger, welcome
from resources.language.text import tr
from storage.untrusted import UntrustedDataError

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_FORGIVEN: Final = str.maketrans("OIL", "011", "- \t\n\r\u00a0\u2010\u2011\u2013\u2014")
_FINGERPRINT: Final = 16
_SECRET: Final = 7
_GROUP: Final = 4
VALID_SECONDS: Final = 600.0
MOST_TRIES: Final = 3


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


class Offer:
    """Offers a code to a Mac that is not paired yet, at most one at a time. Any thread may call. The code is gone once
    a Mac has used it, when it expires, and after MOST_TRIES wrong ones.

    `used`: a Mac has used one.
    """

    def __init__(self, fingerprint: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._fingerprint = fingerprint
        self._clock = clock
        self._lock = threading.Lock()
        self._code: PairingCode | None = None
        self._until = 0.0
        self._tries = 0
        self.used = False

    def renew(self) -> str:
        """Offer a new code in place of an earlier one."""
        with self._lock:
            self._code = PairingCode.made(self._fingerprint)
            self._until, self._tries = self._clock() + VALID_SECONDS, MOST_TRIES
            return str(self._code)

    @property
    def code(self) -> str:
        """The code to show; empty without an offer."""
        with self._lock:
            return str(self._current() or "")

    def accept(self, secret: str) -> bool:
        """Whether a Mac knows the secret. The code is then used up. Takes the same time for every wrong secret."""
        with self._lock:
            code = self._current()
            if code is None:
                return False
            if hmac.compare_digest(secret.encode("utf-8", "replace"), code.secret.encode("ascii")):
                self._code, self.used = None, True
                return True
            self._tries -= 1
            return False

    def _current(self) -> PairingCode | None:
        if self._code is not None and (self._tries <= 0 or self._clock() >= self._until):
            self._code = None
        return self._code


def own_name() -> str:
    """The name of this Mac, as others show it."""
    return socket.gethostname().removesuffix(".local") or "Mac"


def own(places: Paths, *, tried: bool = False) -> OwnCertificate:
    """This Mac's certificate. If its key is `tried` and lost, it is another one from now on. Raises MacsError."""
    try:
        return (usable_certificate if tried else own_certificate)(folder(places))
    except WorkerError as error:
        raise MacsError(str(error)) from error
    except OSError as error:
        raise MacsError(tr("This Mac's key cannot be kept: {reason}.", reason=reason(error))) from error
    except UntrustedDataError as error:
        raise MacsError(tr("This Mac's key cannot be read: {reason}.", reason=error)) from error


def pair(places: Paths, code: str, address: str) -> Mac:
    """Pair with the worker at "host:port", or at the usual port of "host". Raises MacsError."""
    typed, certificate = PairingCode.typed(code), own(places, tried=True)
    address = address if ":" in address else f"{address}:{PORT}"
    if typed.names(certificate.fingerprint):
        raise PairingFailed(
            tr(
                "This is this Mac's own code. Type the one that the other Mac shows. If it shows this one, it was set "
                "up from this Mac, or this Mac from it: then delete {file} here.",
                file=folder(places) / FILE,
            )
        )
    try:
        with visit_stranger(address) as made:
            if not typed.names(made.channel.peer):
                raise PairingFailed(tr("The Mac at {address} does not show this code.", address=address))
            made.name = name = shown_name(welcome(made), address)
            made.ask(Prove(typed.secret, certificate.certificate, own_name()), Paired)
            mac = Mac(name, address, made.channel.peer, time.time(), made.channel.peer_certificate)
    except Unpaired as error:
        raise PairingFailed(
            tr(
                "The Mac at {address} shows no code now: it was used, has expired, or wrong codes came. Let it show a "
                "new one.",
                address=address,
            )
        ) from error
    except WorkerError as error:
        raise PairingFailed(str(error)) from error
    workers(places).add(mac)
    return mac


def unpair(places: Paths, mac: Mac) -> None:
    """End the pairing with a worker, and tell it, if it answers. Raises MacsError."""
    workers(places).remove(mac.fingerprint)
    tell_unpaired(places, mac)


def tell_unpaired(places: Paths, mac: Mac) -> None:
    """Tell a worker that it was removed from the list, if it answers. Do not if it was paired again meanwhile. Raises
    MacsError.
    """
    if any(one.fingerprint == mac.fingerprint for one in workers(places).paired()):
        return
    with suppress(WorkerError), visit(mac.address, mac.name, own(places), mac.certificate) as made:
        made.ask(Forget(), Forgotten)
