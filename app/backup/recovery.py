"""Offers ways back from a library that cannot be opened, restores older copies, and words the outcome.

Nothing here uses the open library. `offer` and `copies` may take seconds and change nothing. `act`, `other` and
`restore` need the library closed (`app.base.ports.Tasks.exchange`).
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from app.base.errors import NothingToRestore, words
from storage.database import remove
from storage.errors import DamagedDatabase, LostDatabase, classified
from storage.library import backup_files, restoring
from storage.recovery.salvage import salvage
from ui.state.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from storage.recovery.salvage import Salvaged

KEY: Final = "library:damaged"
"""The key of the notice that makes the offer."""
DONE: Final = "library:rescued"
"""The key of the notice that tells the outcome."""

_RESCUE: Final = "Rescue what can be read"
_AFRESH: Final = "Start with no chats"
_UNUSABLE: Final = "No copy of it can be used."
_UNCHANGED: Final = "Nothing was changed."
_LATER: Final = "What was said after the copy may still be rescued."


def _now() -> int:
    return time.time_ns() // 1_000_000


class RecoveryOption(NamedTuple):
    """A way back to a working library: the label of its button, and the action."""

    words: str
    go: Callable[[], Notice]


class LibraryRecovery:
    """Ways back to the library at `library`, which is damaged or gone, with the copies of it in `folder`."""

    def __init__(self, library: Path, folder: Path, clock: Callable[[], int] = _now) -> None:
        self._library = library
        self._folder = folder
        self._clock = clock
        self._ways: tuple[RecoveryOption, ...] = ()
        self._is_unreadable = False

    def offer(self, error: Exception) -> Notice:
        """Return the notice for a library that `error` prevents from opening. It offers the newest good copy, if there
        is one.

        The second option rescues what can be read. If the library is gone or nothing in it could be read, the second
        option starts an empty library instead.
        """
        newest = backup_files.newest_good(self._folder)
        back = (
            ()
            if newest is None
            else (
                RecoveryOption(f"Use the copy of {_day(backup_files.made_at(newest))}", partial(self._restore, newest)),
            )
        )
        if isinstance(error, LostDatabase):
            told, self._ways = "" if back else _UNUSABLE, (*back, RecoveryOption(_AFRESH, self._begin_afresh))
        elif self._is_unreadable:
            told, self._ways = _UNCHANGED, (*back, RecoveryOption(_AFRESH, self._begin_afresh))
        else:
            told, self._ways = (
                f"{_UNCHANGED} {_LATER}" if back else _UNCHANGED,
                (*back, RecoveryOption(_RESCUE, self.rescue)),
            )
        return Notice(KEY, f"{words(error)} {told}".strip(), *(way.words for way in self._ways))

    def act(self) -> Notice:
        """Carry out the first option. Raises as `restore` and `rescue`."""
        return self._ways[0].go()

    def other(self) -> Notice:
        """Carry out the last option. Raises as `rescue`."""
        return self._ways[-1].go()

    def restore(self, identifier: str) -> Notice:
        """Replace the library by a copy that `copies` lists.

        Raises NothingToRestore, DamagedDatabase, NewerVersion, EnvironmentProblem.
        """
        found = next((one for one in backup_files.backups(self._folder) if one.name == identifier), None)
        if found is None:
            raise NothingToRestore("This copy is no longer there.")
        return self._restore(found)

    def _restore(self, copy: Path) -> Notice:
        kept = restoring.restore(copy, self._library, self._clock())
        return self._done(f"This is the copy of {_day(backup_files.made_at(copy))}.", kept)

    def _begin_afresh(self) -> Notice:
        kept = restoring.start_empty(self._library, self._clock())
        return self._done(
            "This is a new library. The copies of the former one stay in the settings, under Backups.", kept
        )

    def rescue(self) -> Notice:
        """Build a library from what can be read in the damaged one.

        Raises DamagedDatabase if nothing can be read, and EnvironmentProblem. Either way nothing was changed.
        """
        fresh = self._library.with_name(self._library.name + ".rescued")
        with classified():
            remove(fresh)
        found = self._salvaged(fresh)
        kept = restoring.replace_library(self._library, fresh, self._clock())
        lost = f" {_count(found.lost, 'message')} could not be read in full." if found.lost else ""
        saved = f"{_count(found.conversations, 'chat')} with {_count(found.messages, 'message')}"
        return self._done(f"Rescued: {saved}.{lost}", kept)

    def _salvaged(self, fresh: Path) -> Salvaged:
        try:
            return salvage(self._library, fresh)
        except DamagedDatabase:
            self._is_unreadable = True
            raise

    def _done(self, told: str, kept: Path) -> Notice:
        self._is_unreadable = False
        aside = (
            f" What was there before is kept in {kept} for {backup_files.LEFTOVER_DAYS} days." if kept.exists() else ""
        )
        return Notice(DONE, told + aside)

    def copies(self) -> tuple[tuple[str, str], ...]:
        """List the copies, newest first: the id and the label of each."""
        found = reversed(backup_files.backups(self._folder))
        return tuple((one.name, f"{_moment(backup_files.made_at(one))} · {_size(one)}") for one in found)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _day(moment: int) -> str:
    at = _local(moment)
    return f"{at.day} {at:%B %Y, %H:%M}"


def _moment(moment: int) -> str:
    at, today = _local(moment), datetime.now(UTC).astimezone().date()
    return f"Today {at:%H:%M}" if at.date() == today else f"{at.day} {at:%B %Y, %H:%M}"


def _local(moment: int) -> datetime:
    return datetime.fromtimestamp(moment / 1000, UTC).astimezone()


def _size(file: Path) -> str:
    with classified():
        return f"{file.stat().st_size / 1_000_000:.1f} MB"
