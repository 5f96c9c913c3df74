"""Copies a model to a paired worker, or what is missing of it there. Blocks; a broken copy continues the next time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from app.base.errors import reason
from app.base.paths import Paths
from app.macs.errors import CopyFailed
from app.macs.pairing import own
from app.macs.roster import Mac
from engine.workers.errors import WorkerError
from engine.workers.model_copy import LARGEST_PORTION, PORTION_SECONDS, files_of
from engine.workers.model_sketch import sketch
from engine.workers.requests import Ask, Check, Checked, FileEntry, Kept, Portion, Settle, Settled, State, Take, Wanted
from engine.workers.visit import Visit, visit
from resources.language.text import tr
from storage.untrusted import UntrustedDataError, open_file

Progress = Callable[[int, int], bool]
"Gets the bytes that are there and those of all files. Returns False to end the copy."


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
            _send(made, folder, {file: min(file.size, size) for file, size in zip(files, there, strict=True)}, progress)
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
                data = file.read(min(LARGEST_PORTION, (arrived if at < arrived else entry.size) - at))
                if not data:
                    raise CopyFailed(tr("The model cannot be copied: {why}.", why=tr("its files were changed")))
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
