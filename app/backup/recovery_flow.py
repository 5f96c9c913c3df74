"""Runs the recovery of a library in the window: makes the offer, closes the chats and the library while its files are
replaced, and opens the tabs again.

Runs on the window's thread.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from app.backup.recovery import DONE, KEY
from app.base.errors import notice, refusal
from storage.errors import DamagedDatabase, LostDatabase

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.backup.recovery import LibraryRecovery
    from app.base.ports import ChatsSink, Tasks
    from app.conversations.conversations import Conversations
    from ui.state.notice import Notice

_DAMAGED: Final = tuple(f"error:{kind.code}" for kind in (DamagedDatabase, LostDatabase))


class RecoveryFlow:
    """`tasks` is the thread of the library that `rescue` can bring back. When a library is ready again, `begin_anew` is
    called with the tabs to open.
    """

    def __init__(
        self,
        rescue: LibraryRecovery,
        conversations: Conversations,
        tasks: Tasks,
        window: ChatsSink,
        begin_anew: Callable[[tuple[str, ...]], object],
    ) -> None:
        self._rescue = rescue
        self._conversations = conversations
        self._tasks = tasks
        self._window = window
        self._begin_anew = begin_anew
        self._is_offered = False

    def offer(self, error: Exception) -> None:
        """Report that the library cannot be read, and offer the ways out of damage once."""
        if not isinstance(error, DamagedDatabase):
            self._window.show_notice(refusal(error))
        elif not self._is_offered:
            self._is_offered = True
            self._tasks.apart(partial(self._rescue.offer, error), self._offered, self._not_offered)

    def withdraw(self) -> None:
        """The library can be read: take the offer back."""
        if self._is_offered:
            self._is_offered = False
            self._window.clear_notice(KEY)

    def act(self, key: str) -> None:
        """Carry out the first option of the notice `key`: a way back, or the undoing of a restored copy."""
        if key == KEY:
            self._exchange(self._rescue.act)
        elif key == DONE:
            self._window.clear_notice(DONE)
            self._exchange(self._rescue.undo)

    def act_otherwise(self, key: str) -> None:
        """Carry out the other option of the notice `key`."""
        if key == KEY:
            self._exchange(self._rescue.other)

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

    def _exchange(self, work: Callable[[], Notice]) -> None:
        tabs = self._conversations.tabs.opened
        self._window.clear_notice(KEY)
        self._conversations.close_all()

        def exchange(_: object) -> None:
            self._tasks.exchange(work, partial(self._done, tabs), partial(self._failed, tabs))

        self._tasks.run(lambda _: None, exchange, exchange)  # behind what the answers still had to write

    def _done(self, tabs: tuple[str, ...], told: Notice) -> None:
        self._clear()
        self._window.show_notice(told)
        self._begin(tabs)

    def _failed(self, tabs: tuple[str, ...], error: Exception) -> None:
        self._window.show_notice(notice(error))
        self._begin(tabs)

    def _clear(self) -> None:
        for key in _DAMAGED:
            self._window.clear_notice(key)

    def _begin(self, tabs: tuple[str, ...]) -> None:
        self._is_offered = False
        self._begin_anew(tabs)
