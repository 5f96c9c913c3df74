"""Recently Deleted. Owns what is listed there, and that the cache of a chat goes when its words go for good.

Deletions that can still be undone in the window are left to the list.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app import views
from engine.protocol import Forget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.chat_list import ChatList
    from app.ports import ChatsSink
    from app.shelves import Shelves
    from storage.library.rows import Summary
    from storage.library.store import Library


def _now() -> int:
    return time.time_ns() // 1_000_000


class Trash:
    """`clock` in ms, UTC. `pins_changed` is called when a conversation came back that may be pinned."""

    def __init__(
        self,
        shelves: Shelves,
        window: ChatsSink,
        chats: ChatList,
        pins_changed: Callable[[], object],
        clock: Callable[[], int] = _now,
    ) -> None:
        self._shelves = shelves
        self._window = window
        self._list = chats
        self._pins_changed = pins_changed
        self._clock = clock

    def show(self) -> None:
        """List what was deleted and is still there."""
        self._shelves.read("", lambda library: library.deleted(), self._show)

    def undelete(self, conversation: str) -> None:
        """Bring a conversation back, with all its words."""
        self._shelves.read("", lambda library: library.undelete(conversation), lambda _: self._pins_changed())
        self._refresh()

    def erase(self, conversation: str) -> None:
        """Let it go for good now."""
        self._shelves.read("", lambda library: library.erase(conversation), lambda _: self._forget((conversation,)))
        self._refresh()

    def erase_all(self) -> None:
        """Let all go for good now."""
        self._shelves.read("", _erase_all, self._forget)
        self._refresh()

    def purge(self, noted: int) -> None:
        """Let go what has been there for so long that nobody wants it back, and had been at the start before this one.

        `noted` is what the clock said then (ms, UTC; 0: nobody knows). One that has jumped ahead since takes nothing.
        """
        keep = views.KEEP_DELETED_MS
        age = keep + max(self._clock() - max(noted, keep), 0)
        self._shelves.read("", lambda library: library.purge_deleted(age), self._forget)

    def _refresh(self) -> None:
        self.show()
        self._list.refresh()

    def _show(self, found: tuple[Summary, ...]) -> None:
        """A chat in which nothing was ever written went by itself, and is nothing to bring back."""
        now = self._clock()
        self._window.show_deleted(tuple(views.deleted_row(one, now) for one in found if one.title or one.snippet))

    def _forget(self, conversations: Iterable[str]) -> None:
        for conversation in conversations:
            self._shelves.kept.engine.send(Forget(conversation))


def _erase_all(library: Library) -> tuple[str, ...]:
    gone = tuple(one.id for one in library.deleted())
    library.erase(*gone)  # in one go: each rewrites the search index, which is nearly all of the work
    return gone
