"""OtherWriters: shows what another process writes to the library, such as `hearth ask` beside the window. No Qt.

- It looks every second, with one job that reads a number and no table. Only if that number has changed, the list and
  the ends of the open chats are read again.
- A chat that is being answered here is read again after its turn, because until then the session's own words are newer.
- After an error it waits, and shows nothing: the jobs that need the library report the error.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from app.chat.sessions import Sessions
from app.chat.turn_jobs import Branch
from app.conversations.stores import Stores
from app.conversations.tabs import Tabs
from storage.library.library import Library
from storage.library.rows import Message

_PAUSE_TICKS = 30
_TAIL = 4
"""So many messages at a chat's end show whether it has changed."""

Tail = tuple["Message", ...]


class OtherWriters:
    """`changed` is called when another process has written something."""

    def __init__(self, stores: Stores, sessions: Sessions, tabs: Tabs, changed: Callable[[], object]) -> None:
        self._stores = stores
        self._sessions = sessions
        self._tabs = tabs
        self._changed = changed
        self._is_looking = False
        self._pause = 0
        self._tails: dict[str, Tail] = {}
        self._stale: set[str] = set()

    def tick(self) -> None:
        """Every second: look, unless the last look is not over."""
        self._pause = max(0, self._pause - 1)
        if not self._is_looking and not self._pause:
            self._is_looking = True
            self._stores.kept.tasks.run(_look, self._looked, self._failed)
        self._read_stale()

    def _read_stale(self) -> None:
        for conversation in [one for one in self._stale if not self._sessions.of(one).busy]:
            self._stale.discard(conversation)
            self._read(conversation)

    def _looked(self, is_changed: bool) -> None:  # noqa: FBT001 - what the job found
        self._is_looking = False
        if is_changed:
            self._changed()
            self._stale.update(self._tabs.opened)
            self._read_stale()

    def _failed(self, _error: Exception) -> None:
        self._is_looking = False
        self._pause = _PAUSE_TICKS

    def _read(self, conversation: str) -> None:
        job = partial(_read_if_changed, conversation=conversation, known=self._tails.get(conversation, ()))
        self._stores.kept.tasks.run(job, self._show, lambda _: None)

    def _show(self, found: Branch | None) -> None:
        if found is None:
            return
        self._tails[found.conversation.id] = found.messages[-_TAIL:]
        if not self._sessions.of(found.conversation.id).reread(found):
            self._stale.add(found.conversation.id)


def _look(library: Library) -> bool:
    return library.was_changed_elsewhere()


def _read_if_changed(library: Library, conversation: str, known: Tail) -> Branch | None:
    """The branch of a conversation, None if its end is as known. Contents of files are not read."""
    if known and library.messages.page(conversation, None, _TAIL).messages == known:
        return None
    return Branch(library.conversations.get(conversation), library.messages.branch(conversation))
