"""A library that cannot be opened, or an older copy that is wanted back: owns what is offered and what came of it, in
words. How files change places is left to `storage.library`.

Nothing here goes through the open library. `offer` and `copies` may take seconds and change nothing; `act`, `other` and
`restore` want the library closed (`app.ports.Tasks.exchange`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from app.errors import NothingToRestore, notice
from storage.database import remove
from storage.errors import classified
from storage.library import backups
from storage.library.salvage import salvage
from ui.state import Notice

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY: Final = "library:damaged"
"""The key of the offer."""
DONE: Final = "library:rescued"
"""The key of what came of it."""

_RESCUE: Final = "Rescue what can be read"


def _now() -> int:
    return time.time_ns() // 1_000_000


class Rescue:
    """Ways back to a library at `library` that is damaged, with copies of it in `folder`."""

    def __init__(self, library: Path, folder: Path, clock: Callable[[], int] = _now) -> None:
        self._library = library
        self._folder = folder
        self._clock = clock
        self._newest: Path | None = None

    def offer(self, error: Exception) -> Notice:
        """The notice of a library that is damaged by what `error` says, with the newest good copy to go back to."""
        self._newest = backups.newest_good(self._folder)
        told = replace(notice(error), key=KEY)
        if self._newest is None:
            return replace(told, text=f"{told.text} Nothing was changed.", action=_RESCUE)
        return replace(
            told,
            text=f"{told.text} Nothing was changed. What was said after the copy may still be rescued.",
            action=f"Use the copy of {_day(backups.made(self._newest))}",
            other=_RESCUE,
        )

    def act(self) -> Notice:
        """Do what the offer's action says. Raises as `restore`."""
        return self.rescue() if self._newest is None else self._restore(self._newest)

    def other(self) -> Notice:
        """Do the other thing that was offered. Raises as `rescue`."""
        return self.rescue()

    def restore(self, identifier: str) -> Notice:
        """Put a copy that `copies` lists in the library's place.

        Raises NothingToRestore, DamagedDatabase, NewerVersion, EnvironmentProblem.
        """
        found = next((one for one in backups.backups(self._folder) if one.name == identifier), None)
        if found is None:
            raise NothingToRestore("This copy is no longer there.")
        return self._restore(found)

    def _restore(self, copy: Path) -> Notice:
        kept = backups.restore(copy, self._library, self._clock())
        return Notice(DONE, f"This is the copy of {_day(backups.made(copy))}. What was there before is kept in {kept}.")

    def rescue(self) -> Notice:
        """Make a library of what can be read in the damaged one.

        Raises DamagedDatabase if that is nothing, EnvironmentProblem; nothing was changed then.
        """
        fresh = self._library.with_name(self._library.name + ".rescued")
        with classified():
            remove(fresh)
        found = salvage(self._library, fresh)
        kept = backups.set_aside(self._library, fresh, self._clock())
        lost = f" {_count(found.lost, 'message')} could not be read in full." if found.lost else ""
        saved = f"{_count(found.conversations, 'chat')} with {_count(found.messages, 'message')}"
        return Notice(DONE, f"Rescued: {saved}.{lost} The damaged library is kept in {kept}.")

    def copies(self) -> tuple[tuple[str, str], ...]:
        """The copies there are, newest first: the id of each and its words."""
        found = reversed(backups.backups(self._folder))
        return tuple((one.name, f"{_moment(backups.made(one))} · {_size(one)}") for one in found)


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
