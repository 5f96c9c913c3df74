"""ChatSession: one conversation, with at most one turn at a time.

- Everything runs on the GUI thread. Library, engine and window are behind ports, and nothing here waits.
- A turn is saved to the library before the engine is asked. `app.chat.turn` handles it from then on.
- No Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from app.base.errors import StillAnswering, words
from app.base.ports import Ports, TurnEnd
from app.chat import overflow, turn_jobs
from app.chat import status as figures
from app.chat.draft_cost import DraftCost
from app.chat.opening import Opening
from app.chat.outbox import Outbox
from app.chat.presenter import ChatPresenter, EarlierMessages
from app.chat.saves import save
from app.chat.turn import Beginning, Turn
from app.chat.turn_jobs import Branch, ChatPrompt, TurnStart
from app.chat.turn_removal import BranchReturn, TurnRemoval
from engine.protocol.cache_messages import Forget, Forgotten, ListWarmModels, WarmModels
from engine.protocol.messages import (
    MOST_ALTERNATIVES,
    Progress,
    PromptFitted,
    TokensCounted,
    TurnFinished,
    Usage,
    Warm,
    Warmed,
)
from resources.language.text import tr
from storage.errors import StorageFault
from storage.library.library import Library
from storage.library.rows import Message
from ui.intents.notice import Notice
from ui.state.chat import LONGEST_QUESTION, ChatStatus, ChatView

SessionEvent = Progress | TurnFinished | PromptFitted | TokensCounted | Warmed | Forgotten | WarmModels

T = TypeVar("T")


class ChatSession:
    """Handles what the user asks, and what the engine reports, about one conversation. `turn` is the turn in progress
    once it is on disk.
    """

    def __init__(self, conversation: str, ports: Ports) -> None:
        self.id = conversation
        self.turn: Turn | None = None
        self._ports = ports
        self.presenter = ChatPresenter(conversation, ports.sink, ChatStatus(context_limit=ports.engine.context_limit))
        self.earlier = EarlierMessages(ports, self.presenter)
        self._beginning: Beginning | None = None
        self._is_to_forget = False
        self._is_forgetting = False
        self._was_read = False
        self.cost = DraftCost(ports, self.presenter)
        self.outbox = Outbox(ports, self.presenter, self.cost, self._send, lambda: not self.busy)
        self.removal = TurnRemoval(ports, self.presenter, lambda: self.busy, self._stepped)
        self.branch_return = BranchReturn(ports, self.presenter, self.stop, self._stepped)

    @property
    def is_refused(self) -> bool:
        """Whether the library refuses words of this chat."""
        return self.outbox.is_refused or (self.turn is not None and self.turn.is_refused)

    @property
    def busy(self) -> bool:
        """Whether a turn has begun and not ended."""
        return self._beginning is not None or self.turn is not None

    @property
    def is_answering(self) -> bool:
        """Whether the engine was asked for answers that have not ended. A turn that waits for a model was not sent."""
        return self.turn is not None and self.turn.asked

    @property
    def status(self) -> ChatStatus:
        """The status that the window shows."""
        return self.presenter.status

    # Intents

    def submit(self, text: str) -> None:
        """Save the message, then ask for the answer. It waits for a turn in progress, and behind messages that wait."""
        queue = self.outbox.queue
        if self.busy or (len(queue) and not queue.paused):
            self.outbox.add(text)
            return
        question = turn_jobs.Question(text, self.outbox.draft_with(""), self.outbox.held())
        self._send(question, partial(self.outbox.aside.give_back, text))

    def ask(self, text: str) -> None:
        """Send a message that does not come from the composer. The draft and its files stay."""
        self._send(turn_jobs.Question(text, None), partial(self.outbox.aside.give_back, text))

    def _send(self, question: turn_jobs.Question, put_back: Callable[[], object]) -> None:
        model = self._ports.model()
        self._begin(lambda library: turn_jobs.submit(library, self.id, question, model), put_back)

    def send_now(self, message: str) -> None:
        """End the answer, then send this message of those that wait."""
        if self.outbox.send_now(message):
            self._end_turn()

    def edit(self, message: str, text: str, without: tuple[str, ...] = ()) -> None:
        """Replace a message on a new branch. Its files go along but for those in `without`. If a turn is in progress,
        return the text to the composer.
        """
        put_back = partial(self.outbox.aside.give_back, text)
        if self.busy:
            self.presenter.show_error(StillAnswering(tr("Stop the answer first; the new words are in the composer.")))
            put_back()
            return
        model, question = self._ports.model(), turn_jobs.Question(text, keep=self.outbox.queue.held().union(without))
        self._begin(lambda library: turn_jobs.edit(library, self.id, message, question, model), put_back)

    def regenerate(self, reply: str, count: int = 1) -> None:
        """Generate `count` more alternatives of a reply."""
        model, most = self._ports.model(), min(max(count, 1), MOST_ALTERNATIVES)
        self._begin(lambda library: turn_jobs.regenerate(library, self.id, reply, most, model))

    def extend(self, reply: str) -> None:
        """Continue a reply that was cut short."""
        self._begin(lambda library: turn_jobs.extend(library, self.id, reply))

    def leave_out(self) -> None:
        """Leave the oldest turns out of the context, as many as need be, and generate the last reply again."""

        def left_out(start: TurnStart) -> None:
            self._begun(start)
            self._ports.sink.show_notice(overflow.left_out(start))

        if not self.busy:
            self._fit(overflow.CUT, left_out, overflow.ALONE)

    def read_all(self) -> None:
        """Let the model read the turns again that were left out, if all of the chat fits."""

        def reads_all(branch: Branch) -> None:
            self._rest()
            self._stepped(branch)
            self._ports.sink.show_notice(overflow.told(self.id, tr(overflow.READS_ALL), passing=True))
            self.outbox.send_next()

        if self.busy:
            self.presenter.show_error(StillAnswering(tr("Stop the answer first, or wait for its end.")))
        else:
            self._fit(overflow.RETURN, reads_all, overflow.STILL_LONG)

    def step(self, message: str, by: int) -> None:
        """Show another alternative of a message. Answers in progress continue."""
        self.branch_return.settle()
        job = partial(turn_jobs.step, conversation=self.id, message=message, by=by)
        self._ports.tasks.run(job, self._stepped, self.presenter.show_error)

    def stop(self) -> None:
        """End the answers. An answer without a word is withdrawn."""
        self.outbox.pause()
        self._end_turn()

    def _end_turn(self) -> None:
        if self.turn is not None:
            self.turn.stop()
            return
        if self._beginning is not None and self._beginning.stop():
            self._rest()
        self.outbox.send_next()

    def give_up(self) -> None:
        """End the answers without waiting for the engine: the app is about to close."""
        self.outbox.pause()
        self.outbox.retry()
        if self.turn is not None:
            self.turn.give_up()

    def warm(self, branch: Branch | None) -> None:
        """Restore the conversation's cache before the next message, unless it is long (None) or another model's."""
        if self.busy or (branch and any(message.state == "open" for message in branch.messages)):
            return  # an answer that has just ended may not be saved yet, and its chat is warm
        if branch is None or not self._ports.serves(self.id):
            self.presenter.show(figures.away(self.status))
        elif self._ports.engine.ready and self._ports.cached and branch.next_prefix:
            prompt = ChatPrompt.of(branch.conversation, branch.next_prefix, self._ports)
            self._was_read |= any(message.usage for message in branch.messages)
            self._ports.engine.send(Warm(self.id, prompt.messages, prompt.thinking, on_disk=prompt.on_disk))

    def find_warm_models(self) -> None:
        """Ask which models could continue from cached state. Only the loaded one has any of a private chat."""
        if not self._ports.private:
            self._ports.engine.send(ListWarmModels(self.id))

    def view(self, found: Opening) -> ChatView:
        """Everything that a tab shows when it opens, with the text of answers in progress."""
        queue, unsaved = self.outbox.queue, self.outbox.unsaved_draft()
        typed = queue.take_draft(found.draft if unsaved is None else unsaved, found.messages, found.files)
        self.outbox.aside.shown(typed)
        self.outbox.show_files(found.files)
        if len(typed) > LONGEST_QUESTION:  # the message box lays out all of its text, which would stop the window
            self.outbox.add(typed)
            self.outbox.pause()
            self.outbox.show_files(found.files)
            typed = ""
        self.cost.count(typed)
        view = self.presenter.view(found, self._live(), private=self._ports.private)
        return replace(view, draft=typed, attachments=self.cost.file_views(), edits=queue.edits, queue=queue.view())

    def forget(self) -> None:
        """Drop the engine's cache of this chat, now and again after a turn in progress."""
        self._is_to_forget = self.busy
        self._is_forgetting = True
        self._ports.engine.send(Forget(self.id, on_disk=not self._ports.private))
        self.presenter.warm_models(frozenset())
        if not self.busy:
            self.presenter.show(figures.forgotten(self.status, self._ports.reading_rate()))

    def tick(self) -> None:
        """About every second: save new text, and what could not be saved before."""
        self.outbox.retry()
        if self.turn is not None:
            self.turn.tick()

    # Engine events

    def engine_ready(self) -> None:
        """A model is loaded: ask for the turn that waited for it."""
        self.presenter.show(replace(self.status, context_limit=self._ports.engine.context_limit))
        self.cost.recount()
        for waiting in (self._beginning, self.turn):
            if waiting is not None:
                waiting.ask()

    def engine_lost(self) -> None:
        """The engine ended, and its answers with it."""
        if self.turn is not None:
            self.turn.lost()
        self.presenter.show(figures.away(self.status) if not self.busy else self.status)

    def engine_refused(self, reason: str) -> None:
        """No engine will answer."""
        for waiting in (self._beginning, self.turn):
            if waiting is not None:
                waiting.refused(reason)

    def engine_event(self, event: SessionEvent) -> None:
        """The engine sent an event about this conversation."""
        match event:
            case Progress() | TurnFinished():
                self._was_read |= isinstance(event, TurnFinished) and event.usage.completion_tokens > 0
                if self.turn is not None:
                    self.turn.engine_event(event)
            case PromptFitted():
                if self._beginning is not None and self._beginning.fit is not None:
                    self._beginning.fit.fitted(event)
            case TokensCounted():
                self.cost.counted(event)
            case Warmed():
                self._warmed(event)
            case Forgotten():
                self._is_forgetting = False  # what the engine tells from now on holds
            case WarmModels():
                if not self._is_forgetting:  # it may have listed them before it forgot this chat
                    self.presenter.warm_models(frozenset(event.identities))

    def _warmed(self, event: Warmed) -> None:
        """The cache was restored. A turn that has begun since has its own status, and so has a chat to be forgotten."""
        is_going = self._is_forgetting or self._ports.sink.store.is_clearing(self.id)
        if not self.busy and not is_going:
            rate = self._ports.reading_rate()
            self.presenter.show(figures.warmed(self.status, event, rate, never_read=not self._was_read))
        self.find_warm_models()

    # Turns

    def _begin(self, job: Callable[[Library], TurnStart], put_back: Callable[[], object] = lambda: None) -> None:
        """Begin a turn that the job saves. `put_back` is called first if it cannot.

        Replies that are not on disk are saved first. If the library refuses one of them, no turn begins: it would
        continue a reply, or ask about it, without its last words.
        """
        unsaved = self.presenter.unsaved()

        def behind(library: Library) -> TurnStart:
            for reply in unsaved:
                with suppress(StorageFault):
                    save(library, reply)
            return job(library)

        def begun(start: TurnStart) -> None:
            for reply in unsaved:
                self.outbox.replies.drop(reply.id)
                self.presenter.saved(reply)
            self._begun(start)

        def failed(error: Exception) -> None:
            put_back()
            self._end(error)
            self._ports.ended(TurnEnd(self.id, "", "failed", Usage(), words(error)))

        if not self.busy:
            self._wait()
            self._ports.tasks.run(behind, begun, failed)

    def _wait(self, fit: overflow.ContextFit[T] | None = None) -> None:
        self._ports.begun(self.id)
        self.outbox.begun()
        self._beginning = Beginning(fit)
        self.presenter.clear_error()
        self.presenter.wait()

    def _fit(self, change: overflow.ContextChange[T], done: Callable[[T], object], too_long: str) -> None:
        self.presenter.clear_overflow()
        alone = partial(self._end, overflow.told(self.id, tr(too_long)))
        self._wait(fit := overflow.ContextFit(self.id, self._ports, change, done, alone, self._end))
        fit.begin()

    def _end(self, why: Notice | Exception) -> None:
        """No turn begins."""
        self._rest()
        self.outbox.pause()
        if isinstance(why, Notice):
            self._ports.sink.show_notice(why)
        else:
            self.presenter.show_error(why)

    def _begun(self, start: TurnStart) -> None:
        beginning, self._beginning = self._beginning, None
        assert beginning is not None, "a turn begins once"
        self.turn = turn = Turn(start, self._ports, self.presenter, self.outbox, self._rest)
        self.removal.settle()
        self.branch_return.begin(start)
        self.presenter.begin(start)
        self._ports.changed()
        if start.files is not None:
            self.outbox.show_files(start.files)
        beginning.hand_over(turn)

    def _rest(self) -> None:
        self._beginning = self.turn = None
        self.presenter.clear_error()
        self.presenter.rest()
        if self._is_to_forget:
            self.forget()

    def _live(self) -> list[Message]:
        """The replies in progress, as they are now."""
        return self.turn.live() if self.turn is not None else []

    def _stepped(self, branch: Branch) -> None:
        self.presenter.branch(branch, self._live())
        self._ports.changed()
        self.warm(branch)
