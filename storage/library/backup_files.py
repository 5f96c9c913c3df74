"""Files that hold a copy of the library: their names, their ages, and which of them is sound.

A backup's name is the time at which it was made, so names sort by age. Other copies lie beside the library: libraries
that were replaced, and what upgrades and crashes left there. Functions raise OSError unless they say otherwise.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from resources.language.text import tr
from storage.copies import PARTIAL, always, copy, discard, read_only, second_connection, version_of
from storage.database import check_layout
from storage.errors import DamagedDatabase, NewerVersion, classified
from storage.library.schema import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY_MS: Final = 24 * 60 * 60 * 1000
LEFTOVER_DAYS: Final = 30
"""How long a replaced library, or the copy made before an upgrade, is kept."""
_PREFIX: Final = "library-"
_SUFFIX: Final = ".sqlite"
_STAMP: Final = "%Y%m%dT%H%M%SZ"
_NAMED_MS: Final = 1000
"""A name has whole seconds."""
_HAS_WORDS: Final = "SELECT EXISTS (SELECT 1 FROM conversation WHERE leaf IS NOT NULL OR title <> '' OR draft <> '')"
_LEFT: Final = re.compile(r"\.(v[0-9]+(\.partial)?|rescued|restored|fresh|new)(-wal|-shm|-journal)?")
"""Suffixes of files that an upgrade or an interrupted replacement leaves beside the library."""


def backup_folder(library: Path) -> Path:
    """The folder of the library's backups."""
    return library.with_name("backups")


def replaced_folder(library: Path) -> Path:
    """The folder of libraries that this one replaced."""
    return library.with_name("replaced")


def name_at(now: int) -> str:
    """The name of a backup made at `now` (ms, UTC)."""
    return f"{_PREFIX}{datetime.fromtimestamp(now / 1000, UTC).strftime(_STAMP)}{_SUFFIX}"


def made_at(backup: Path) -> int:
    """When the backup was made (ms, UTC); 0 if the file is not named like one."""
    try:
        moment = datetime.strptime(backup.name, f"{_PREFIX}{_STAMP}{_SUFFIX}").replace(tzinfo=UTC)
    except ValueError:
        return 0
    return int(moment.timestamp() * 1000)


def backups(folder: Path) -> list[Path]:
    """The backups in `folder`, oldest first. A folder or a link that leads nowhere is no backup, whatever its name."""
    return sorted(path for path in folder.glob(f"{_PREFIX}*{_SUFFIX}") if made_at(path) and path.is_file())


def newest_good(folder: Path) -> Path | None:
    """The backup with the newest state, of those that are undamaged and that this version of Hearth can open. Reads
    whole files. The newest file may hold an older state: a library that a backup had replaced.

    Raises EnvironmentProblem.
    """
    with classified():
        newest_first = sorted(backups(folder), key=lambda path: (_last_used(path), made_at(path)), reverse=True)
        return next((path for path in newest_first if can_be_opened(path)), None)


def back_up(library: Path, folder: Path, now: int, wanted: Callable[[], bool] = always) -> Path:
    """Write a checked backup of the open library to `folder`. Returns its path. Raises as `copy`."""
    target = folder / name_at(now)
    while target.exists():
        now += _NAMED_MS
        target = folder / name_at(now)
    with closing(second_connection(library)) as source:
        copy(source, target, wanted)
    return target


def can_be_opened(backup: Path) -> bool:
    """Whether a backup is undamaged and of a version that Hearth can open. Reads the whole file."""
    try:
        check_copy(backup)
    except (DamagedDatabase, NewerVersion, sqlite3.DatabaseError):
        return False
    return True


def check_copy(backup: Path) -> None:
    """Raise DamagedDatabase, NewerVersion or OlderVersion unless a library made of this backup could be opened. Reads
    the whole file.
    """
    found = version_of(backup)
    if found < 1:
        raise DamagedDatabase(tr("The copy {name} is damaged.", name=backup.name))
    SCHEMA.check(backup.name, found)
    with closing(read_only(backup)) as raw:
        check_layout(raw, backup.name, SCHEMA.until(found))


def _last_used(backup: Path) -> int:
    """When the chats of a backup were last used, or one was deleted (ms, UTC); 0 if it is damaged. Dates after the
    backup was made come from a wrong clock or an import, and do not count.
    """
    moments = "SELECT updated AS moment FROM conversation UNION ALL SELECT deleted FROM conversation"
    last = f"SELECT coalesce(max(moment), 0) FROM ({moments}) WHERE moment < ?"  # noqa: S608 - constants
    return _found(backup, last, made_at(backup) + _NAMED_MS) or 0


def chats_in(backup: Path) -> int | None:
    """How many chats a backup lists, without changing it; None if it is damaged."""
    return _found(backup, "SELECT count(*) FROM conversation WHERE deleted IS NULL")


def keeps_words(backup: Path) -> bool:
    """Whether a backup has words of the user. A damaged one keeps none."""
    return bool(_found(backup, _HAS_WORDS))


def _found(backup: Path, query: str, *values: int) -> int | None:
    """The number that a query finds in a backup, without changing it; None if it is damaged."""
    try:
        with closing(read_only(backup)) as copied:
            return int(copied.execute(query, values).fetchone()[0])
    except sqlite3.DatabaseError:
        return None


def has_words(library: sqlite3.Connection) -> bool:
    """Whether any chat has a message, a title or a draft."""
    return bool(library.execute(_HAS_WORDS).fetchone()[0])


def discard_unfinished(folder: Path) -> None:
    """Remove partial backups that a killed process left in `folder`."""
    discard(folder, f"{_PREFIX}*{_SUFFIX}{PARTIAL}")


def leftovers(library: Path) -> dict[Path, int]:
    """Other files that hold the library's text, each with its age (ms, UTC): replaced libraries, copies made before an
    upgrade, and files that a crash left.
    """
    beside = [
        path for path in library.parent.glob(f"{library.name}.*") if _LEFT.fullmatch(path.name, len(library.name))
    ]
    found = {path: int(path.stat().st_mtime * 1000) for path in beside}
    for path in replaced_folder(library).glob(f"{_PREFIX}*{_SUFFIX}*"):
        moment = made_at(path.with_name(path.name.partition(_SUFFIX)[0] + _SUFFIX))
        found |= {path: moment} if moment else {}
    return found


def clear_leftovers(library: Path, now: int) -> None:
    """Remove leftovers older than LEFTOVER_DAYS. `now` in ms, UTC."""
    for path, moment in leftovers(library).items():
        if moment < now - LEFTOVER_DAYS * DAY_MS:
            path.unlink(missing_ok=True)
