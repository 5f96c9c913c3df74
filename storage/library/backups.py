"""Rolling backups of an open library: makes one a day, keeps the newest, and removes deleted conversations from them.

Every method may run on any thread while another thread works with the library; neither waits for the other, because a
backup reads through its own connection. Whatever fails or is killed meanwhile:

- A copy is only replaced by a cleaned copy that is complete and checked.
- A copy is only removed because of its age or damage while another undamaged one remains. If it is the last one, a new
  copy is made first.
"""

from __future__ import annotations

import re
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Final

from resources.language.text import tr
from storage.copies import CopyCancelled, always, copy, read_only, second_connection
from storage.database import decoded
from storage.errors import DamagedDatabase, StorageFault, classified
from storage.folders import ForeignFileError
from storage.library.backup_files import (
    DAY_MS,
    back_up,
    backup_folder,
    backups,
    can_be_opened,
    clear_leftovers,
    discard_unfinished,
    has_words,
    keeps_words,
    leftovers,
    made_at,
)
from storage.library.schema import SCHEMA

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

KEPT: Final = 10
DAYS: Final = 30
"""The age at which a copy is removed."""
_UPGRADED: Final = re.compile(r"\.v[0-9]+")
"""The suffix of the copy that is made before an upgrade."""
_INDEXES: Final = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5 (%'"


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

        Returns its path, or None if none was due or `wanted` became false. Also removes expired leftovers.
        """
        now = self._clock()
        with classified():
            clear_leftovers(self._library, now)
            if not (wanted() and self._is_due(backups(folder), now)):
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
        """Remove copies older than DAYS; erase the conversations `gone` (deletion time by id) from all others, replaced
        libraries included. Returns False if `wanted` became false before the end; the next call does the rest.

        `noted` is the clock's time at an earlier start (ms, UTC), so that a clock that jumped ahead expires nothing.
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
                # One from the future was dated by a wrong clock.
                _remove([one for one in backups(folder) if not oldest < made_at(one) <= newest], folder, fresh)
                if gone:
                    damaged = [one for one in backups(folder) if not _clean(one, made_at(one), gone, wanted)]
                    _remove(damaged, folder, fresh)
                    for path, moment in _whole(self._library).items():
                        _clean(path, moment, gone, wanted)
        except CopyCancelled:
            return False
        return wanted()

    def _is_due(self, existing: list[Path], now: int) -> bool:
        """A backup dated in the future means that the clock was set back, so it does not count as recent. One without
        words does not count at all: there is nothing in it to go back to.
        """
        if not existing or not keeps_words(existing[-1]):
            with closing(second_connection(self._library)) as source:
                return has_words(source)
        last = made_at(existing[-1])
        return not last <= now < last + DAY_MS


class NoBackups(Backups):
    """The NULL object for a private library, whose text must not reach the disk: every method does nothing."""

    def __init__(self) -> None:
        """It needs neither a path nor a clock."""

    def make_daily(self, folder: Path, wanted: Callable[[], bool] = always) -> None:
        """Do nothing."""

    def make(self, folder: Path, spared: Path | None = None, wanted: Callable[[], bool] = always) -> None:
        """Do nothing."""

    def keep_one(self, folder: Path) -> None:
        """Do nothing."""

    def expire(self, gone: Mapping[str, int], noted: int, wanted: Callable[[], bool] = always) -> bool:  # noqa: ARG002 - as Backups
        """Do nothing, to the end."""
        return True


def _whole(library: Path) -> dict[Path, int]:
    """Whole libraries among the leftovers, with their ages."""
    upgraded = partial(_UPGRADED.fullmatch, pos=len(library.name))
    return {path: moment for path, moment in leftovers(library).items() if made_at(path) or upgraded(path.name)}


def _clean(path: Path, moment: int, gone: Mapping[str, int], wanted: Callable[[], bool]) -> bool:
    """Erase the conversations `gone` from the copy at `path`, made at `moment`. False if the copy is damaged."""
    try:
        with classified(path.parent):
            _fold(path)
            with closing(read_only(path)) as source:
                held = _held(source, moment, gone)
                if held:
                    copy(source, path, wanted, lambda copied: _erase(copied, held))
    except (DamagedDatabase, StorageFault):  # StorageFault: its tables are not ours
        return False
    return True


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
    replaced since; the copy keeps it. A newer Hearth cleans its own files, so such a file holds nothing here.
    """
    version = int(raw.execute("PRAGMA user_version").fetchone()[0])
    if version < 1:
        raise DamagedDatabase("The copy holds nothing of Hearth's.")
    if version > SCHEMA.version:
        return []
    raw.text_factory = decoded
    rows = raw.execute("SELECT id, deleted FROM conversation")
    return [owner for owner, deleted in rows if owner in gone and (deleted is not None or moment <= gone[owner])]


def _erase(raw: sqlite3.Connection, conversations: Iterable[str]) -> None:
    """Overwrite the rows and rewrite the search indexes, without a journal, which would hold the text.

    The file has no final name yet and is discarded on any error.
    """
    for pragma in ("journal_mode = OFF", "secure_delete = ON", "foreign_keys = ON"):
        raw.execute(f"PRAGMA {pragma}").fetchall()
    raw.execute("BEGIN")
    raw.executemany("DELETE FROM conversation WHERE id = ?", [(one,) for one in conversations])
    for (index,) in raw.execute(_INDEXES).fetchall():
        raw.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our names
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
