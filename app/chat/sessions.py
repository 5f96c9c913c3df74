"""Sessions: all chat sessions by conversation. It hands each engine event to its session. No Qt."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from app.base.ports import Ports
from app.chat import turn_jobs
from app.chat.session import ChatSession, SessionEvent
from engine.protocol.cache_messages import Forgotten, TurnStored, WarmModels
from engine.protocol.messages import Deltas, Event, Progress, PromptFitted, TokensCounted, TurnFinished, Warmed

JOT_MS: Final = 270
"""Milliseconds between two calls of `Sessions.jot`. A crash of the app loses the words of that time."""

_log = logging.getLogger(__name__)


class SideJob(Protocol):
    """Requests that belong to no session. Requests of sessions never wait for them."""

    def engine_event(self, event: Event) -> None:
        """The engine sent an event, of whatever request."""

    def engine_lost(self) -> None:
        """The engine ended."""


class Sessions:
    """`ports_of` returns the ports for a conversation. `loaded` is called when a model was loaded and the waiting turns
    were asked. `asides` hear of all events too.
    """

    def __init__(
        self,
        ports_of: Callable[[str], Ports],
        loaded: Callable[[], object] = lambda: None,
    ) -> None:
        self._ports_of = ports_of
        self._loaded = loaded
        self._by_id: dict[str, ChatSession] = {}
        self.asides: tuple[SideJob, ...] = ()

    def of(self, conversation: str) -> ChatSession:
        """The session of a conversation. It is created by the first call."""
        if conversation not in self._by_id:
            self._by_id[conversation] = ChatSession(conversation, self._ports_of(conversation))
        return self._by_id[conversation]

    def warm(self, conversation: str) -> None:
        """Restore as much of a conversation's cache as the next message can use. This loads its whole branch. One that
        is long, or was erased meanwhile, is skipped.
        """
        ports = self._ports_of(conversation)
        if ports.cached:
            job = partial(turn_jobs.read_short, conversation=conversation)
            ports.tasks.run(job, self.of(conversation).warm, lambda _: None)

    def drop(self, conversation: str) -> None:
        """Remove the session of an erased conversation."""
        self._by_id.pop(conversation, None)

    def leave_library(self) -> None:
        """Another library has taken the place of the one on disk: forget what was known of its chats. Only replies and
        messages that the old library could not save stay, because this one may take them.
        """
        for conversation, session in tuple(self._by_id.items()):
            if session.outbox.is_saved and not self._ports_of(conversation).private:
                session.removal.settle()
                session.branch_return.settle()
                self.drop(conversation)

    @property
    def busy(self) -> bool:
        """Whether any session has a turn in progress."""
        return any(session.busy for session in self._all())

    @property
    def are_refused(self) -> bool:
        """Whether the library refuses words of any chat."""
        return any(session.is_refused for session in self._all())

    def answering(self) -> tuple[str, ...]:
        """The titles of the conversations that are being answered."""
        return tuple(session.presenter.shown_title for session in self._all() if session.is_answering)

    def pending(self) -> tuple[str, ...]:
        """The titles of the conversations with a turn in progress, also if it waits for a model."""
        return tuple(session.presenter.shown_title for session in self._all() if session.busy)

    def waiting(self) -> tuple[str, ...]:
        """The conversations with a turn that waits for a model."""
        return tuple(chat for chat, session in self._by_id.items() if session.busy and not session.is_answering)

    def stop_answering(self) -> None:
        """End these answers as the user would. Turns that wait for a model keep waiting."""
        for session in self._all():
            if session.is_answering:
                session.stop()

    def tick(self) -> None:
        """Every second: save new text."""
        for session in self._all():
            session.tick()

    def jot(self) -> None:
        """Some times a second: save new text without waiting for the drive."""
        for session in self._all():
            if session.turn is not None:
                session.turn.jot()

    def stop_all(self) -> None:
        """End every answer as the user would, because the app or the library closes."""
        for session in self._all():
            session.outbox.close()
            session.stop()

    def of_all(self, conversation: str) -> tuple[ChatSession, ...]:
        """The session of a conversation. For "" those of all chats that were opened: the engine may hold any of them in
        memory.
        """
        return (self.of(conversation),) if conversation else self._all()

    def give_up(self) -> None:
        """End every answer without waiting for the engine."""
        for session in self._all():
            session.give_up()

    def engine_event(self, event: Event) -> None:
        """Hand an event to its session, then to the side jobs. Events for unknown conversations are ignored."""
        self._hand_on(event)
        for listener in self.asides:
            listener.engine_event(event)

    def _hand_on(self, event: Event) -> None:
        match event:
            case Deltas():
                for row in event.rows:
                    session = self._by_id.get(row.conversation)
                    if session is not None and session.turn is not None:
                        session.turn.delta(row)
            case TurnStored():
                if event.error:
                    _log.info("%s was not cached: %s", event.conversation, event.error)
                if event.on_disk:
                    self._ports_of(event.conversation).stored(event.error)
                if event.conversation in self._by_id:
                    self._by_id[event.conversation].find_warm_models()
            case TokensCounted(subject=subject):
                self._tell(subject.partition("/")[0], event)
            case Progress() | TurnFinished() | PromptFitted() | Warmed() | WarmModels() | Forgotten():
                self._tell(event.conversation, event)

    def _tell(self, conversation: str, event: SessionEvent) -> None:
        if conversation in self._by_id:
            self._by_id[conversation].engine_event(event)

    def engine_ready(self) -> None:
        """A model is loaded: ask for the waiting turns."""
        for session in self._all():
            session.engine_ready()
        self._loaded()

    def engine_lost(self) -> None:
        """The engine ended: all its requests are lost."""
        for listener in self.asides:
            listener.engine_lost()
        for session in self._all():
            session.engine_lost()

    def engine_refused(self, reason: str) -> None:
        """No model will answer the waiting turns."""
        for session in self._all():
            session.engine_refused(reason)

    def _all(self) -> tuple[ChatSession, ...]:
        return tuple(self._by_id.values())
