"""Offers ways back from a library that cannot be opened, restores older copies, and words the outcome. It also says so
if Hearth was used in a home whose library is gone: an empty list would look as if all chats were lost.

Nothing in `LibraryRecovery` uses the open library. `offer` and `copies` may take seconds and change nothing. `act`,
`other`, `restore` and `undo` need the library closed (`app.base.ports.Tasks.exchange`).

`RecoveryFlow` runs on the window's thread. If the library is damaged, it makes the offer, closes the chats and the
library while its files are replaced, and opens the tabs again. If the disk is full or refuses, it tries again until the
library can be opened.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from app.base.errors import LOST_FILES, REFUSED, NothingToRestore, notice, refusal, words
from app.base.paths import Paths
from app.base.settings import Settings
from app.chat.views import local_time
from app.conversations.conversations import Conversations
from resources.language.text import mark, mark_plural, plural, present, tr
from storage.database import remove
from storage.errors import DamagedDatabase, EnvironmentProblem, LostDatabase, classified
from storage.library import restoring
from storage.library.backups import LEFTOVER_DAYS, Backups, backups, chats_in, made_at, newest_good
from ui.intents.notice import Notice
from ui.intents.settings import RecoverLibrary, Reveal, UndoRestore
from ui.state.library import OpenTabs
from ui.theme.phrases import date_and_time

KEY: Final = "library:damaged"
"""The key of the notice that makes the offer."""
DONE: Final = "library:rescued"
"""The key of the notice that tells the outcome."""
KEPT: Final = "library:kept"
"""The same, if the damaged library is kept: the action shows its file."""

_DAMAGED: Final = mark("Your chats cannot be read: the library is damaged. Hearth has not changed it.")
_LOST: Final = mark_plural("{count} message could not be read in full.", "{count} messages could not be read in full.")
_RESCUED: Final = mark("A rescue brings back every message that can still be read.")


class LibraryRecovery:
    """Ways back to the library at `library`, which is damaged or gone, with the copies of it in `folder`."""

    def __init__(
        self, library: Path, folder: Path, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    ) -> None:
        self._library = library
        self._folder = folder
        self._clock = clock
        self._ways: dict[str, Callable[[], Notice]] = {}
        """The ways back to a working library: the label of each button, and its action."""
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
        back = {} if newest is None else {tr("Use the copy"): partial(self._restore, newest)}
        is_given_up = self._is_unreadable or isinstance(error, LostDatabase)
        if is_given_up:
            self._ways = {**back, tr("Start with no chats"): self._begin_afresh}
        else:
            self._ways = {tr("Rescue what can be read"): self.rescue, **back}
        if isinstance(error, LostDatabase):
            told = [words(error), *([tr("No copy of it can be used.")] if newest is None else [])]
        else:
            told = [tr(_DAMAGED) if self._library.exists() else words(error)]
        if newest is not None:
            told += [*([] if is_given_up else [tr(_RESCUED)]), _contents(newest)]
        other = RecoverLibrary(-1) if len(self._ways) > 1 else None
        return Notice(KEY, " ".join(told), *self._ways, intent=RecoverLibrary(), other_intent=other, stays=True)

    def act(self, way: int = 0) -> Notice:
        """Carry out one of the options. Raises as `restore` and `rescue`."""
        return tuple(self._ways.values())[way]()

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
        assert self._before is not None, "a library on disk has copies"
        told = tr(
            "All chats are as they were on {day} ({chats}). What was there until now ({replaced}) is the newest copy "
            "in the settings, under Privacy.",
            day=_day(made_at(found)),
            chats=_extent(found),
            replaced=_extent(self._before),
        )
        return Notice(DONE, told + self._lost(found), tr("Undo"), intent=UndoRestore())

    def undo(self) -> Notice:
        """Bring back what the last `restore` replaced. Raises as `restore`."""
        if self._before is None:
            raise NothingToRestore(tr("This copy is no longer there."))
        return self.restore(self._before.name)

    def _restore(self, copy: Path) -> Notice:
        kept = restoring.restore(copy, self._library, self._clock())
        return self._done(tr("This is the copy of {day}.", day=_day(made_at(copy))) + self._lost(copy), kept)

    def _lost(self, copy: Path) -> str:
        """The sentence about files that a restored copy names and that are gone, behind a space; empty without any."""
        count = restoring.lost_files(copy, self._library)
        return f" {plural(*LOST_FILES, count)}" if count else ""

    def _begin_afresh(self) -> Notice:
        told = tr("This is a new library. Copies of the former one stay in the settings, under Privacy.")
        return self._done(told, restoring.start_empty(self._library, self._clock()))

    def rescue(self) -> Notice:
        """Build a library from what can be read in the damaged one.

        Raises DamagedDatabase if nothing can be read, and EnvironmentProblem. Either way nothing was changed.
        """
        fresh = self._library.with_name(self._library.name + ".rescued")
        with classified():
            remove(fresh)
        from storage.recovery.salvage import salvage  # only a damaged library needs it

        try:
            found = salvage(self._library, fresh)
        except DamagedDatabase:
            self._is_unreadable = True
            raise
        kept = restoring.replace_library(self._library, fresh, self._clock())
        chats = plural("{count} chat", "{count} chats", found.conversations)
        messages = plural("{count} message", "{count} messages", found.messages)
        told = [tr("Rescued: {chats} with {messages}.", chats=chats, messages=messages)]
        if found.lost:
            told.append(plural(*_LOST, found.lost))
        return self._done(" ".join(told), kept)

    def _done(self, told: str, kept: Path) -> Notice:
        self._is_unreadable = False
        if not kept.exists():
            return Notice(DONE, told)
        aside = tr("The damaged library is kept for {days} days.", days=LEFTOVER_DAYS)
        return Notice(KEPT, f"{told} {aside}", tr("Show files"), intent=Reveal("replaced"))

    def copies(self) -> tuple[tuple[str, str], ...]:
        """List the copies, newest first: the id and the label of each."""
        found = backups(self._folder)[::-1]
        minutes = Counter(made_at(one) // 60_000 for one in found)
        return tuple((one.name, self._label(one, is_alone=minutes[made_at(one) // 60_000] == 1)) for one in found)

    def _label(self, copy: Path, *, is_alone: bool) -> str:
        """`is_alone`: no other copy is of the same minute."""
        with classified():
            written = copy.stat()
            stamp = (copy.name, written.st_mtime_ns)
            if stamp not in self._counts:  # the list of copies is made often, and copies rarely change
                self._counts[stamp] = chats_in(copy)
            count = self._counts[stamp]
        at, formats = local_time(made_at(copy)), present().formats
        time_made, size = date_and_time(at, is_exact=not is_alone), _size(written.st_size)
        if at.date() == datetime.now(UTC).astimezone().date():
            time_made = tr("Today {time}", time=formats.time(at) if is_alone else formats.exact_time(at))
        if count is None:
            return tr("{time} · {size}", time=time_made, size=size)
        chats = plural("{count} chat", "{count} chats", count)
        return tr("{time} · {chats} · {size}", time=time_made, chats=chats, size=size)


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


def _day(moment: int) -> str:
    return date_and_time(local_time(moment))


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
    if not (settings.started or was_logged) or paths.library_file.exists() or backups(paths.backups):
        return None
    return Notice("library:missing", tr(_MISSING, folder=paths.data), lasting=True)


CLOSED: Final = "library:closed"
"""The key of the notice that the disk does not let the library be opened."""
_CLOSED: Final = mark(
    "Hearth cannot open your chats. {reason} Nothing in them has changed. They come back by themselves as soon as they "
    "can be opened."
)
_REPLACING: Final = mark("Hearth is replacing the library. Your tabs open again as soon as that is done.")
TRY_TICKS: Final = 5
"""Ticks (seconds) between two attempts to open such a library."""
_DAMAGED_KEYS: Final = tuple(f"error:{kind.code}" for kind in (DamagedDatabase, LostDatabase))


class RecoveryFlow:
    """`rescue` can bring back the library of `conversations` on disk. When a library is ready again, `begin_anew` is
    called with the tabs to open; None for those of the last run.
    """

    def __init__(
        self,
        rescue: LibraryRecovery,
        conversations: Conversations,
        begin_anew: Callable[[OpenTabs | None], object],
    ) -> None:
        self._rescue = rescue
        self._conversations = conversations
        self._tasks = conversations.chats.kept.tasks
        self._window = conversations.chats.window
        self._begin_anew = begin_anew
        self._is_offered = False
        self._is_waiting = False
        self._pause = 0
        self._before: OpenTabs | None = None

    def offer(self, error: Exception) -> None:
        """Report that the library cannot be read. Offer the ways out of damage once, and wait for the disk."""

        def offered(offer: Notice) -> None:
            if self._is_offered:
                self._clear()
                self._window.show_notice(offer)

        def not_offered(error: Exception) -> None:
            self._is_offered = False
            self._window.show_notice(notice(error))

        if isinstance(error, EnvironmentProblem):
            self._is_waiting, self._pause = True, TRY_TICKS
            self._window.clear_notice(REFUSED)  # of other jobs, for the same reason
            self._window.show_notice(Notice(CLOSED, tr(_CLOSED, reason=words(error)), lasting=True))
        elif not isinstance(error, DamagedDatabase):
            self._window.show_notice(refusal(error))
        elif not self._is_offered:
            self._is_offered = True
            self._tasks.apart(partial(self._rescue.offer, error), offered, not_offered)

    def withdraw(self) -> None:
        """The library can be read: take the offer back. If the disk has kept it closed, open its tabs."""
        if self._is_offered:
            self._is_offered = False
            self._window.clear_notice(KEY)
        if self._is_waiting:
            self._is_waiting = False
            for key in (CLOSED, REFUSED):
                self._window.clear_notice(key)
            self._begin_anew(None)

    def tick(self) -> None:
        """Every second: try to open a library that the disk has kept closed, after a pause."""
        self._pause = max(0, self._pause - 1)
        if self._is_waiting and not self._pause:
            self._pause = TRY_TICKS
            self._tasks.run(lambda _: None, lambda _: self.withdraw(), self.offer)  # it only needs the library open

    def act(self, way: int = 0) -> None:
        """Carry out one of the options of the offer."""
        if self._is_offered:
            self._exchange(partial(self._rescue.act, way))

    def undo(self) -> None:
        """Bring back what a copy has replaced."""
        if self._before is not None:
            self._window.clear_notice(DONE)
            self._exchange(self._rescue.undo, self._before)

    def restore(self, copy: str) -> None:
        """Replace the library by one of its copies."""
        self._exchange(partial(self._rescue.restore, copy))

    def _exchange(self, work: Callable[[], Notice], tabs: OpenTabs | None = None) -> None:
        """Replace the library, and open `tabs` then; None for those that are open now."""
        now = self._window.chats.arranged()
        self._window.show_notice(Notice(KEY, tr(_REPLACING), stays=True))
        self._conversations.close_all()

        def exchange(_: object) -> None:
            self._tasks.exchange(work, done, failed)

        def done(told: Notice) -> None:
            self._before = now
            self._clear()
            self._window.show_notice(told)
            self._conversations.leave_library()
            self._begin(tabs or now)

        def failed(error: Exception) -> None:
            self._window.show_notice(notice(error))
            self._begin(now)

        self._tasks.run(lambda _: None, exchange, exchange)  # behind what the answers still had to write

    def _clear(self) -> None:
        for key in _DAMAGED_KEYS:
            self._window.clear_notice(key)

    def _begin(self, tabs: OpenTabs) -> None:
        self._is_offered = False
        self._window.clear_notice(KEY)
        self._begin_anew(tabs)
