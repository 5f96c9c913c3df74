"""All conversations: their list, the open tabs and their sessions by id. Owns what the user does to a conversation as a
whole; its turns are left to the session. No Qt.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from app import context, turns, views
from app.chat_list import ChatList
from app.errors import notice
from app.sessions import Sessions
from engine.protocol import Focus
from storage.errors import NoSuchConversation
from ui.state import Notice

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.ports import ChatsSink, Ports, TurnEnd
    from app.turns import Branch
    from engine.protocol import Event
    from storage.library.store import Library
    from ui.state import ChatStatus

T = TypeVar("T")

_log = logging.getLogger(__name__)

KEEP_DELETED_MS = 30 * 24 * 3600 * 1000
_CACHE_KEY = "cache"


class Conversations:
    """`ports.sink` is the window; its calls name conversations by id. Fulfils `app.ports.Chats`."""

    def __init__(self, ports: Ports, window: ChatsSink) -> None:
        self._tell = ports.ended
        self._ports = ports
        self._sessions = Sessions(replace(ports, ended=self._ended, stored=self._stored))
        self._window = window
        self._open: dict[str, None] = {}
        self._trouble = ""
        self.list = ChatList(ports, window)

    # All of them

    def start(self, backups: Path, *, alone: bool) -> None:
        """Show the list. `alone`: no other process is writing an answer, so the open ones are broken. `backups` is
        where copies of the library are.
        """
        if alone:
            self._change(lambda library: library.interrupt_open())
        self.list.start(backups)

    def tidy(self, backups: Path) -> None:
        """What a start owes the library, but nobody should have to wait for: old deletions and the daily copy."""
        self._change(lambda library: library.purge_deleted(KEEP_DELETED_MS))
        self._change(lambda library: library.backup(backups))

    # One conversation

    def new(self) -> None:
        """Start a conversation and open its tab."""
        model = self._ports.model()
        self._read(lambda library: library.create(model=model), lambda made: self.open(made.id))
        self.list.refresh()

    def open(self, conversation: str) -> None:
        """Show a conversation in a tab, and have its cache brought into memory."""
        self._ports.tasks.run(
            partial(_load, conversation=conversation), self._opened, partial(self._not_opened, conversation)
        )

    def reopen(self, conversation: str) -> None:
        """Open a tab that was open when the app was closed; silent where that conversation is gone."""
        self._ports.tasks.run(partial(_load, conversation=conversation), self._opened, lambda _: None)

    def closed(self, conversation: str) -> None:
        """Its tab was closed. An answer goes on; an untouched new chat leaves no trace."""
        self._open.pop(conversation, None)
        if self.list.is_going(conversation):
            return
        self._change(partial(_drop_untouched, conversation=conversation))
        self.list.refresh()

    def shown(self, conversation: str) -> None:
        """Its tab is in front now (empty: none); the engine serves it first."""
        self._ports.engine.send(Focus(conversation))

    def rename(self, conversation: str, title: str) -> None:
        """Give it the user's own title."""
        self._change(lambda library: library.rename(conversation, title))
        self._window.set_title(conversation, title or views.UNTITLED)
        self.list.refresh()

    def delete(self, conversation: str) -> None:
        """Take it off the screen, and delete it unless that is undone in time."""
        self._sessions.of(conversation).stop()
        self._open.pop(conversation, None)
        self._window.close_chat(conversation)
        self.list.delete(conversation)

    def save_draft(self, conversation: str, text: str) -> None:
        """Keep what was typed and not sent."""
        if not self.list.is_going(conversation):
            self._change(lambda library: library.save_draft(conversation, text))

    def set_preset(self, conversation: str, preset: str) -> None:
        """How its answers are drawn from now on."""
        self._change(lambda library: library.set_preset(conversation, preset))

    def set_thinking(self, conversation: str, thinking: bool) -> None:  # noqa: FBT001 - a signal's value
        """Whether its model may reason first, from now on."""
        self._change(lambda library: library.set_thinking(conversation, thinking=thinking))

    def fork(self, conversation: str, message: str) -> None:
        """Open a copy of it that ends with this message."""
        self._sessions.of(conversation).tick()
        self._read(lambda library: library.fork(conversation, message), lambda made: self.open(made.id))
        self.list.refresh()

    def carry_on(self, conversation: str) -> None:
        """Open a new chat with no more than its last turn."""
        self._window.clear_notice(context.FULL + conversation)
        self._read(lambda library: context.carry_on(library, conversation), lambda made: self.open(made.id))
        self.list.refresh()

    # Its turns

    def submit(self, conversation: str, text: str) -> None:
        """Send the user's message."""
        self._sessions.of(conversation).submit(text)
        self.list.refresh()

    def stop(self, conversation: str) -> None:
        """End its answer."""
        self._sessions.of(conversation).stop()

    def retry(self, conversation: str, message: str) -> None:
        """Have a message answered again."""
        self._sessions.of(conversation).retry(message)

    def alternatives(self, conversation: str, message: str, count: int) -> None:
        """Have a message answered again, `count` times at once."""
        self._sessions.of(conversation).retry(message, count)

    def extend(self, conversation: str, message: str) -> None:
        """Have a reply continued."""
        self._sessions.of(conversation).extend(message)

    def edit(self, conversation: str, message: str, text: str) -> None:
        """Say something else in the place of a message."""
        self._sessions.of(conversation).edit(message, text)
        self.list.refresh()

    def step(self, conversation: str, message: str, by: int) -> None:
        """Show another alternative of a message."""
        self._sessions.of(conversation).step(message, by)
        self.list.refresh()

    def pause(self, conversation: str) -> None:
        """Let its answer wait."""
        self._sessions.of(conversation).pause()

    def resume(self, conversation: str) -> None:
        """Go on with an answer that waits."""
        self._sessions.of(conversation).resume()

    def leave_out(self, conversation: str) -> None:
        """Let the model read the newer half of it only, and ask again."""
        self._window.clear_notice(context.FULL + conversation)
        self._sessions.of(conversation).leave_out()

    # Time

    def tick(self) -> None:
        """Every second: save what streams, let deletions happen that were not undone."""
        self._sessions.tick()
        self.list.tick()

    def status(self, conversation: str) -> ChatStatus:
        """What the window was last told of it."""
        return self._sessions.of(conversation).status

    @property
    def busy(self) -> bool:
        """Whether any answer has not ended."""
        return self._sessions.busy

    @property
    def opened(self) -> tuple[str, ...]:
        """The conversations that have a tab, in the order in which they were opened."""
        return tuple(self._open)

    def stop_all(self) -> None:
        """The app is about to close: end every answer, let every deletion happen."""
        self._sessions.stop_all()
        self.list.settle()

    def give_up(self) -> None:
        """End at once what has not ended."""
        self._sessions.give_up()

    # What the engine says

    def engine_event(self, event: Event) -> None:
        """An event about a conversation."""
        self._sessions.engine_event(event)

    def _stored(self, trouble: str) -> None:
        """Say once why chats are not kept on disk, and no longer when they are again."""
        if trouble and trouble != self._trouble:
            _log.warning("a turn was not cached: %s", trouble)
            self._window.show_notice(Notice(_CACHE_KEY, f"This chat is not kept warm on disk: {trouble}"))
        elif self._trouble and not trouble:
            self._window.clear_notice(_CACHE_KEY)
        self._trouble = trouble

    def engine_ready(self) -> None:
        """A model is loaded: what waits is asked, what is open is warmed."""
        self._sessions.engine_ready()
        for conversation in self._open:
            self._read(partial(_load, conversation=conversation), self._warm)

    def engine_lost(self) -> None:
        """Every request that was asked is lost."""
        self._sessions.engine_lost()

    def engine_refused(self, reason: str) -> None:
        """No model will be there to answer."""
        self._sessions.engine_refused(reason)

    # Inside

    def _opened(self, loaded: Loaded) -> None:
        branch, draft = loaded
        conversation = branch.conversation.id
        session = self._sessions.of(conversation)
        fresh = conversation not in self._open
        self._open[conversation] = None
        self._window.open_chat(session.view(branch, draft))
        if fresh:
            session.warm(branch)

    def _not_opened(self, conversation: str, error: Exception) -> None:
        if isinstance(error, NoSuchConversation):
            self._window.close_chat(conversation)
        self._failed(error)
        self.list.refresh()

    def _warm(self, loaded: Loaded) -> None:
        branch, _ = loaded
        self._sessions.of(branch.conversation.id).warm(branch)

    def _ended(self, end: TurnEnd) -> None:
        _log.info("an answer ended: %s", end.reason or "interrupted")
        self.list.refresh()
        self._tell(end)

    def _change(self, job: Callable[[Library], object]) -> None:
        self._ports.tasks.run(job, lambda _: None, self._failed)

    def _read(self, job: Callable[[Library], T], done: Callable[[T], object]) -> None:
        self._ports.tasks.run(job, done, self._failed)

    def _failed(self, error: Exception) -> None:
        self._window.show_notice(notice(error))


Loaded = tuple["Branch", str]


def _load(library: Library, conversation: str) -> Loaded:
    return turns.read(library, conversation), library.draft(conversation)


def _drop_untouched(library: Library, conversation: str) -> None:
    with suppress(NoSuchConversation):
        row = library.conversation(conversation)
        if row.leaf is None and not row.titled and not library.draft(conversation):
            library.delete(conversation)
