"""A model that another Mac copies to this one: its files arrive in portions, each with its digest.

A portion is written once it is verified. The next attempt continues after what is on disk, once that is verified, too:
a power loss may have damaged it, or another program. The files lie in a hidden folder until all are complete. The
model then lies in a folder that is no publisher's, so that no download comes to lie in a copy. On the thread of a
connection; `app.macs.guest` lets no two connections copy the same model.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final

from app.base.errors import reason
from app.macs.errors import CopyFailed
from app.models import download_record
from app.models.download_record import DownloadRecord
from app.models.model_folders import FROM_OTHER_MACS
from engine.workers.model_copy import PORTION_SECONDS, is_model_file
from engine.workers.requests import Check, Portion, Take
from resources.language.text import tr
from storage.folders import ForeignFileError, open_own, own_folder, private_folder, refuse_foreign, sync
from storage.untrusted import UntrustedDataError

SPARE_BYTES: Final = 1 << 30
"""A copy leaves this many bytes free for other programs."""
UNFINISHED_SECONDS: Final = 7 * 24 * 3600
"""How long what has arrived waits for the rest."""
GOES_ON_SECONDS: Final = 2 * PORTION_SECONDS
"""A copy that goes on has written something within this time."""
_ARRIVING: Final = ".arriving"
_KEY: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_NAME: Final = re.compile(r"(?!models--)[\w+][\w.+ -]{0,199}", re.ASCII)
"""A copy named like a folder of the Hugging Face cache would be taken for one, and not listed."""
_MOST_PARTS: Final = 2
_MOST_FILES: Final = 10_000
MOST_MODELS: Final = 500
"""Folders of models, and of their publishers, that copies may add to. With thousands, each list of models would take
seconds to show, and those that come last would not be found.
"""
_writing: Final = threading.Lock()


def sweep(models: Path, seconds: float = UNFINISHED_SECONDS) -> None:
    """Remove what arrived of copies that were not continued for `seconds`. What cannot be removed stays."""
    for folder in _resting(models, seconds):
        shutil.rmtree(folder, ignore_errors=True)


def arrived_bytes(models: Path) -> int:
    """Sweep, since a Mac that is no worker now does not, and return the bytes of all copies that do not go on now."""
    sweep(models)
    with suppress(OSError):
        folders = _resting(models, GOES_ON_SECONDS)
        return sum(one.lstat().st_size for folder in folders for one in folder.rglob("*") if not one.is_dir())
    return 0


def _resting(models: Path, seconds: float) -> list[Path]:
    """The folders of copies of which nothing has arrived for `seconds`."""
    found: list[Path] = []
    arriving = models / _ARRIVING
    with suppress(OSError):
        for folder in () if arriving.is_symlink() else arriving.iterdir():
            if not _KEY.fullmatch(folder.name) or folder.is_symlink():
                continue
            times = [one.lstat().st_mtime for one in (folder, *folder.rglob("*"))]
            if max(times) < time.time() - seconds:
                found.append(folder)
    return found


class Arrival:
    """The files of one copy. Methods raise CopyFailed if the disk refuses, and UntrustedDataError for what no Hearth
    asks.
    """

    def __init__(self, models: Path, take: Take) -> None:
        parts = take.repository.split("/")
        if not _KEY.fullmatch(take.key) or len(parts) > _MOST_PARTS or not all(map(_NAME.fullmatch, parts)):
            raise UntrustedDataError("a copy without a name")
        if not 0 < len(take.files) <= _MOST_FILES or not all(is_model_file(one.name) for one in take.files):
            raise UntrustedDataError("a copy of files that are no model's")
        self._models = models
        self._repository = take.repository
        self._wanted = models / FROM_OTHER_MACS / parts[-1]
        self._folder = models / _ARRIVING / take.key
        self._sizes = {one.name: one.size for one in take.files}
        self._verified = dict.fromkeys(self._sizes, 0)
        with _disk():
            folders = (one for level in ("[!.]*", "[!.]*/[!.]*") for one in models.glob(level) if one.is_dir())
            if sum(1 for _ in islice(folders, MOST_MODELS)) >= MOST_MODELS:
                raise CopyFailed(tr("That Mac has too many models."))

    @property
    def arrived(self) -> tuple[int, ...]:
        """The bytes of each file that are here already."""
        with _disk():
            return tuple(min(size, self._size(name)) for name, size in self._sizes.items())

    @property
    def lacking_bytes(self) -> int:
        """How much more free space the rest needs; 0 if there is enough."""
        needed = sum(self._sizes.values()) - sum(self.arrived) + SPARE_BYTES
        with _disk():
            own_folder(self._folder.parent, self._models.parent)
            if os.path.lexists(self._folder):  # the first portion makes it
                refuse_foreign(self._folder)
            return max(0, needed - shutil.disk_usage(self._folder.parent).free)

    def keep(self, portion: Portion, data: bytes) -> bool:
        """Write the next bytes of a file. Returns False if they are damaged."""
        if not hmac.compare_digest(hashlib.sha256(data).hexdigest(), portion.digest):
            return False
        with _writing, _disk():
            self._check_turn(portion, self._sizes.get(portion.name, -1))
            if portion.at != self._size(portion.name):
                raise UntrustedDataError("a portion out of turn")
            if shutil.disk_usage(self._folder.parent).free - portion.size < SPARE_BYTES:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            own_folder(self._folder)
            file = self._folder / portion.name
            private_folder(file.parent, self._folder)
            with os.fdopen(open_own(file, os.O_WRONLY | os.O_APPEND), "ab") as out:
                out.write(data)
            self._verified[portion.name] += portion.size
        return True

    def check(self, check: Check) -> bool:
        """Whether these bytes, which are here already, are the right ones. If not, cut the file before them."""
        with _writing, _disk():
            size = min(self._size(check.name), self._sizes.get(check.name, -1))
            self._check_turn(check, size)
            with os.fdopen(open_own(self._folder / check.name, os.O_RDWR), "r+b") as file:
                file.seek(check.at)
                same = hmac.compare_digest(hashlib.sha256(file.read(check.size)).hexdigest(), check.digest)
                file.truncate(size if same else check.at)
            self._verified[check.name] += check.size if same else 0
            return same

    def _check_turn(self, part: Portion | Check, size: int) -> None:
        """Raise UntrustedDataError unless the part follows what is verified of its file, and ends within `size`."""
        if part.at != self._verified.get(part.name) or part.at + part.size > size:
            raise UntrustedDataError("a portion out of turn")

    def settle(self, mac: str) -> Path:
        """Give the complete model its name, or one like it if that is taken, and record that it comes from `mac`.
        Returns its folder.
        """
        with _writing, _disk():
            if self._verified != self._sizes or any(self._size(name) != size for name, size in self._sizes.items()):
                raise UntrustedDataError("an end before the end")
            refuse_foreign(self._folder)
            wanted = {self._folder / name for name in self._sizes}
            for file in wanted:  # no portion has brought an empty one
                private_folder(file.parent, self._folder)
                os.close(open_own(file, os.O_RDONLY))
            for file in self._folder.rglob("*"):
                if file in wanted:
                    sync(file)
                elif not file.is_dir():  # another program put it there, and the model would be loaded with it
                    file.unlink()
            download_record.write(self._folder, DownloadRecord(self._repository, "", "", (), mac=mac))
            own_folder(self._wanted.parent)
            final = self._free_place()
            self._folder.rename(final)
            sync(final.parent)
            return final

    def _free_place(self) -> Path:
        found, number = self._wanted, 2
        while os.path.lexists(found):
            found, number = self._wanted.with_name(f"{self._wanted.name}-{number}"), number + 1
        return found

    def _size(self, name: str) -> int:
        try:
            return (self._folder / name).stat().st_size
        except FileNotFoundError:
            return 0


@contextmanager
def _disk() -> Iterator[None]:
    """Say in words what the disk refuses."""
    try:
        yield
    except ForeignFileError as error:
        raise CopyFailed(
            tr("On that Mac, delete {path}: Hearth did not make it, so it writes nothing there.", path=error.filename)
        ) from error
    except OSError as error:
        raise CopyFailed(tr("The disk refuses it: {reason}.", reason=reason(error))) from error
