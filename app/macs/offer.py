"""Offers a code to a Mac that is not paired yet, for some minutes and some tries. Any thread may call."""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable
from typing import Final

from app.macs.pairing import PairingCode

VALID_SECONDS: Final = 600.0


MOST_TRIES: Final = 3


class Offer:
    """At most one code at a time. It is gone once a Mac has used it, when it expires, and after MOST_TRIES wrong ones.

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

    def withdraw(self) -> None:
        """Offer nothing."""
        with self._lock:
            self._code = None

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
