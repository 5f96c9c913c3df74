"""A library that cannot be opened, or is to give its place to a copy. Owns when that is offered, and that nothing else
touches the files while it happens.

What is offered and done is left to `app.backup.recovery`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from app.backup.recovery import KEY
from app.base.errors import notice, refusal
from storage.errors import DamagedDatabase, LostDatabase

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.backup.recovery import LibraryRecovery
    from app.base.ports import ChatsSink, Tasks
    from app.conversations.conversations import Conversations
    from ui.state import Notice

_DAMAGED: Final = tuple(f"error:{kind.code}" for kind in (DamagedDatabase, LostDatabase))


class RecoveryFlow:
    """`tasks` are those of the library that `rescue` is about. `begin_anew` is called with the tabs to open, when a
    library is there to work with again.
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
        """The library cannot be read: tell, and offer the ways out of damage, once."""
        if not isinstance(error, DamagedDatabase):
            self._window.show_notice(refusal(error))
        elif not self._is_offered:
            self._is_offered = True
            self._tasks.apart(partial(self._rescue.offer, error), self._offered, self._not_offered)

    def act(self, key: str) -> None:
        """The user wants the first thing that was offered."""
        if key == KEY:
            self._exchange(self._rescue.act)

    def act_otherwise(self, key: str) -> None:
        """The user wants the other thing that was offered."""
        if key == KEY:
            self._exchange(self._rescue.other)

    def restore(self, copy: str) -> None:
        """Let a copy of the library take its place."""
        self._exchange(partial(self._rescue.restore, copy))

    def _offered(self, offer: Notice) -> None:
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
