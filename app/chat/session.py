"""ChatSession: one conversation, with at most one turn at a time.

- Everything runs on the GUI thread. Library, engine and window are behind ports, and nothing here waits.
- A turn is saved to the library before the engine is asked. `app.chat.turn` handles it from then on.
- No Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from app.base.errors import StillAnswering, words
from app.base.ports import Ports, TurnEnd
from app.chat import opening, overflow, turn_jobs, visible_range
from app.chat import status as figures
from app.chat.beginning import Beginning
from app.chat.chat_prompt import ChatPrompt
from app.chat.draft_cost import DraftCost
from app.chat.opening import Earlier, Opening
from app.chat.outbox import Outbox, SaveRetryQueue
from app.chat.overflow import ContextChange, ContextFit
from app.chat.presenter import ChatPresenter
from app.chat.turn import Turn
from app.chat.turn_jobs import Branch, TurnStart
from app.chat.turn_removal import BranchReturn, TurnRemoval
from engine.protocol.cache_messages import Forget, Forgotten, ListWarmModels, WarmModels
from engine.protocol.messages import (
    MOST_ALTERNATIVES,
    Delta,
    Progress,
    PromptFitted,
    TokensCounted,
    TurnFinished,
    Usage,
    Warm,
    Warmed,
)
from resources.language.text import tr
from storage.library.library import Library
from storage.library.rows import Attachment, Message
from ui.intents.notice import Notice
from ui.state.chat import ChatStatus, ChatView

SessionEvent = Progress | TurnFinished | PromptFitted | TokensCounted | Warmed | Forgotten | WarmModels

T = TypeVar("T")


class ChatSession:
    """Handles what the user asks, and what the engine reports, about one conversation."""

    def __init__(self, conversation: str, ports: Ports) -> None:
        self.id = conversation
        self._ports = ports
        status = ChatStatus(context_limit=ports.engine.context_limit)
        self.presenter = ChatPresenter(conversation, ports.sink, status, self._put_aside, self.show_files)
        self.save_retry = SaveRetryQueue(ports.tasks, self.presenter.saved)
        self._beginning: Beginning | None = None
        self._turn: Turn | None = None
        self._is_to_forget = False
        self._is_forgetting = False
        self._is_imported = False
        self.outbox = Outbox(conversation, ports, self.presenter, self._send, lambda: not self.busy)
        self.removal = TurnRemoval(conversation, ports, lambda: self.busy, self._stepped, self.presenter.unsaved)
        self.branch_return = BranchReturn(conversation, ports, self.stop, self._stepped)
        self.cost = DraftCost(conversation, ports, self._show_cost)

    @property
    def busy(self) -> bool:
        """Whether a turn has begun and not ended."""
        return self._beginning is not None or self._turn is not None

    @property
    def is_answering(self) -> bool:
        """Whether the engine was asked for answers that have not ended. A turn that waits for a model was not sent."""
        return self._turn is not None and self._turn.asked

    @property
    def status(self) -> ChatStatus:
        """The status that the window shows."""
        return self.presenter.status

    # Intents

    def submit(self, text: str) -> None:
        """Save the message, then ask for the answer. It waits for a turn in progress, and behind messages that wait."""
        if self.busy or self.outbox.is_sending:
            self.outbox.add(text)
            return
        question = turn_jobs.Question(text, self.outbox.draft_with(""), self.outbox.held())
        self._send(question, partial(self.presenter.give_back, text))

    def ask(self, text: str) -> None:
        """Send a message that does not come from the composer. The draft and its files stay."""
        self._send(turn_jobs.Question(text, None), partial(self.presenter.give_back, text))

    def put_aside(self, text: str, reason: StillAnswering) -> None:
        """Return the text of an edit to the composer, and say why."""
        self.presenter.show_error(reason)
        self.presenter.give_back(text)

    def send_now(self, message: str) -> None:
        """End the answer, then send this message of those that wait."""
        if self.outbox.send_now(message):
            self._end_turn()

    def edit(self, message: str, text: str, without: tuple[str, ...] = ()) -> None:
        """Replace a message on a new branch. Its files go along but for those in `without`. If a turn is in progress,
        return the text to the composer.
        """
        if self.busy:
            self.put_aside(text, StillAnswering(tr("Stop the answer first; the new words are in the composer.")))
            return
        model, question = self._ports.model(), turn_jobs.Question(text, keep=self.outbox.queue.held().union(without))
        put_back = partial(self.presenter.give_back, text)
        self._begin(
            lambda library: turn_jobs.edit(library, self.id, message, question, model),
            partial(self._not_begun, put_back),
        )

    def show_files(self, files: tuple[Attachment, ...]) -> None:
        """Show those of these files that belong to the draft, and not to a message that waits."""
        self.cost.attach(self.outbox.queue.take_files(files))

    def _show_cost(self) -> None:
        self.presenter.show_files(self.cost.file_views())
        if self.cost.view() != self.status.draft:
            self.presenter.show(replace(self.status, draft=self.cost.view()))

    def regenerate(self, reply: str, count: int = 1) -> None:
        """Generate `count` more alternatives of a reply."""
        model, most = self._ports.model(), min(max(count, 1), MOST_ALTERNATIVES)
        self._begin(lambda library: turn_jobs.regenerate(library, self.id, reply, most, model), self._not_reopened)

    def extend(self, reply: str) -> None:
        """Continue a reply that was cut short."""
        self._begin(lambda library: turn_jobs.extend(library, self.id, reply), self._not_reopened)

    def leave_out(self) -> None:
        """Leave the oldest turns out of the context, as many as need be, and generate the last reply again."""
        if not self.busy:
            self._fit(overflow.CUT, self._left_out, overflow.too_long(self.id))

    def read_all(self) -> None:
        """Let the model read the turns again that were left out, if all of the chat fits."""
        if self.busy:
            self.presenter.show_error(StillAnswering(tr("Stop the answer first, or wait for its end.")))
            return
        self._fit(overflow.RETURN, self._reads_all, overflow.still_too_long(self.id))

    def step(self, message: str, by: int) -> None:
        """Show another alternative of a message. Answers in progress continue."""
        job = partial(turn_jobs.step, conversation=self.id, message=message, by=by)
        self._ports.tasks.run(job, self._stepped, self.presenter.show_error)

    def stop(self) -> None:
        """End the answers. An answer without a word is withdrawn."""
        self.outbox.pause()
        self._end_turn()

    def _end_turn(self) -> None:
        if self._turn is not None:
            self._turn.stop()
            return
        if self._beginning is not None and self._beginning.stop():
            self._rest()
        self.outbox.send_next()

    def pause(self) -> None:
        """Pause the answers."""
        if self._turn is not None:
            self._turn.pause()

    def resume(self) -> None:
        """Continue the paused answers."""
        if self._turn is not None:
            self._turn.resume()

    def give_up(self) -> None:
        """End the answers without waiting for the engine: the app is about to close."""
        self.save_retry.retry()
        self.outbox.pause()
        self.outbox.retry()
        if self._turn is not None:
            self._turn.give_up()

    def warm(self, branch: Branch) -> None:
        """Restore the conversation's cache before the next message, unless another model answers this chat."""
        if not self._ports.serves(self.id):
            if not self.busy:
                self.presenter.show(figures.away(self.status))
            return
        if self._ports.engine.ready and self._ports.cached and not self.busy and branch.next_prefix:
            prompt = ChatPrompt.of(branch.conversation, branch.next_prefix, self._ports)
            self._is_imported = not any(message.usage for message in branch.messages)
            self._ports.engine.send(Warm(self.id, prompt.messages, prompt.thinking, on_disk=prompt.on_disk))

    def find_warm_models(self) -> None:
        """Ask which models could continue from cached state. Only the loaded one has any of a private chat."""
        if not self._ports.private:
            self._ports.engine.send(ListWarmModels(self.id))

    def view(self, found: Opening) -> ChatView:
        """Everything that a tab shows when it opens, with the text of answers in progress."""
        queue, unsaved = self.outbox.queue, self.outbox.unsaved_draft()
        draft = found.draft if unsaved is None else unsaved
        typed = queue.take_draft(draft, found.messages, found.files)
        files = queue.take_files(found.files)
        self.outbox.aside.shown(typed)
        self.cost.attach(files)
        self.cost.count(typed)
        view = self.presenter.view(found, self.live(), private=self._ports.private)
        return replace(view, draft=typed, attachments=self.cost.file_views(), edits=queue.edits, queue=queue.view())

    def show_earlier(self, before: str, until: str = "") -> None:
        """Show the part above the message `before`, at least up to the message `until`."""
        job = partial(opening.load_earlier, conversation=self.id, before=before, until=until)
        self._ports.tasks.run(job, partial(self._show_loaded, until), self.presenter.show_error)

    def _show_loaded(self, until: str, found: Earlier) -> None:
        """If the screen begins with another message by now, as after an `Open`, load what is above that one."""
        first = self.presenter.first
        if found.before == first:
            self.presenter.show_earlier(found)
        elif first:
            self.show_earlier(first, until)

    def find_earlier(self, terms: tuple[str, ...], before: str) -> None:
        """Count the hits of a search in the part above the message `before`."""
        job = partial(visible_range.find_earlier, conversation=self.id, before=before, terms=terms)
        self._ports.tasks.run(job, partial(self.presenter.show_found, terms), self.presenter.show_error)

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
        self.save_retry.retry()
        self.outbox.retry()
        self.cost.tick()
        if self._turn is not None:
            self._turn.tick()

    def jot(self) -> None:
        """Some times a second: save new text without waiting for the drive."""
        if self._turn is not None:
            self._turn.jot()

    # Engine events

    def engine_ready(self) -> None:
        """A model is loaded: ask for the turn that waited for it."""
        self.presenter.show(replace(self.status, context_limit=self._ports.engine.context_limit))
        self.cost.recount()
        for waiting in (self._beginning, self._turn):
            if waiting is not None:
                waiting.ask()

    def engine_lost(self) -> None:
        """The engine ended, and its answers with it."""
        if self._turn is not None:
            self._turn.lost()
        self.presenter.show(figures.away(self.status) if not self.busy else self.status)

    def engine_refused(self, reason: str) -> None:
        """No engine will answer."""
        for waiting in (self._beginning, self._turn):
            if waiting is not None:
                waiting.refused(reason)

    def delta(self, row: Delta) -> None:
        """New text arrived."""
        if self._turn is not None:
            self._turn.delta(row)

    def engine_event(self, event: SessionEvent) -> None:
        """The engine sent an event about this conversation."""
        match event:
            case Progress() | TurnFinished():
                self._turn_event(event)
            case PromptFitted():
                self.cost.fitted(event)
                if self._beginning is not None:
                    self._beginning.fitted(event)
            case TokensCounted():
                self.cost.counted(event)
            case Warmed():
                self._warmed(event)
            case Forgotten():
                self._is_forgetting = False  # what the engine tells from now on holds
            case WarmModels():
                if not self._is_forgetting:  # it may have listed them before it forgot this chat
                    self.presenter.warm_models(frozenset(event.identities))

    def _turn_event(self, event: Progress | TurnFinished) -> None:
        if isinstance(event, TurnFinished):
            self._is_imported = self._is_imported and not event.usage.completion_tokens
        if self._turn is not None:
            self._turn.engine_event(event)

    def _warmed(self, event: Warmed) -> None:
        """The cache was restored. A turn that has begun since has its own status, and so has a chat to be forgotten."""
        if not self.busy and not self._is_forgetting:
            rate = self._ports.reading_rate()
            self.presenter.show(figures.warmed(self.status, event, rate, never_read=self._is_imported))
        self.find_warm_models()

    # Turns

    def _send(self, question: turn_jobs.Question, put_back: Callable[[], object]) -> None:
        model, failed = self._ports.model(), partial(self._not_begun, put_back)
        self._begin(lambda library: turn_jobs.submit(library, self.id, question, model), failed)

    def _turn_ended(self, end: TurnEnd) -> None:
        self._ports.ended(end)
        self.outbox.ended(end)

    def _begin(self, job: Callable[[Library], TurnStart], failed: Callable[[Exception], None]) -> None:
        if self.busy:
            return
        self._wait()
        self.save_retry.run_behind(self.presenter.unsaved(), job, self._begun, failed)

    def _wait(self, fit: ContextFit[T] | None = None) -> None:
        self._ports.begun()
        self.outbox.begun()
        self._beginning = Beginning(fit)
        self.presenter.clear_error()
        self.presenter.wait()

    def _fit(self, change: ContextChange[T], done: Callable[[T], object], too_long: Notice) -> None:
        self.presenter.clear_overflow()
        told = partial(self._end, partial(self._ports.sink.show_notice, too_long))
        self._wait(fit := ContextFit(self.id, self._ports, change, done, told, self._not_fitted))
        fit.begin()

    def _left_out(self, start: TurnStart) -> None:
        self._begun(start)
        self._ports.sink.show_notice(overflow.left_out(start))

    def _reads_all(self, branch: Branch) -> None:
        self._rest()
        self._stepped(branch)
        self._ports.sink.show_notice(overflow.reads_all(self.id))
        self.outbox.send_next()

    def _end(self, show: Callable[[], object]) -> None:
        self._rest()
        self.outbox.pause()
        show()

    def _not_fitted(self, error: Exception) -> None:
        self._end(partial(self.presenter.show_error, error))

    def _not_begun(self, put_back: Callable[[], object], error: Exception) -> None:
        put_back()
        self._not_reopened(error)

    def _put_aside(self, words: str) -> None:
        self.outbox.aside.put(words)

    def _not_reopened(self, error: Exception) -> None:
        self._not_fitted(error)
        self._ports.ended(TurnEnd(self.id, "", "failed", Usage(), words(error)))

    def _begun(self, start: TurnStart) -> None:
        ports = replace(self._ports, ended=self._turn_ended)
        beginning, self._beginning = self._beginning, None
        assert beginning is not None, "a turn begins once"
        self._turn = turn = Turn(start, ports, self.presenter, self.save_retry, self._rest, self.outbox.take_back)
        self.removal.settle()
        self.branch_return.begin(start)
        self.presenter.begin(start)
        self._ports.changed()
        if start.files is not None:
            self.show_files(start.files)
        beginning.hand_over(turn)

    def _rest(self) -> None:
        self._beginning = self._turn = None
        self.presenter.clear_error()
        self.presenter.rest()
        if self._is_to_forget:
            self.forget()

    def live(self) -> list[Message]:
        """The replies in progress, as they are now."""
        return self._turn.live() if self._turn is not None else []

    def _stepped(self, branch: Branch) -> None:
        self.presenter.branch(branch, self.live())
        self._ports.changed()
        self.warm(branch)
