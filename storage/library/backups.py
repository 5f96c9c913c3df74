"""Rolling backups of an open library: makes one a day, keeps the newest, and removes deleted conversations from them.

Every method may run on any thread while another thread works with the library; neither waits for the other, because a
backup reads through its own connection.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final

from storage.copies import CopyCancelled, always, second_connection
from storage.errors import classified
from storage.library import expiry
from storage.library.backup_files import (
    DAY_MS,
    back_up,
    backups,
    clear_leftovers,
    discard_unfinished,
    has_words,
    keeps_words,
    leftovers,
    made_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

KEPT: Final = 10


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
            discard_unfinished(folder)
            try:
                target = back_up(self._library, folder, now, wanted)
            except CopyCancelled:
                return None
            for old in superfluous(backups(folder)):
                old.unlink()
        return target

    def make(self, folder: Path, spared: Path | None = None) -> Path | None:
        """Write a checked backup to `folder` now, and remove superfluous ones but `spared`. Returns its path."""
        with classified():
            discard_unfinished(folder)
            target = back_up(self._library, folder, self._clock())
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
        """Erase the conversations `gone` (deletion time by id) from all copies and remove copies older than
        `expiry.DAYS`. Returns False if `wanted` became false before the end.

        `noted` is the clock's time at an earlier start (ms, UTC), so that a clock that jumped ahead expires nothing.
        """
        now = self._clock()
        oldest = min(now, noted) - expiry.DAYS * DAY_MS
        expired = expiry.Expired(gone, oldest, max(now, noted) + DAY_MS)
        return expiry.expire(self._library, expired, now, wanted)

    def _is_due(self, existing: list[Path], now: int) -> bool:
        """A backup dated in the future means that the clock was set back, so it does not count as recent. One without
        words does not count at all: there is nothing in it to go back to.
        """
        if not existing or not keeps_words(existing[-1]):
            return self._has_words()
        last = made_at(existing[-1])
        return not last <= now < last + DAY_MS

    def _has_words(self) -> bool:
        with closing(second_connection(self._library)) as source:
            return has_words(source)


class NoBackups(Backups):
    """The NULL object for a private library, whose text must not reach the disk: every method does nothing."""

    def __init__(self) -> None:
        """It needs neither a path nor a clock."""

    def make_daily(self, folder: Path, wanted: Callable[[], bool] = always) -> None:
        """Do nothing."""

    def make(self, folder: Path, spared: Path | None = None) -> None:
        """Do nothing."""

    def keep_one(self, folder: Path) -> None:
        """Do nothing."""

    def expire(self, gone: Mapping[str, int], noted: int, wanted: Callable[[], bool] = always) -> bool:  # noqa: ARG002 - as Backups
        """Do nothing, to the end."""
        return True
