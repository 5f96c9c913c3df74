"""Attention: which answers the user has not seen yet, and when the system shows a notification. On the GUI thread; no
Qt.
"""

from __future__ import annotations

from collections.abc import Callable

from app.base.ports import TurnEnd
from app.conversations.chats import Chats
from resources.language.text import tr

_LONGEST = 160
"""Characters of an answer in a notification."""


class Attention:
    """An answer that ends where the user does not look is unread until its chat is shown in the active window.

    - `kept` is called with the unread conversations after each change, without the private ones.
    - `notifies` returns whether the user wants notifications. The active window needs no notification, and words of a
      private chat are never in one.
    """

    def __init__(self, chats: Chats) -> None:
        self.kept: Callable[[tuple[str, ...]], object] = lambda _: None
        self.notifies: Callable[[], bool] = lambda: True
        self._chats = chats
        self._seen: tuple[str, ...] = ()
        self._is_active = False
        self._store = chats.window.store
        self._gone: set[str] = set()

    def restore(self, unread: tuple[str, ...]) -> None:
        """Mark what was unread at the end of the last run."""
        self._store.unread.put(frozenset(unread))

    def attend(self, conversations: tuple[str, ...], is_active: bool) -> None:  # noqa: FBT001 - an intent's values
        """The user looks at these conversations now. `is_active`: the window has the keyboard."""
        self._seen, self._is_active = conversations, is_active
        self._gone.difference_update(conversations)
        self._mark(self._store.unread.now - set(conversations))

    def ended(self, end: TurnEnd) -> None:
        """An answer has ended. One that the user stopped is no news, nor is one of a chat that is gone."""
        if end.conversation in {*self._seen, *self._gone} or (end.reason == "cancelled" and not end.error):
            return
        self._mark(self._store.unread.now | {end.conversation})
        if self.notifies() and not self._is_active:
            self._notify(end)

    def forget(self, conversation: str) -> None:
        """The conversation was deleted. Until the user looks at it again, its last answer may still be ending: no row
        would show the mark, so it would stay.
        """
        self._gone.add(conversation)
        self._mark(self._store.unread.now - {conversation})

    def leave_library(self) -> None:
        """Another library has replaced the one on disk: its answers are not those that were marked."""
        self._mark(frozenset(filter(self._chats.is_private, self._store.unread.now)))

    def _notify(self, end: TurnEnd) -> None:
        if self._chats.is_private(end.conversation):
            self._chats.window.notify(end.conversation, tr("Private chat"), tr("An answer is ready."))
            return
        words = " ".join((end.error or end.text).split())
        shown = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
        title = self._chats.sessions.of(end.conversation).presenter.shown_title
        self._chats.window.notify(end.conversation, title, shown or tr("An answer is ready."))

    def _mark(self, unread: frozenset[str]) -> None:
        if unread != self._store.unread.now:
            self._store.unread.put(unread)
            self.kept(tuple(sorted(one for one in unread if not self._chats.is_private(one))))
