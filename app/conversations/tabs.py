"""Tabs: loads conversations into tabs, remembers which are open, and warms the cache of what it opens. No Qt.

`OtherWriters` shows in them what another process writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from app.base.errors import refusal
from app.chat import opening
from app.chat.opening import FoundPlace, Opening
from app.chat.turn_jobs import Branch
from app.conversations.chats import Chats
from engine.protocol.messages import Focus
from storage.errors import NoSuchConversation
from storage.library.library import Library
from storage.library.rows import Conversation, Message

T = TypeVar("T")


class Tabs:
    """The open conversations, in the order in which they were opened. `opened` is called with each one that a tab
    shows.
    """

    def __init__(self, chats: Chats, opened: Callable[[Conversation], object]) -> None:
        self._chats = chats
        self._show_settings = opened
        self._open: dict[str, None] = {}
        self._opening: Counter[str] = Counter()
        self._deletions: Counter[str] = Counter()
        self._cold: list[str] = []
        self._front = ""

    @property
    def opened(self) -> tuple[str, ...]:
        """The conversations that have a tab, without the private ones."""
        return tuple(conversation for conversation in self.all_opened if not self._chats.is_private(conversation))

    @property
    def all_opened(self) -> tuple[str, ...]:
        """The conversations that have a tab."""
        return tuple(self._open)

    def is_opening(self, conversation: str) -> bool:
        """Whether a tab was asked for and does not show the conversation yet."""
        return self._opening[conversation] > 0

    def show(self, conversation: str) -> None:
        """Show the tab of a conversation as it is, where the user reads. If there is none, open it."""
        if conversation in self._open and self._chats.window.chats.tab(conversation) is not None:
            self._chats.window.chats.bring_to_front(conversation)
        else:
            self.open(conversation)

    def open(self, conversation: str) -> None:
        """Show a conversation in a tab, and restore its cache soon. A failure is shown."""
        job = partial(opening.load, conversation=conversation)
        self._load(conversation, job, self._opened, partial(self._not_opened, conversation))

    def open_at(self, conversation: str, message: str, terms: tuple[str, ...]) -> None:
        """Show a conversation in a tab at a hit of a search, with these words marked. If only another branch has a hit,
        that branch becomes the active one, and a notice offers the way back.
        """
        job = partial(opening.open_at, conversation=conversation, message=message, terms=terms)
        self._load(conversation, job, partial(self._opened_at, terms), partial(self._not_opened, conversation))

    def reopen(self, conversation: str) -> None:
        """Open a tab that was open before. If its conversation no longer exists, nothing happens."""
        self._load(conversation, partial(opening.load, conversation=conversation), self._opened, lambda _: None)

    def _load(
        self,
        conversation: str,
        job: Callable[[Library], T],
        then: Callable[[T], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """Call `then` with the result of a job, unless the conversation was deleted meanwhile, or `failed`."""
        deletions = self._deletions[conversation]

        def done(found: T) -> None:
            self._opening[conversation] -= 1
            if self._deletions[conversation] == deletions:
                then(found)

        def not_loaded(error: Exception) -> None:
            self._opening[conversation] -= 1
            failed(error)

        self._opening[conversation] += 1
        self._chats.of(conversation).tasks.run(job, done, not_loaded)

    def once_open(self, done: Callable[[], object]) -> None:
        """Call `done` once every tab that was requested before is open, or cannot be opened. A new chat takes two jobs:
        one makes it, and the next one loads it.
        """
        for ports in self._chats.in_use() * 2:  # each library has a thread of its own
            done = partial(ports.tasks.run, lambda _: None, partial(_call, done), partial(_call, done))
        done()

    def focus(self, conversation: str) -> None:
        """The tab of this conversation is in front now ("" for none): the engine serves it first."""
        self._front = conversation
        self._chats.kept.engine.send(Focus(conversation))

    def forget(self, conversation: str) -> None:
        """The conversation has no tab any more."""
        self._open.pop(conversation, None)

    def drop(self, conversation: str) -> None:
        """The conversation is being deleted: it has no tab, and one that was asked for before does not open."""
        self.forget(conversation)
        self._deletions[conversation] += 1

    def close_all(self) -> None:
        """Close every tab, except for private chats: those do not live in the library."""
        for conversation in self.opened:
            self.forget(conversation)
            self._chats.window.chats.remove(conversation)

    def tick(self) -> None:
        """About every second: restore the caches of what was opened. To read a long branch takes Python's lock from the
        window, which paints the chat first.
        """
        cold, self._cold = self._cold, []
        self._warm(conversation for conversation in cold if conversation in self._open)

    def warm_all(self) -> None:
        """Restore the cache of every open conversation: a model was loaded."""
        self._warm(self._open)

    def _warm(self, conversations: Iterable[str]) -> None:
        """Restore caches, that of the tab in front first."""
        for conversation in sorted(conversations, key=lambda one: one != self._front):
            self._chats.sessions.warm(conversation)

    def _opened(self, found: Opening) -> None:
        conversation = found.conversation.id
        fresh = conversation not in self._open
        self._open[conversation] = None
        session = self._chats.sessions.of(conversation)
        self._chats.window.chats.open(session.view(found))
        session.outbox.aside.retry()  # the tab may close again within the second
        self._show_settings(found.conversation)
        if fresh:
            self._cold.append(conversation)

    def _opened_at(self, terms: tuple[str, ...], found: FoundPlace) -> None:
        opened, message, back_to = found
        conversation = opened.conversation.id
        self._opened(opened)
        if conversation not in self._open:
            return
        if back_to:
            self._chats.sessions.of(conversation).branch_return.turned(back_to)
        if (tab := self._chats.window.chats.tab(conversation)) is not None:
            tab.find_at(message, terms)

    def _not_opened(self, conversation: str, error: Exception) -> None:
        if isinstance(error, NoSuchConversation):
            self._chats.window.chats.remove(conversation)
        self._chats.window.show_notice(refusal(error))
        self._chats.list.refresh()


def _call(done: Callable[[], object], _: object) -> None:
    done()


_PAUSE_TICKS = 30
_TAIL = 4
"""So many messages at a chat's end show whether it has changed."""

Tail = tuple[Message, ...]


class OtherWriters:
    """Shows what another process writes to the library, such as `hearth ask` beside the window. `changed` is called
    when one has written something.

    - It looks every second, with one job that reads a number and no table. Only if that number has changed, the list
      and the ends of the open chats are read again.
    - A chat that is being answered here is read again after its turn, because until then the session's own words are
      newer.
    - After an error it waits, and shows nothing: the jobs that need the library report the error.
    """

    def __init__(self, chats: Chats, tabs: Tabs, changed: Callable[[], object]) -> None:
        self._chats = chats
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
            self._chats.kept.tasks.run(lambda library: library.was_changed_elsewhere(), self._looked, self._failed)
        self._read_stale()

    def _read_stale(self) -> None:
        for conversation in [one for one in self._stale if not self._chats.sessions.of(one).busy]:
            self._stale.discard(conversation)
            job = partial(_read_if_changed, conversation=conversation, known=self._tails.get(conversation, ()))
            self._chats.kept.tasks.run(job, self._show, lambda _: None)

    def _looked(self, is_changed: bool) -> None:  # noqa: FBT001 - what the job found
        self._is_looking = False
        if is_changed:
            self._changed()
            self._stale.update(self._tabs.opened)
            self._read_stale()

    def _failed(self, _error: Exception) -> None:
        self._is_looking = False
        self._pause = _PAUSE_TICKS

    def _show(self, found: Branch | None) -> None:
        if found is None:
            return
        session = self._chats.sessions.of(found.conversation.id)
        self._tails[session.id] = found.messages[-_TAIL:]
        if session.busy:
            self._stale.add(session.id)
        else:
            session.presenter.branch(found, ())


def _read_if_changed(library: Library, conversation: str, known: Tail) -> Branch | None:
    """The branch of a conversation, None if its end is as known. Contents of files are not read."""
    if known and library.messages.page(conversation, None, _TAIL).messages == known:
        return None
    return Branch(library.conversations.get(conversation), library.messages.branch(conversation))
