"""Copies a model to a paired worker, or what is missing of it there. Blocks; a broken copy continues the next time.

Offers a code to a Mac that is not paired yet, for some minutes and some tries. Any thread may call.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import threading
import time
from typing import TYPE_CHECKING, BinaryIO, Final

from app.base.errors import reason
from app.macs.errors import CopyFailed
from app.macs.pairing import PairingCode, own
from engine.workers.errors import WorkerError
from engine.workers.model_copy import LARGEST_PORTION, PORTION_SECONDS, files_of
from engine.workers.model_sketch import sketch
from engine.workers.requests import Ask, Check, Checked, FileEntry, Kept, Portion, Settle, Settled, State, Take, Wanted
from engine.workers.visit import Visit, visit
from resources.language.text import tr
from storage.untrusted import UntrustedDataError, open_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.base.paths import Paths
    from app.macs.roster import Mac

    Progress = Callable[[int, int], bool]
    "Gets the bytes that are there and those of all files. Returns False to end the copy."


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


_ODD: Final = re.compile(r"[^\w.+ -]", re.ASCII)
_LONGEST_NAME: Final = 200


def copy(places: Paths, mac: Mac, folder: Path, repository: str, progress: Progress) -> bool:
    """Copy the model in `folder`, which gets the name `repository` there. Returns False if the Mac has the model
    already, under whatever name. Raises MacsError.
    """
    try:
        files, wanted = files_of(folder), sketch(folder)
        with visit(mac.address, mac.name, own(places), mac.certificate) as made:
            if wanted in {model.sketch for model in made.ask(Ask(), State).models}:
                return False
            there = made.ask(Take(_key(wanted, files), _plain(repository), files), Wanted).arrived
            _send(made, folder, dict(zip(files, there, strict=True)), progress)
            made.ask(Settle(), Settled, PORTION_SECONDS)
            return True
    except WorkerError as error:
        raise CopyFailed(str(error)) from error
    except (OSError, UntrustedDataError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise CopyFailed(tr("The model cannot be copied: {why}.", why=why)) from error


def _plain(repository: str) -> str:
    """A name that a worker takes."""
    parts = (_ODD.sub("_", part).lstrip(". -")[:_LONGEST_NAME] for part in repository.split("/"))
    return "/".join(part or "model" for part in parts)


def _key(wanted: str, files: tuple[FileEntry, ...]) -> str:
    """The same for every attempt with the same files."""
    said = repr([(one.name, one.size) for one in files]).encode()
    return hashlib.blake2b(said + wanted.encode(), digest_size=16).hexdigest()


def _send(made: Visit, folder: Path, there: dict[FileEntry, int], progress: Progress) -> None:
    done, total = sum(there.values()), sum(entry.size for entry in there)
    for entry, left in there.items():
        with open_file(folder / entry.name) as file:
            at, arrived = 0, left
            while at < entry.size:
                file.seek(at)
                data = _read(file, (arrived if at < arrived else entry.size) - at)
                digest = hashlib.sha256(data).hexdigest()
                if at >= arrived:
                    made.ask(Portion(entry.name, at, len(data), digest), Kept, PORTION_SECONDS, data)
                    done += len(data)
                elif not made.ask(Check(entry.name, at, len(data), digest), Checked, PORTION_SECONDS).same:
                    done, arrived = done - (arrived - at), at
                    continue
                at += len(data)
                if not progress(done, total):
                    raise CopyFailed(tr("The copy was ended. It continues where it is the next time."))


def _read(file: BinaryIO, size: int) -> bytes:
    if data := file.read(min(LARGEST_PORTION, size)):
        return data
    raise CopyFailed(tr("The model cannot be copied: {why}.", why=tr("its files were changed")))
