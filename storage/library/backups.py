"""Copies of the library: a backup a day, the newest of them kept, and deleted conversations removed from all copies.

A backup's name is the time at which it was made, so names sort by age. Other copies lie beside the library: libraries
that were replaced, and what upgrades and crashes left there. Functions raise OSError unless they say otherwise.

Every method of Backups may run on any thread while another thread works with the library; neither waits for the other,
because a backup reads through its own connection. Whatever fails or is killed meanwhile:

- A copy is only replaced by a cleaned copy that is complete and checked.
- A copy is only removed because of its age or damage while another undamaged one remains. If it is the last one, a new
  copy is made first.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from resources.language.text import tr
from storage.copies import PARTIAL, CopyCancelled, always, copy, discard, read_only, second_connection
from storage.database import check_header, check_layout, decoded
from storage.errors import DamagedDatabase, EnvironmentProblem, NewerVersion, StorageFault, classified
from storage.folders import ForeignFileError
from storage.library.schema import SCHEMA, reindex
from storage.library.search import drop_erased_words
from storage.searchable import add_functions

DAY_MS: Final = 24 * 60 * 60 * 1000
LEFTOVER_DAYS: Final = 30
"""How long a replaced library, or the copy made before an upgrade, is kept."""
_PREFIX: Final = "library-"
_SUFFIX: Final = ".sqlite"
_STAMP: Final = "%Y%m%dT%H%M%SZ"
_NAMED_MS: Final = 1000
"""A name has whole seconds."""
_HAS_WORDS: Final = "SELECT EXISTS (SELECT 1 FROM conversation WHERE leaf IS NOT NULL OR title || draft || queue <> '')"
_LEFT: Final = re.compile(r"\.((v[0-9]+|restored)(\.partial(\.small)?)?|rescued|fresh|new)(-wal|-shm|-journal)?")
"""Suffixes of files that an upgrade or an interrupted replacement leaves beside the library."""
KEPT: Final = 10
DAYS: Final = 30
"""The age at which a copy is removed."""
_UPGRADED: Final = re.compile(r"\.v[0-9]+")
"""The suffix of the copy that is made before an upgrade."""


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
    except (DamagedDatabase, NewerVersion):
        return False
    return True


def check_copy(backup: Path) -> None:
    """Raise DamagedDatabase or NewerVersion unless a library made of this backup could be opened. Reads the whole file
    and changes nothing.
    """
    try:
        with _opened(backup) as raw:
            is_sound = raw.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    except sqlite3.DatabaseError:
        is_sound = False
    if not is_sound:
        raise DamagedDatabase(tr("The copy {name} is damaged.", name=backup.name))


@contextmanager
def _opened(backup: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a backup of Hearth's, whose layout is checked before anything that runs SQL of the file. Changes
    nothing. Raises DatabaseError, DamagedDatabase, NewerVersion.
    """
    with closing(read_only(backup)) as raw:
        check_header(backup, SCHEMA)
        found = int(raw.execute("PRAGMA user_version").fetchone()[0])
        SCHEMA.check(backup.name, found)
        check_layout(raw, backup.name, SCHEMA.until(found))
        yield raw


def _last_used(backup: Path) -> int:
    """When the chats of a backup were last used, or one was deleted (ms, UTC); 0 if it cannot be opened. Dates after
    the backup was made come from a wrong clock or an import, and do not count.
    """
    moments = "SELECT updated AS moment FROM conversation UNION ALL SELECT deleted FROM conversation"
    last = f"SELECT coalesce(max(moment), 0) FROM ({moments}) WHERE moment < ?"  # noqa: S608 - constants
    return _found(backup, last, made_at(backup) + _NAMED_MS) or 0


def chats_in(backup: Path) -> int | None:
    """How many chats a backup lists, without changing it; None if it cannot be opened."""
    return _found(backup, "SELECT count(*) FROM conversation WHERE deleted IS NULL")


def _found(backup: Path, query: str, *values: int) -> int | None:
    """The number that a query finds in a backup, without changing it; None if it cannot be opened."""
    try:
        with _opened(backup) as copied:
            return int(copied.execute(query, values).fetchone()[0])
    except (sqlite3.DatabaseError, DamagedDatabase, NewerVersion):
        return None


def discard_unfinished(folder: Path) -> None:
    """Remove partial backups that a killed process left in `folder`."""
    discard(folder, f"{_PREFIX}????????T??????Z{_SUFFIX}{PARTIAL}")


def leftovers(library: Path) -> dict[Path, int]:
    """Other files that hold the library's text, each with its age (ms, UTC): replaced libraries, copies made before an
    upgrade, and files that a crash left.
    """
    beside = [
        path for path in library.parent.glob(f"{library.name}.*") if _LEFT.fullmatch(path.name, len(library.name))
    ]
    found = {path: int(path.lstat().st_mtime * 1000) for path in beside}
    for path in replaced_folder(library).glob(f"{_PREFIX}*{_SUFFIX}*"):
        moment = made_at(path.with_name(path.name.partition(_SUFFIX)[0] + _SUFFIX))
        found |= {path: moment} if moment else {}
    return found


def clear_leftovers(library: Path, now: int) -> None:
    """Remove leftovers older than LEFTOVER_DAYS. `now` in ms, UTC."""
    for path, moment in leftovers(library).items():
        if moment < now - LEFTOVER_DAYS * DAY_MS:
            path.unlink(missing_ok=True)


def superfluous(existing: Sequence[Path]) -> list[Path]:
    """Those of the backups, given oldest first, that are not kept: neither among the newest ten, nor the last of one of
    the ten newest days. So the backups that a user makes in an hour push out no day.
    """
    last_of_day = {made_at(backup) // DAY_MS: backup for backup in existing}
    kept = {*existing[-KEPT:], *list(last_of_day.values())[-KEPT:]}
    return [backup for backup in existing if backup not in kept]


class Backups:
    """Backups of the library at `library`. `clock` in ms, UTC. Methods raise EnvironmentProblem, DamagedDatabase."""

    def __init__(self, library: Path, clock: Callable[[], int]) -> None:
        self._library = library
        self._clock = clock

    def make_daily(self, folder: Path, wanted: Callable[[], bool] = always) -> Path | None:
        """Write a checked backup to `folder` unless it has one of the last 24 hours, and remove superfluous ones. The
        first one waits for words, because that of the first day would be empty else.

        Returns its path, or None if none was due or `wanted` became false.
        """
        with classified():
            if not (wanted() and self._is_due(backups(folder), self._clock())):
                return None
        try:
            return self.make(folder, wanted=wanted)
        except CopyCancelled:
            return None

    def make(self, folder: Path, spared: Path | None = None, wanted: Callable[[], bool] = always) -> Path | None:
        """Write a checked backup to `folder` now, and remove superfluous ones but `spared`. Returns its path. Raises
        CopyCancelled as soon as `wanted` is false.
        """
        with classified():
            discard_unfinished(folder)
            target = back_up(self._library, folder, self._clock(), wanted)
            for old in superfluous(backups(folder)):
                if old != spared:
                    old.unlink()
        return target

    def keep_one(self, folder: Path) -> Path | None:
        """Write a checked backup to `folder`, then remove every older backup and all leftovers. Returns its path.

        If the copy fails, nothing is removed.
        """
        with classified():
            target = back_up(self._library, folder, self._clock())
            for old in (*backups(folder), *leftovers(self._library)):
                if old != target:
                    old.unlink(missing_ok=True)
        return target

    def expire(self, gone: Mapping[str, int], noted: int, wanted: Callable[[], bool] = always) -> bool:
        """Remove copies older than DAYS and leftovers of that age; erase the conversations `gone` (deletion time by id)
        from all others, replaced libraries included. Returns False if `wanted` became false before the end; the next
        call does the rest.

        `noted` is the clock's time on an earlier day (ms, UTC), so that a clock that jumped ahead expires nothing.
        Damaged copies cannot be cleaned, so they are removed. Damaged libraries that were replaced stay for their usual
        time, because they may still be rescued. Raises DamagedDatabase if a new copy is needed and the library is
        damaged.
        """
        now, folder = self._clock(), backup_folder(self._library)
        oldest, newest = min(now, noted) - DAYS * DAY_MS, max(now, noted) + DAY_MS
        fresh = partial(back_up, self._library, folder, now, wanted)
        try:
            with classified(folder):
                discard_unfinished(folder)
                clear_leftovers(self._library, min(now, noted))
                # One from the future was dated by a wrong clock.
                _remove([one for one in backups(folder) if not oldest < made_at(one) <= newest], folder, fresh)
                if gone:
                    copies = {one: made_at(one) for one in backups(folder)}
                    damaged = _clean(copies | _whole(self._library), gone, wanted)
                    _remove([one for one in damaged if one in copies], folder, fresh)
        except CopyCancelled:
            return False
        return wanted()

    def _is_due(self, existing: list[Path], now: int) -> bool:
        """A backup dated in the future means that the clock was set back, so it does not count as recent. One without
        words does not count at all: there is nothing in it to go back to.
        """
        if not (existing and _found(existing[-1], _HAS_WORDS)):
            with closing(second_connection(self._library)) as source:
                return bool(source.execute(_HAS_WORDS).fetchone()[0])
        last = made_at(existing[-1])
        return not last <= now < last + DAY_MS


def _whole(library: Path) -> dict[Path, int]:
    """Whole libraries among the leftovers, with their ages."""
    upgraded = partial(_UPGRADED.fullmatch, pos=len(library.name))
    return {path: moment for path, moment in leftovers(library).items() if made_at(path) or upgraded(path.name)}


def _clean(copies: Mapping[Path, int], gone: Mapping[str, int], wanted: Callable[[], bool]) -> list[Path]:
    """Erase the conversations `gone` from these copies, given with their ages. Returns those that are damaged. If the
    system refuses to change one, raises EnvironmentProblem once all others are clean.
    """
    damaged, refused = [], None
    for path, moment in copies.items():
        try:
            _clean_one(path, moment, gone, wanted)
        except NewerVersion:
            pass  # a newer Hearth cleans its own files
        except (DamagedDatabase, StorageFault):  # StorageFault: its tables are not ours
            damaged.append(path)
        except EnvironmentProblem as error:
            refused = error
    if refused is not None:
        raise refused
    return damaged


def _clean_one(path: Path, moment: int, gone: Mapping[str, int], wanted: Callable[[], bool]) -> None:
    with classified(path.parent):
        _fold(path)
        with _opened(path) as source:
            if held := _held(source, moment, gone):
                copy(source, path, wanted, lambda copied: _erase(copied, held))


def _fold(path: Path) -> None:
    """Move the log of a replaced library into its file. Raises DamagedDatabase if the log is not its own."""
    if path.with_name(f"{path.name}-wal").exists() or path.with_name(f"{path.name}-journal").exists():
        try:
            with closing(second_connection(path)) as raw:
                raw.execute("PRAGMA journal_mode = DELETE").fetchone()
        except ForeignFileError as error:
            raise DamagedDatabase(tr("The database is damaged.")) from error


def _held(raw: sqlite3.Connection, moment: int, gone: Mapping[str, int]) -> list[str]:
    """The conversations in `gone` that a copy made at `moment` still holds.

    If a copy that is younger than the deletion lists the conversation, the user had restored it in a library that was
    replaced since; the copy keeps it.
    """
    raw.text_factory = decoded
    rows = raw.execute("SELECT id, deleted FROM conversation")
    return [owner for owner, deleted in rows if owner in gone and (deleted is not None or moment <= gone[owner])]


def leave_no_trace(raw: sqlite3.Connection) -> None:
    """Let a copy that has no final name yet overwrite what is deleted in it, without a journal, which would hold it."""
    for pragma in ("journal_mode = OFF", "secure_delete = ON"):
        raw.execute(f"PRAGMA {pragma}").fetchall()


def _erase(raw: sqlite3.Connection, conversations: Iterable[str]) -> None:
    """Overwrite the rows and rewrite the search indexes. The file is discarded on any error."""
    leave_no_trace(raw)
    raw.execute("PRAGMA foreign_keys = ON")
    add_functions(raw)
    raw.execute("BEGIN")
    raw.executemany("DELETE FROM conversation WHERE id = ?", [(one,) for one in conversations])
    version = raw.execute("PRAGMA user_version").fetchone()[0]
    if version < SCHEMA.version:  # that Hearth has indexed other words than this one
        reindex(raw.execute)
    drop_erased_words(raw)
    raw.execute("COMMIT")


def _remove(stale: list[Path], folder: Path, fresh: Callable[[], Path]) -> None:
    if not stale:
        return
    kept = [path for path in backups(folder) if path not in stale]
    if not any(can_be_opened(path) for path in reversed(kept)):
        kept = [fresh()]
    for path in stale:
        if path not in kept:
            path.unlink(missing_ok=True)
