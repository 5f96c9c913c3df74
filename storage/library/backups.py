"""Rolling backups of the library: owns when one is due, which are kept, and which one can be trusted.

The copy itself is left to `storage.copies`, putting one in the library's place to `storage.replacement`. A backup is
named after the time of its making, so the newest sorts last.
"""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from storage.copies import PARTIAL, Unwanted, copy, discard, version_of
from storage.database import PRECIOUS, Database, remove
from storage.errors import DamagedDatabase, NewerVersion, classified
from storage.folders import private_file
from storage.library.files import beside
from storage.library.schema import STEPS
from storage.replacement import replace

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path

KEPT: Final = 10
_SECOND_MS: Final = 1000
INTERVAL_MS: Final = 24 * 60 * 60 * 1000
_FOLDER: Final = "backups"
ASIDE_DAYS: Final = 30
"""How long a library is kept that gave its place to another, or was copied before an upgrade."""
_ASIDE: Final = "replaced"
"""The folder beside the library for those that gave their place to another."""
_PREFIX: Final = "library-"
_SUFFIX: Final = ".sqlite"
_STAMP: Final = "%Y%m%dT%H%M%SZ"
_LEFT: Final = re.compile(r"\.(v[0-9]+(\.partial)?|rescued|restored|fresh|new)(-wal|-shm|-journal)?")
"""Ends the names beside the library of what an upgrade, or an exchange that was cut short, left there."""


def backup(source: sqlite3.Connection, folder: Path, now: int, wanted: Callable[[], bool]) -> Path | None:
    """Copy the library into `folder` unless there is a backup of the last 24 hours; keep the newest ten.

    `now` in ms, UTC. The new backup's path, or None if none was due, or it is no longer `wanted`. Raises as
    `storage.copies.copy`.
    """
    if not (wanted() and _is_due(backups(folder), now)):
        return None
    discard_unfinished(folder)
    target = folder / named(now)
    try:
        copy(source, target, wanted)
    except Unwanted:
        return None
    for old in backups(folder)[:-KEPT]:
        old.unlink()
    return target


def discard_unfinished(folder: Path) -> None:
    """Remove what processes left that were killed while they made a copy."""
    discard(folder, f"{_PREFIX}*{_SUFFIX}{PARTIAL}")


def backups(folder: Path) -> list[Path]:
    """The backups in `folder`, oldest first."""
    return sorted(path for path in folder.glob(f"{_PREFIX}*{_SUFFIX}") if _made(path) is not None)


def keep_one(source: sqlite3.Connection, library: Path, folder: Path, now: int) -> Path:
    """Copy the library into `folder` and remove all else that holds words of it: older copies and what was put aside.

    `now` in ms, UTC. The new backup's path. Raises as `storage.copies.copy`; then nothing was removed.
    """
    target = folder / named(now)
    copy(source, target)
    for old in (*backups(folder), *put_aside(library)):
        if old != target:
            old.unlink(missing_ok=True)
    return target


def folder_of(library: Path) -> Path:
    """Where the backups of the library lie."""
    return library.with_name(_FOLDER)


def copies_of(library: Path) -> list[Path]:
    """The backups beside the library, oldest first."""
    return backups(folder_of(library))


def put_aside(library: Path) -> dict[Path, int]:
    """What else holds the library's words, and since when (ms, UTC): those that gave their place to another, and what
    upgrades and crashes left beside it.
    """
    beside_it = [
        path for path in library.parent.glob(f"{library.name}.*") if _LEFT.fullmatch(path.name, len(library.name))
    ]
    found = {path: int(path.stat().st_mtime * 1000) for path in beside_it}
    for path in library.with_name(_ASIDE).glob(f"{_PREFIX}*{_SUFFIX}*"):
        moment = _made(path.with_name(path.name.partition(_SUFFIX)[0] + _SUFFIX))
        found |= {} if moment is None else {path: moment}
    return found


def clear_aside(library: Path, now: int) -> None:
    """Remove what was put aside more than ASIDE_DAYS ago. `now` in ms, UTC. Raises OSError."""
    for path, moment in put_aside(library).items():
        if moment < now - ASIDE_DAYS * INTERVAL_MS:
            path.unlink(missing_ok=True)


def newest_good(folder: Path) -> Path | None:
    """The newest backup that is sound and that this Hearth can read. Reads all of it. Raises EnvironmentProblem."""
    with classified():
        return next((path for path in reversed(backups(folder)) if 0 < version_of(path) <= len(STEPS)), None)


def made(backup_file: Path) -> int:
    """When it was made, in ms, UTC; 0 for a file that is no backup."""
    return _made(backup_file) or 0


def named(now: int) -> str:
    """The name of a backup that is made now, in ms, UTC."""
    return f"{_PREFIX}{_moment(now).strftime(_STAMP)}{_SUFFIX}"


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
        return set_aside(library, copied, now)


def _check(chosen: Path) -> None:
    version = version_of(chosen)
    if version < 1:
        raise DamagedDatabase(f"The copy {chosen.name} is damaged.")
    if version > len(STEPS):
        raise NewerVersion(chosen.name, version, len(STEPS))


def set_aside(library: Path, complete: Path, now: int) -> Path:
    """Put the database file `complete` in the place of the closed library. Where that is kept now, if it was there.

    Attached files that the new one does not know are kept for as long as if they had just come. Raises
    EnvironmentProblem.
    """
    with classified():
        kept = library.with_name(_ASIDE) / named(now)
        while kept.exists():
            now += _SECOND_MS
            kept = kept.with_name(named(now))
        beside(library).renew()
        replace(library, complete, kept)
    return kept


def begin_afresh(library: Path, now: int) -> Path:
    """Put an empty library in the place of the closed one. Where that is kept now, if it was there.

    `now` in ms, UTC. Raises EnvironmentProblem.
    """
    fresh = library.with_name(library.name + ".fresh")
    with classified():
        remove(fresh)
    Database.open(fresh, STEPS, PRECIOUS).close()
    return set_aside(library, fresh, now)


def _is_due(existing: list[Path], now: int) -> bool:
    """A backup from the future says that the clock was set back, not that this one can wait."""
    last = _made(existing[-1]) if existing else None
    return last is None or not last <= now < last + INTERVAL_MS


def _made(path: Path) -> int | None:
    try:
        stamp = datetime.strptime(path.name, f"{_PREFIX}{_STAMP}{_SUFFIX}").replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(stamp.timestamp() * 1000)


def _moment(now: int) -> datetime:
    return datetime.fromtimestamp(now / 1000, UTC)
