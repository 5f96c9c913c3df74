"""The Macs that are paired with this one: workers, which it may use, and leaders, which may use it.

Each list is a file. It is read at every use, because the window and `hearth worker` may both change it.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from app.base.errors import reason
from app.base.paths import Paths
from app.macs.errors import RosterRefused
from engine.workers.own_certificate import fingerprint
from resources.language.text import tr
from storage.folders import locked, private_folder, replace_file
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, decode_json, read_file, set_aside

_LARGEST: Final = MEBIBYTE
_LONGEST_NAME: Final = 64


class Mac(msgspec.Struct, frozen=True):
    """A paired Mac. `address` is "host:port"; empty for a leader, which connects by itself. `paired_at` is in seconds
    since 1970. `certificate` is its own, as PEM.
    """

    name: str
    address: str
    fingerprint: str
    paired_at: float
    certificate: str


class Roster:
    """One list of paired Macs. Methods raise RosterRefused."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def paired(self) -> tuple[Mac, ...]:
        """The Macs, in the order in which they were paired."""
        try:
            return _checked(decode_json(read_file(self._file, _LARGEST), tuple[Mac, ...]))
        except MissingFileError:
            return ()
        except UntrustedDataError as error:
            raise RosterRefused(
                tr(
                    "The list of paired Macs cannot be read: {name}: {error}. Pair the Macs again.",
                    name=self._file.name,
                    error=error,
                )
            ) from error

    def add(self, mac: Mac) -> None:
        """Add a Mac, in place of an earlier entry for the same one. A list that cannot be read is set aside."""
        with self._changing():
            try:
                others = self._without(mac.fingerprint)
            except RosterRefused:
                others = ()
                with suppress(OSError):
                    set_aside(self._file)
            self._write(*others, mac)

    def move(self, fingerprint: str, address: str) -> None:
        """Change the address of a Mac, if it is paired."""
        with self._changing():
            moved = partial(msgspec.structs.replace, address=address)
            self._write(*(moved(mac) if mac.fingerprint == fingerprint else mac for mac in self.paired()))

    def remove(self, fingerprint: str) -> None:
        """Remove a Mac, if it is paired."""
        with self._changing():
            self._write(*self._without(fingerprint))

    def _without(self, fingerprint: str) -> tuple[Mac, ...]:
        return tuple(mac for mac in self.paired() if mac.fingerprint != fingerprint)

    def _write(self, *macs: Mac) -> None:
        replace_file(self._file, msgspec.json.encode(macs))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Let one thread of one process at a time read the whole list and write it."""
        try:
            private_folder(self._file.parent)
            with locked(self._file.with_name(f"{self._file.name}.lock"), fcntl.LOCK_EX):
                yield
        except OSError as error:
            raise RosterRefused(
                tr("The list of paired Macs cannot be written: {reason}.", reason=reason(error))
            ) from error


def _checked(macs: tuple[Mac, ...]) -> tuple[Mac, ...]:
    """The same Macs. Raises UntrustedDataError if a certificate is damaged: TLS would then accept none of them."""
    with suppress(ValueError):
        if all(fingerprint(mac.certificate) == mac.fingerprint for mac in macs):
            return macs
    raise UntrustedDataError("a certificate is damaged")


def shown_name(name: str, address: str) -> str:
    """The name that another Mac gives itself, as this one shows it; its address if it has none."""
    return "".join(sign for sign in name if sign.isprintable())[:_LONGEST_NAME].strip() or address


def folder(places: Paths) -> Path:
    """The folder of the lists, and of this Mac's certificate."""
    return places.data / "macs"


def workers(places: Paths) -> Roster:
    """The Macs that this one may use."""
    return Roster(folder(places) / "workers.json")


def leaders(places: Paths) -> Roster:
    """The Macs that may use this one."""
    return Roster(folder(places) / "leaders.json")
