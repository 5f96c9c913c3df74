"""Tabs: loads conversations into tabs, remembers which are open, and warms the cache of what it opens. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from app.base.errors import refusal
from app.base.ports import ChatsSink, Ports
from app.chat import opening, visible_range
from app.chat.opening import Opening
from app.chat.sessions import Sessions
from app.chat.visible_range import FoundPlace
from app.conversations.list import ChatList
from app.conversations.stores import Stores
from engine.protocol.messages import Focus
from storage.errors import NoSuchConversation
from storage.library.library import Library
from storage.library.rows import Conversation

T = TypeVar("T")


class Tabs:
    """The open conversations, in the order in which they were opened. `opened` is called with each one that a tab
    shows.
    """

    def __init__(
        self,
        stores: Stores,
        sessions: Sessions,
        window: ChatsSink,
        chats: ChatList,
        opened: Callable[[Conversation], object],
    ) -> None:
        self._stores = stores
        self._sessions = sessions
        self._window = window
        self._list = chats
        self._show_settings = opened
        self._open: dict[str, None] = {}
        self._opening: Counter[str] = Counter()
        self._deletions: Counter[str] = Counter()
        self._cold: list[str] = []

    @property
    def opened(self) -> tuple[str, ...]:
        """The conversations that have a tab, without the private ones."""
        return tuple(conversation for conversation in self.all_opened if not self._stores.is_private(conversation))

    @property
    def all_opened(self) -> tuple[str, ...]:
        """The conversations that have a tab."""
        return tuple(self._open)

    def is_opening(self, conversation: str) -> bool:
        """Whether a tab was asked for and does not show the conversation yet."""
        return self._opening[conversation] > 0

    def show(self, conversation: str) -> None:
        """Show the tab of a conversation as it is, where the user reads. If there is none, open it."""
        if conversation in self._open and self._window.chats.tab(conversation) is not None:
            self._window.chats.bring_to_front(conversation)
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
        job = partial(visible_range.open_at, conversation=conversation, message=message, terms=terms)
        self._load(conversation, job, partial(self._opened_at, terms), partial(self._not_opened, conversation))

    def reopen(self, conversation: str) -> None:
        """Open a tab that was open before. If its conversation no longer exists, nothing happens."""
        job = partial(opening.load_if_there, conversation=conversation)
        self._load(conversation, job, self._reopened, lambda _: None)

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
        self._stores.of(conversation).tasks.run(job, done, not_loaded)

    def once_open(self, done: Callable[[], object]) -> None:
        """Call `done` once every tab that was requested before is open, or cannot be opened. A new chat takes two jobs:
        one makes it, and the next one loads it.
        """
        self._after_jobs(partial(self._after_jobs, done))

    def _after_jobs(self, done: Callable[[], object]) -> None:
        """Call `done` after the jobs of both libraries: each has a thread of its own."""
        for ports in self._stores.in_use():
            done = partial(_after_jobs_of, ports, done)
        done()

    def focus(self, conversation: str) -> None:
        """The tab of this conversation is in front now ("" for none): the engine serves it first."""
        self._stores.kept.engine.send(Focus(conversation))

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
            self._window.chats.remove(conversation)

    def tick(self) -> None:
        """About every second: restore the caches of what was opened. To read a long branch takes Python's lock from the
        window, which paints the chat first.
        """
        cold, self._cold = self._cold, []
        for conversation in cold:
            if conversation in self._open:
                self._sessions.warm(conversation)

    def warm_all(self) -> None:
        """Restore the cache of every open conversation: a model was loaded."""
        for conversation in self.all_opened:
            self._sessions.warm(conversation)

    def _reopened(self, found: Opening | None) -> None:
        if found is not None:
            self._opened(found)

    def _opened(self, found: Opening) -> None:
        conversation = found.conversation.id
        fresh = conversation not in self._open
        self._open[conversation] = None
        session = self._sessions.of(conversation)
        self._window.chats.open(session.view(found))
        session.outbox.aside.retry()  # the tab may close again within the second
        self._show_settings(found.conversation)
        if fresh:
            self._cold.append(conversation)

    def _opened_at(self, terms: tuple[str, ...], found: FoundPlace) -> None:
        conversation = found.opening.conversation.id
        self._opened(found.opening)
        if conversation not in self._open:
            return
        if found.back_to:
            self._sessions.of(conversation).branch_return.turned(found.back_to)
        if (tab := self._window.chats.tab(conversation)) is not None:
            tab.find_at(found.message, terms)

    def _not_opened(self, conversation: str, error: Exception) -> None:
        if isinstance(error, NoSuchConversation):
            self._window.chats.remove(conversation)
        self._window.show_notice(refusal(error))
        self._list.refresh()


def _after_jobs_of(ports: Ports, done: Callable[[], object]) -> None:
    ports.tasks.run(lambda _: None, lambda _: done(), lambda _: done())
