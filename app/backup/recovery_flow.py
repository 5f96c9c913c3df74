"""Brings back a library that cannot be opened. If it is damaged: makes the offer, closes the chats and the library
while its files are replaced, and opens the tabs again. If the disk is full or refuses: tries again until it can be
opened.

Runs on the window's thread.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from app.backup.recovery import DONE, KEY, LibraryRecovery
from app.base.errors import REFUSED, notice, refusal, words
from app.base.ports import ChatsSink, Tasks
from app.conversations.conversations import Conversations
from resources.language.text import mark, tr
from storage.errors import DamagedDatabase, EnvironmentProblem, LostDatabase
from storage.library.library import Library
from ui.intents.notice import Notice
from ui.state.library import OpenTabs

CLOSED: Final = "library:closed"
"""The key of the notice that the disk does not let the library be opened."""
_CLOSED: Final = mark(
    "Hearth cannot open your chats. {reason} Nothing in them has changed. They come back by themselves as soon as they "
    "can be opened."
)
TRY_TICKS: Final = 5
"""Ticks (seconds) between two attempts to open such a library."""
_DAMAGED: Final = tuple(f"error:{kind.code}" for kind in (DamagedDatabase, LostDatabase))


class RecoveryFlow:
    """`tasks` is the thread of the library that `rescue` can bring back. When a library is ready again, `begin_anew` is
    called with the tabs to open; None for those of the last run.
    """

    def __init__(
        self,
        rescue: LibraryRecovery,
        conversations: Conversations,
        tasks: Tasks,
        window: ChatsSink,
        begin_anew: Callable[[OpenTabs | None], object],
    ) -> None:
        self._rescue = rescue
        self._conversations = conversations
        self._tasks = tasks
        self._window = window
        self._begin_anew = begin_anew
        self._is_offered = False
        self._is_waiting = False
        self._pause = 0
        self._before: OpenTabs | None = None

    def offer(self, error: Exception) -> None:
        """Report that the library cannot be read. Offer the ways out of damage once, and wait for the disk."""
        if isinstance(error, EnvironmentProblem):
            self._is_waiting, self._pause = True, TRY_TICKS
            self._window.clear_notice(REFUSED)  # of other jobs, for the same reason
            self._window.show_notice(Notice(CLOSED, tr(_CLOSED, reason=words(error)), lasting=True))
        elif not isinstance(error, DamagedDatabase):
            self._window.show_notice(refusal(error))
        elif not self._is_offered:
            self._is_offered = True
            self._tasks.apart(partial(self._rescue.offer, error), self._offered, self._not_offered)

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
            self._tasks.run(_nothing, lambda _: self.withdraw(), self.offer)

    def act(self) -> None:
        """Carry out the first option of the offer."""
        if self._is_offered:
            self._exchange(self._rescue.act)

    def act_otherwise(self) -> None:
        """Carry out the other option of the offer."""
        if self._is_offered:
            self._exchange(self._rescue.other)

    def undo(self) -> None:
        """Bring back what a copy has replaced."""
        if self._before is not None:
            self._window.clear_notice(DONE)
            self._exchange(self._rescue.undo, self._before)

    def restore(self, copy: str) -> None:
        """Replace the library by one of its copies."""
        self._exchange(partial(self._rescue.restore, copy))

    def _offered(self, offer: Notice) -> None:
        if self._is_offered:
            self._clear()
            self._window.show_notice(offer)

    def _not_offered(self, error: Exception) -> None:
        self._is_offered = False
        self._window.show_notice(notice(error))

    def _exchange(self, work: Callable[[], Notice], tabs: OpenTabs | None = None) -> None:
        """Replace the library, and open `tabs` then; None for those that are open now."""
        now = self._window.chats.arranged()
        self._window.clear_notice(KEY)
        self._conversations.close_all()

        def exchange(_: object) -> None:
            self._tasks.exchange(work, partial(self._done, now, tabs or now), partial(self._failed, now))

        self._tasks.run(_nothing, exchange, exchange)  # behind what the answers still had to write

    def _done(self, before: OpenTabs, tabs: OpenTabs, told: Notice) -> None:
        self._before = before
        self._clear()
        self._window.show_notice(told)
        self._conversations.leave_library()
        self._begin(tabs)

    def _failed(self, tabs: OpenTabs, error: Exception) -> None:
        self._window.show_notice(notice(error))
        self._begin(tabs)

    def _clear(self) -> None:
        for key in _DAMAGED:
            self._window.clear_notice(key)

    def _begin(self, tabs: OpenTabs) -> None:
        self._is_offered = False
        self._begin_anew(tabs)


def _nothing(_library: Library) -> None:
    """A job that only needs the library to be open."""
