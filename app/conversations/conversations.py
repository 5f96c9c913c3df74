"""All conversations: their list, the open tabs and their sessions by id. Owns how one comes, is opened and goes.

Its turns are left to `app.conversations.talk`, its marks to `app.conversations.labels`, what was deleted to
`app.conversations.trash`. No Qt.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app.base.errors import refusal
from app.chat import opening, overflow, turn_jobs
from app.chat.sessions import Sessions
from app.conversations.attaching import Attaching
from app.conversations.drafts import Drafts
from app.conversations.labels import Labels
from app.conversations.list import ChatList
from app.conversations.stores import Shelves
from app.conversations.transfer import Transfer
from app.conversations.trash import Trash
from engine.protocol.messages import Focus, Forget
from storage.errors import NoSuchConversation

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import ChatsSink, Ports, TurnEnd
    from app.chat.opening import Opening
    from engine.protocol.messages import Event
    from storage.library.library import Library
    from storage.library.rows import Conversation
    from ui.state import ChatStatus

_log = logging.getLogger(__name__)


class Conversations:
    """The sinks of `kept` and `private` are the window; its calls name conversations by id. `pins_changed` is called
    when others are pinned than before. Fulfils `app.base.ports.Chats`.
    """

    def __init__(
        self, kept: Ports, private: Ports, window: ChatsSink, pins_changed: Callable[[], object] = lambda: None
    ) -> None:
        self._tell = kept.ended
        self._window = window
        self._open: dict[str, None] = {}
        self.list = ChatList(kept, window, pins_changed)
        self.shelves = Shelves(self._followed(kept), self._followed(private))
        self.sessions = Sessions(self.shelves.of, kept.stored)
        self.labels = Labels(self.shelves, self.sessions, window, self.list, pins_changed)
        self.trash = Trash(self.shelves, window, self.list, pins_changed)
        self._drafts = Drafts(self.shelves)
        self.files = Attaching(self.shelves, window)
        self.transfer = Transfer(self.shelves, window, self.list, self.open)

    # All of them

    def start(self, *, alone: bool, not_readable: Callable[[Exception], object]) -> None:
        """Show the list. `alone`: no other process is writing an answer, so the open ones are broken. `not_readable` is
        told why there is nothing to show.
        """
        if alone:
            self._change("", lambda library: library.messages.interrupt_open())
        self.list.start(not_readable)

    def tidy(self, noted: int) -> None:
        """What is due at a start, and daily in a window that stays open, but must not delay anything: old deletions.
        `noted` is what the clock said the last time (ms, UTC; 0: unknown).
        """
        self.trash.purge(noted)
        self._change("", lambda library: library.trash.sweep())

    # One conversation

    def new(self) -> None:
        """Start a conversation and open its tab."""
        self._make(self.shelves.kept, _create)

    def begin(self, draft: str) -> None:
        """The same with these words in its message box, for the user to send."""
        self._make(self.shelves.kept, lambda library, model: _drafted(library, model, draft))

    def new_private(self) -> None:
        """Start a conversation that is written nowhere, and open its tab."""
        self._make(self.shelves.private, _create)

    def fork(self, conversation: str, message: str) -> None:
        """Open a copy of it that ends with this message."""
        self.sessions.of(conversation).tick()
        self._make(self.shelves.of(conversation), lambda library, _: library.conversations.fork(conversation, message))

    def carry_on(self, conversation: str) -> None:
        """Open a new chat with no more than its last turn."""
        self._window.clear_notice(overflow.FULL + conversation)
        self._make(self.shelves.of(conversation), lambda library, _: overflow.carry_on(library, conversation))

    def open(self, conversation: str) -> None:
        """Show a conversation in a tab, and have its cache brought into memory."""
        self._load(conversation, partial(self._not_opened, conversation))

    def reopen(self, conversation: str) -> None:
        """Open a tab that was open when the app was closed; silent where that conversation is gone."""
        self._load(conversation, lambda _: None)

    def closed(self, conversation: str) -> None:
        """Its tab was closed. An answer goes on; an untouched new chat leaves no trace, a private one neither."""
        self._open.pop(conversation, None)
        if self.shelves.is_private(conversation):
            self._erase_private(conversation)
        elif not self.list.is_going(conversation):
            self._change(conversation, partial(_drop_untouched, conversation=conversation))
            self.list.refresh()

    def shown(self, conversation: str) -> None:
        """Its tab is in front now (empty: none); the engine serves it first."""
        self.shelves.kept.engine.send(Focus(conversation))

    def delete(self, conversation: str) -> None:
        """Take it off the screen, and delete it unless that is undone in time. A private one is gone at once."""
        self._open.pop(conversation, None)
        if self.shelves.is_private(conversation):
            self._erase_private(conversation)
            return
        self.sessions.of(conversation).stop()
        self._window.close_chat(conversation)
        self.list.delete(conversation)

    def save_draft(self, conversation: str, text: str) -> None:
        """Keep what was typed and not sent."""
        if not self.list.is_going(conversation):
            self._drafts.keep(conversation, text)

    # Time

    def tick(self) -> None:
        """Every second: save what streams and was refused, let deletions happen that were not undone."""
        self.sessions.tick()
        self._drafts.retry()
        self.list.tick()

    def status(self, conversation: str) -> ChatStatus:
        """What the window was last told of it."""
        return self.sessions.of(conversation).status

    @property
    def busy(self) -> bool:
        """Whether any answer has not ended."""
        return self.sessions.busy

    @property
    def opened(self) -> tuple[str, ...]:
        """The conversations that have a tab, in the order in which they were opened, but for private ones."""
        return tuple(conversation for conversation in self._open if not self.shelves.is_private(conversation))

    def stop_all(self) -> None:
        """The app is about to close: end every answer, let every deletion happen."""
        self.sessions.stop_all()
        self._drafts.retry()
        self.list.settle()

    def give_up(self) -> None:
        """End at once what has not ended."""
        self.sessions.give_up()

    def close_all(self) -> None:
        """Another library takes the place of this one: end every answer, close every tab."""
        self.sessions.stop_all()
        self.sessions.give_up()
        for conversation in self.opened:
            self._open.pop(conversation)
            self._window.close_chat(conversation)

    # What the engine says

    def engine_event(self, event: Event) -> None:
        """An event about a conversation."""
        self.sessions.engine_event(event)

    def engine_ready(self) -> None:
        """A model is loaded: what waits is asked, what is open is warmed."""
        self.sessions.engine_ready()
        for conversation in self.opened:
            self._warm(conversation)

    def engine_lost(self) -> None:
        """Every request that was asked is lost."""
        self.sessions.engine_lost()

    def engine_refused(self, reason: str) -> None:
        """No model will be there to answer."""
        self.sessions.engine_refused(reason)

    # Inside

    def _followed(self, ports: Ports) -> Ports:
        return replace(ports, changed=self.list.refresh, ended=self._ended)

    def _make(self, ports: Ports, job: Callable[[Library, str], Conversation]) -> None:
        model = ports.model()
        ports.tasks.run(lambda library: job(library, model), partial(self._made, ports), self._failed)
        self.list.refresh()

    def _made(self, ports: Ports, made: Conversation) -> None:
        self.shelves.put(made.id, ports)
        self.open(made.id)

    def _load(self, conversation: str, failed: Callable[[Exception], object]) -> None:
        job = partial(opening.load, conversation=conversation)
        self.shelves.of(conversation).tasks.run(job, self._opened, failed)

    def _opened(self, found: Opening) -> None:
        conversation = found.conversation.id
        fresh = conversation not in self._open
        self._open[conversation] = None
        self._window.open_chat(self.sessions.of(conversation).view(found))
        if fresh:
            self._warm(conversation)

    def _not_opened(self, conversation: str, error: Exception) -> None:
        if isinstance(error, NoSuchConversation):
            self._window.close_chat(conversation)
        self._failed(error)
        self.list.refresh()

    def _warm(self, conversation: str) -> None:
        """Reads all of it, so behind what is shown; one that is gone meanwhile needs no warmth."""
        ports, session = self.shelves.of(conversation), self.sessions.of(conversation)
        if ports.cached():
            ports.tasks.run(partial(turn_jobs.read, conversation=conversation), session.warm, lambda _: None)

    def _erase_private(self, conversation: str) -> None:
        """Behind all that its answers still have to write there, so that none of that fails."""
        session = self.sessions.of(conversation)
        session.stop()
        session.give_up()
        self._window.close_chat(conversation)
        self.shelves.read(conversation, lambda _: None, lambda _: self._erase(conversation))

    def _erase(self, conversation: str) -> None:
        self._change(conversation, lambda library: library.trash.erase(conversation))
        self.shelves.private.engine.send(Forget(conversation))
        self.sessions.drop(conversation)
        self.shelves.take(conversation)

    def _ended(self, end: TurnEnd) -> None:
        _log.info("an answer ended: %s", end.reason or "interrupted")
        self.list.refresh()
        self._tell(end)

    def _change(self, conversation: str, job: Callable[[Library], object]) -> None:
        self.shelves.change(conversation, job)

    def _failed(self, error: Exception) -> None:
        self._window.show_notice(refusal(error))


def _create(library: Library, model: str) -> Conversation:
    return library.conversations.create(model=model)


def _drafted(library: Library, model: str, draft: str) -> Conversation:
    made = _create(library, model)
    library.conversations.save_draft(made.id, draft)
    return made


def _drop_untouched(library: Library, conversation: str) -> None:
    with suppress(NoSuchConversation):
        row = library.conversations.get(conversation)
        if (
            row.leaf is None
            and not row.titled
            and not library.conversations.draft(conversation)
            and not _is_marked(row)
        ):
            library.trash.add(conversation)


def _is_marked(row: Conversation) -> bool:
    return row.pinned or bool(row.folder or row.tags)
