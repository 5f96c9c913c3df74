"""Trash: Recently Deleted, and what must go with a conversation that is erased for good. No Qt.

- Its cache: the engine is asked to forget it.
- Its text in the copies of the library: those are cleaned or removed.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from app.base.errors import words
from app.chat import views
from app.conversations.removal import UNDO
from engine.protocol.cache_messages import Forget
from resources.language.text import mark, tr
from ui.intents.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.base.ports import ChatsSink
    from app.conversations.list import ChatList
    from app.conversations.stores import Stores
    from storage.library.library import Library
    from storage.library.rows import Summary

KEY: Final = "copies:expired"
_TOLD: Final = mark(
    "Older copies of all chats still hold chats that were deleted more than 30 days ago. They will be cleaned later."
)


def _now() -> int:
    return time.time_ns() // 1_000_000


class Trash:
    """`clock` in ms, UTC. `pins_changed` is called when a conversation was restored, because it may be pinned."""

    def __init__(
        self,
        stores: Stores,
        window: ChatsSink,
        chats: ChatList,
        pins_changed: Callable[[], object],
        clock: Callable[[], int] = _now,
    ) -> None:
        self._stores = stores
        self._window = window
        self._list = chats
        self._pins_changed = pins_changed
        self._clock = clock
        self._is_wanted = True

    def show(self) -> None:
        """List the deleted conversations."""
        self._stores.run("", lambda library: library.trash.listed(), self._show)

    def undelete(self, conversations: tuple[str, ...]) -> None:
        """Restore conversations with all their messages."""
        self._stores.run("", lambda library: library.trash.restore(*conversations), lambda _: self._pins_changed())
        self._clear_notices(conversations)
        self._refresh()

    def erase(self, conversations: tuple[str, ...]) -> None:
        """Erase conversations for good, in one call: each call rewrites the search index, which takes nearly all of the
        time.
        """
        self._stores.run("", lambda library: library.trash.erase(*conversations), lambda _: self._forget(conversations))
        self._refresh()

    def erase_all(self) -> None:
        """Erase all deleted conversations for good."""
        self._stores.run("", _erase_all, self._forget)
        self._refresh()

    def purge(self, noted: int) -> None:
        """Erase conversations that were deleted more than 30 days before that start, clean the copies that contain
        them, and remove copies that are too old.

        `noted` is the time of a start on an earlier day (ms, UTC; 0: unknown), so that a clock that has jumped ahead
        since erases nothing. If the copies cannot be cleaned, empty rows stay in the library, and the next purge tries
        again.
        """
        until = max(min(self._clock(), noted) - views.KEEP_DELETED_MS, 0)
        self._stores.run("", lambda library: self._emptied(library, until), partial(self._expire, until, noted))

    def end(self) -> None:
        """Stop cleaning the copies: the window is closing. The next start continues."""
        self._is_wanted = False

    def _emptied(self, library: Library, until: int) -> tuple[Library, dict[str, int]]:
        return library, library.trash.empty(self._clock() - until)

    def _expire(self, until: int, noted: int, found: tuple[Library, dict[str, int]]) -> None:
        library, gone = found
        self._forget(gone)
        work = partial(library.backups.expire, gone, noted, lambda: self._is_wanted)
        self._stores.kept.tasks.apart(work, partial(self._expired, until), self._not_expired)

    def _expired(self, until: int, complete: bool) -> None:  # noqa: FBT001 - what the job found
        if complete:
            self._window.clear_notice(KEY)
            self._stores.run("", lambda library: library.trash.purge(self._clock() - until))

    def _not_expired(self, error: Exception) -> None:
        self._window.show_notice(Notice(KEY, f"{tr(_TOLD)} {words(error)}"))

    def _refresh(self) -> None:
        self.show()
        self._list.refresh()

    def _show(self, found: tuple[Summary, ...]) -> None:
        """An untouched chat is deleted when its tab closes, and is not listed."""
        now = self._clock()
        self._window.store.deleted.put(tuple(views.deleted_row(one, now) for one in found if views.has_words(one)))

    def _clear_notices(self, conversations: Iterable[str]) -> None:
        """Their deletion cannot be undone any more."""
        for conversation in conversations:
            self._window.clear_notice(UNDO + conversation)

    def _forget(self, conversations: Iterable[str]) -> None:
        self._clear_notices(conversations)
        for conversation in conversations:
            self._stores.kept.engine.send(Forget(conversation))


def _erase_all(library: Library) -> tuple[str, ...]:
    gone = tuple(one.id for one in library.trash.listed())
    library.trash.erase(*gone)
    return gone
