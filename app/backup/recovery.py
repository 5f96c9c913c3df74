"""Offers ways back from a library that cannot be opened, restores older copies, and words the outcome. It also says so
if Hearth was used in a home whose library is gone: an empty list would look as if all chats were lost.

Nothing here uses the open library. `offer` and `copies` may take seconds and change nothing. `act`, `other`, `restore`
and `undo` need the library closed (`app.base.ports.Tasks.exchange`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from app.base.errors import NothingToRestore, words
from app.base.paths import Paths
from app.base.settings import Settings
from resources.language.text import mark, plural, present, tr
from storage.database import remove
from storage.errors import DamagedDatabase, LostDatabase, classified
from storage.library import restoring
from storage.library.backups import LEFTOVER_DAYS, Backups, backups, chats_in, made_at, newest_good
from ui.intents.notice import Notice
from ui.intents.settings import RecoverLibrary, RecoverOtherwise, Reveal, UndoRestore
from ui.theme.phrases import date_and_time

if TYPE_CHECKING:
    from storage.recovery.salvage import Salvaged

KEY: Final = "library:damaged"
"""The key of the notice that makes the offer."""
DONE: Final = "library:rescued"
"""The key of the notice that tells the outcome."""
KEPT: Final = "library:kept"
"""The same, if the damaged library is kept: the action shows its file."""

_RESCUE: Final = mark("Rescue what can be read")
_USE: Final = mark("Use the copy")
_AFRESH: Final = mark("Start with no chats")
_DAMAGED: Final = mark("Your chats cannot be read: the library is damaged. Hearth has not changed it.")
_UNUSABLE: Final = mark("No copy of it can be used.")
_RESCUED: Final = mark("A rescue brings back every message that can still be read.")


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
        self._before: Path | None = None
        self._is_unreadable = False
        self._counts: dict[tuple[str, int], int | None] = {}

    def offer(self, error: Exception) -> Notice:
        """Return the notice for a library that `error` prevents from opening. The first option keeps most: it rescues
        what can be read. The second one is the newest good copy, if there is one.

        If the library is gone or nothing in it could be read, the copy comes first, and the last option starts an empty
        library. The notice stays, because nothing else shows the way out.
        """
        newest = newest_good(self._folder)
        back = () if newest is None else (RecoveryOption(tr(_USE), partial(self._restore, newest)),)
        is_given_up = self._is_unreadable or isinstance(error, LostDatabase)
        if is_given_up:
            self._ways = (*back, RecoveryOption(tr(_AFRESH), self._begin_afresh))
        else:
            self._ways = (RecoveryOption(tr(_RESCUE), self.rescue), *back)
        told = [self._told(error, has_copy=newest is not None)]
        if newest is not None:
            told += [*([] if is_given_up else [tr(_RESCUED)]), _contents(newest)]
        ways = [way.words for way in self._ways]
        other = RecoverOtherwise() if len(ways) > 1 else None
        return Notice(KEY, " ".join(told), *ways, intent=RecoverLibrary(), other_intent=other, stays=True)

    def _told(self, error: Exception, *, has_copy: bool) -> str:
        if isinstance(error, LostDatabase):
            return words(error) if has_copy else f"{words(error)} {tr(_UNUSABLE)}"
        return tr(_DAMAGED) if self._library.exists() else words(error)

    def act(self) -> Notice:
        """Carry out the first option. Raises as `restore` and `rescue`."""
        return self._ways[0].go()

    def other(self) -> Notice:
        """Carry out the last option. Raises as `rescue`."""
        return self._ways[-1].go()

    def restore(self, identifier: str) -> Notice:
        """Replace the library by a copy that `copies` lists. The library becomes a copy first, unless it is damaged.

        Raises NothingToRestore, DamagedDatabase, NewerVersion, EnvironmentProblem. Nothing was replaced then.
        """
        found = next((one for one in backups(self._folder) if one.name == identifier), None)
        if found is None:
            raise NothingToRestore(tr("This copy is no longer there."))
        try:
            self._before = Backups(self._library, self._clock).make(self._folder, found)
        except DamagedDatabase:
            return self._restore(found)
        restoring.restore(found, self._library, self._clock())
        return self._restored(found)

    def _restored(self, copy: Path) -> Notice:
        assert self._before is not None, "a library on disk has copies"
        told = tr(
            "All chats are as they were on {day} ({chats}). What was there until now ({replaced}) is the newest copy "
            "in the settings, under Backups.",
            day=_day(made_at(copy)),
            chats=_extent(copy),
            replaced=_extent(self._before),
        )
        return Notice(DONE, told, tr("Undo"), intent=UndoRestore())

    def undo(self) -> Notice:
        """Bring back what the last `restore` replaced. Raises as `restore`."""
        if self._before is None:
            raise NothingToRestore(tr("This copy is no longer there."))
        return self.restore(self._before.name)

    def _restore(self, copy: Path) -> Notice:
        kept = restoring.restore(copy, self._library, self._clock())
        return self._done(tr("This is the copy of {day}.", day=_day(made_at(copy))), kept)

    def _begin_afresh(self) -> Notice:
        kept = restoring.start_empty(self._library, self._clock())
        return self._done(
            tr("This is a new library. The copies of the former one stay in the settings, under Backups."), kept
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
        chats = plural("{count} chat", "{count} chats", found.conversations)
        messages = plural("{count} message", "{count} messages", found.messages)
        told = [tr("Rescued: {chats} with {messages}.", chats=chats, messages=messages)]
        if found.lost:
            told.append(
                plural(
                    "{count} message could not be read in full.",
                    "{count} messages could not be read in full.",
                    found.lost,
                )
            )
        return self._done(" ".join(told), kept)

    def _salvaged(self, fresh: Path) -> Salvaged:
        from storage.recovery.salvage import salvage  # only a damaged library needs it

        try:
            return salvage(self._library, fresh)
        except DamagedDatabase:
            self._is_unreadable = True
            raise

    def _done(self, told: str, kept: Path) -> Notice:
        self._is_unreadable = False
        if not kept.exists():
            return Notice(DONE, told)
        aside = tr("The damaged library is kept for {days} days.", days=LEFTOVER_DAYS)
        return Notice(KEPT, f"{told} {aside}", tr("Show files"), intent=Reveal("replaced"))

    def copies(self) -> tuple[tuple[str, str], ...]:
        """List the copies, newest first: the id and the label of each."""
        found = backups(self._folder)[::-1]
        minutes = Counter(map(_minute, found))
        return tuple((one.name, self._label(one, is_alone=minutes[_minute(one)] == 1)) for one in found)

    def _label(self, copy: Path, *, is_alone: bool) -> str:
        """`is_alone`: no other copy is of the same minute."""
        with classified():
            written = copy.stat()
            count = self._count(copy, written.st_mtime_ns)
        time_made, size = _moment(made_at(copy), is_exact=not is_alone), _size(written.st_size)
        if count is None:
            return tr("{time} · {size}", time=time_made, size=size)
        chats = plural("{count} chat", "{count} chats", count)
        return tr("{time} · {chats} · {size}", time=time_made, chats=chats, size=size)

    def _count(self, copy: Path, modified: int) -> int | None:
        """Count the chats of a copy once: the list of copies is made often, and copies rarely change."""
        stamp = (copy.name, modified)
        if stamp not in self._counts:
            self._counts[stamp] = chats_in(copy)
        return self._counts[stamp]


def _extent(copy: Path) -> str:
    """How much is in a copy, so that two copies of one minute can be told apart."""
    count = chats_in(copy)
    return _size(copy.stat().st_size) if count is None else plural("{count} chat", "{count} chats", count)


def _size(size: int) -> str:
    return tr("{megabytes:.1f} MB", megabytes=size / 1_000_000)


def _contents(copy: Path) -> str:
    day, count = _day(made_at(copy)), chats_in(copy)
    if count is None:
        return tr("There is a copy of {day}.", day=day)
    return plural(
        "The copy of {day} has {count} chat as it was then.",
        "The copy of {day} has {count} chats as they were then.",
        count,
        day=day,
    )


def _day(moment: int, *, is_exact: bool = False) -> str:
    return date_and_time(_local(moment), is_exact=is_exact)


def _moment(moment: int, *, is_exact: bool) -> str:
    at, today, formats = _local(moment), datetime.now(UTC).astimezone().date(), present().formats
    if at.date() != today:
        return _day(moment, is_exact=is_exact)
    return tr("Today {time}", time=formats.exact_time(at) if is_exact else formats.time(at))


def _minute(copy: Path) -> int:
    return made_at(copy) // 60_000


def _local(moment: int) -> datetime:
    return datetime.fromtimestamp(moment / 1000, UTC).astimezone()


_MISSING: Final = mark(
    "Hearth finds none of its chats in {folder} any more. If you moved or renamed this folder, quit Hearth, put the "
    "old folder back in its place, and start Hearth again."
)


def missing_library(paths: Paths, settings: Settings, *, was_logged: bool) -> Notice | None:
    """Return the notice for a home in which a window was open before and which has no library now, None for any other
    home. If all of the data folder is gone, only the logs tell that (`was_logged`): they lie elsewhere by default. If
    there are copies of the library, the recovery offers them instead. Call this before the library is opened, which
    creates it.
    """
    was_used = bool(settings.started) or was_logged
    if not was_used or paths.library_file.exists() or backups(paths.backups):
        return None
    return Notice("library:missing", tr(_MISSING, folder=paths.data), lasting=True)
