"""Replaces a closed library: by one of its backups, by a rescued file, or by an empty one.

Runs on any thread while no process has the library open. A crash at any moment leaves either the old library or the new
one under its name, and the old one is kept beside it.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

from storage.copies import version_of
from storage.database import PRECIOUS, Database, remove
from storage.errors import DamagedDatabase, NewerVersion, classified
from storage.folders import private_file
from storage.library.backup_files import name_at, replaced_folder
from storage.library.files import beside
from storage.library.schema import STEPS
from storage.replacement import replace

if TYPE_CHECKING:
    from pathlib import Path

_SECOND_MS: Final = 1000


def restore(chosen: Path, library: Path, now: int) -> Path:
    """Put a copy of a backup in the place of the closed library. Where that is kept now, with its log.

    `now` in ms, UTC. Whatever happens, either of the two is the library. Raises DamagedDatabase or NewerVersion for a
    backup that cannot be used, EnvironmentProblem.
    """
    with classified():
        _check(chosen)
        copied = library.with_name(library.name + ".restored")
        copied.unlink(missing_ok=True)
        private_file(copied)
        shutil.copyfile(chosen, copied)
        return replace_library(library, copied, now)


def _check(chosen: Path) -> None:
    version = version_of(chosen)
    if version < 1:
        raise DamagedDatabase(f"The copy {chosen.name} is damaged.")
    if version > len(STEPS):
        raise NewerVersion(chosen.name, version, len(STEPS))


def replace_library(library: Path, complete: Path, now: int) -> Path:
    """Put the database file `complete` in the place of the closed library. Where that is kept now, if it was there.

    Attached files that the new one does not know are kept for as long as if they had just come. Raises
    EnvironmentProblem.
    """
    with classified():
        kept = replaced_folder(library) / name_at(now)
        while kept.exists():
            now += _SECOND_MS
            kept = kept.with_name(name_at(now))
        beside(library).renew()
        replace(library, complete, kept)
    return kept


def start_empty(library: Path, now: int) -> Path:
    """Put an empty library in the place of the closed one. Where that is kept now, if it was there.

    `now` in ms, UTC. Raises EnvironmentProblem.
    """
    fresh = library.with_name(library.name + ".fresh")
    with classified():
        remove(fresh)
    Database.open(fresh, STEPS, PRECIOUS).close()
    return replace_library(library, fresh, now)
