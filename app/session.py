"""One conversation's answers, from the user's message to the saved reply. Owns the state machine of a turn.

The library's thread, the engine and the window are behind ports; nothing here waits, and nothing here is Qt. The stages
of a turn: IDLE -> SAVING (the message goes to disk) -> WAITING (for an engine that can answer) -> ASKED -> IDLE.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

from app import figures, turns, views
from app.answer import Answer
from app.errors import ModelRefused, engine_words, notice, words
from app.ports import TurnEnd
from engine.protocol import Cancel, Usage, Warm
from ui.state import ChatPhase, ChatStatus, ChatView

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ports import Ports
    from app.turns import Start, Withdrawal
    from engine.protocol import Delta, FinishReason, Progress, TurnFinished, Warmed
    from storage.library.rows import Conversation, Message
    from storage.library.store import Library

_RATE_EVERY = 8  # tokens between two updates of the rate on the screen


class Stage(Enum):
    """How far the current turn is."""

    IDLE = auto()
    SAVING = auto()
    WAITING = auto()
    ASKED = auto()


class ChatSession:
    """The turns of one conversation, one at a time. All calls come from the one thread of the app."""

    def __init__(self, conversation: str, ports: Ports) -> None:
        self.id = conversation
        self.status = ChatStatus(context_limit=ports.engine.context_limit)
        self._ports = ports
        self._stage = Stage.IDLE
        self._stopping = False
        self._answer: Answer | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer was begun and has not ended."""
        return self._stage is not Stage.IDLE

    # What the user asks for

    def submit(self, text: str) -> None:
        """Save the message, then ask for the answer. While another one is made the text goes back to the composer."""
        if self.busy:
            self._ports.sink.set_draft(self.id, text)
            return
        model = self._ports.model()
        self._begin(lambda library: turns.begin(library, self.id, text, model), partial(self._not_begun, text))

    def retry(self, reply: str) -> None:
        """Answer the same message again."""
        model = self._ports.model()
        self._begin(lambda library: turns.retry(library, self.id, reply, model), self._not_reopened)

    def resume(self, reply: str) -> None:
        """Continue a reply that was cut short."""
        self._begin(lambda library: turns.resume(library, self.id, reply), self._not_reopened)

    def stop(self) -> None:
        """End the answer where it is. Before its first word the whole turn is taken back."""
        if self._stage is Stage.WAITING:
            self._end("cancelled", Usage())
        elif self.busy and not self._stopping:
            self._stopping = True
            self._cancel()

    def give_up(self) -> None:
        """End the answer at once, without waiting for the engine: the app is about to close."""
        if self._answer is not None:
            self._cancel()
            self._interrupt()

    def warm(self, conversation: Conversation, branch: tuple[Message, ...]) -> None:
        """Have the conversation brought into memory ahead of the next message."""
        messages = turns.history(conversation.system, branch)
        if self._ports.engine.ready and self._ports.cached and not self.busy and branch:
            self._ports.engine.send(Warm(self.id, messages))

    def view(self, conversation: Conversation, branch: tuple[Message, ...], draft: str) -> ChatView:
        """All that a tab needs, with the text of an answer that is being made as far as it is."""
        live = self._answer.live() if self._answer is not None else None
        messages = tuple(
            views.message(live if live is not None and live.id == message.id else message) for message in branch
        )
        title = conversation.title or views.UNTITLED
        return ChatView(self.id, title, messages, draft, conversation.preset, status=self.status)

    def tick(self) -> None:
        """Save the text that came since the last tick. Called about every second."""
        answer = self._answer
        if answer is None or answer.text == answer.saved:
            return
        answer.saved = text = answer.text
        self._ports.tasks.run(lambda library: turns.keep(library, answer.reply, text), lambda _: None, self._not_saved)

    # What the engine says

    def engine_ready(self) -> None:
        """A model is loaded: a turn that waited for it can go on."""
        self._show(replace(self.status, context_limit=self._ports.engine.context_limit))
        if self._stage is Stage.WAITING:
            self._ask()

    def engine_lost(self) -> None:
        """The engine ended. What it was writing stays as far as it came; what waits for it goes on waiting."""
        if self._stage is Stage.ASKED and self._stopping:
            self._end("cancelled", Usage())
        elif self._stage is Stage.ASKED:
            self._interrupt()
        self._show(figures.away(self.status) if not self.busy else self.status)

    def engine_refused(self, reason: str) -> None:
        """No engine will answer: a turn that waits for one is taken back, or closed with the reason."""
        if self._stage is Stage.WAITING:
            self._end("failed", Usage(), error=reason)

    def progress(self, event: Progress) -> None:
        """The request moved on."""
        if self._is_current(event.request):
            self._show(figures.progressed(self.status, event))

    def delta(self, row: Delta) -> None:
        """New text. Reasoning counts as work, but is not part of the answer."""
        answer = self._answer
        if answer is None or not self._is_current(row.request):
            return
        if row.channel == "answer" and row.text:
            answer.text += row.text
            self._ports.sink.append_delta(self.id, answer.reply, row.text)
        if self.status.phase is not ChatPhase.GENERATING or row.tokens - answer.rated >= _RATE_EVERY:
            answer.rated = row.tokens
            self._show(figures.generating(self.status, row))

    def finished(self, event: TurnFinished) -> None:
        """The engine is done with the request."""
        if not self._is_current(event.request):
            return
        error = engine_words(event.code, event.message) if event.reason == "failed" else ""
        self.status = figures.finished(self.status, event.usage) if event.reason != "failed" else self.status
        self._end(event.reason, event.usage, event.ledger, error)

    def warmed(self, event: Warmed) -> None:
        """The outcome of `warm`; too late to matter once a new turn has begun."""
        if not self.busy:
            self._show(figures.warmed(self.status, event))

    # The way of a turn

    def _begin(self, job: Callable[[Library], Start], failed: Callable[[Exception], None]) -> None:
        if self.busy:
            return
        self._stage, self._stopping = Stage.SAVING, False
        self._show(figures.waiting(self.status))
        self._ports.tasks.run(job, self._begun, failed)

    def _not_begun(self, text: str, error: Exception) -> None:
        self._ports.sink.set_draft(self.id, text)
        self._not_reopened(error)

    def _not_reopened(self, error: Exception) -> None:
        self._rest()
        self._ports.sink.show_notice(notice(error))
        self._ports.ended(TurnEnd(self.id, "", "failed", Usage(), words(error)))

    def _begun(self, start: Start) -> None:
        self._answer = Answer.to(start, self._ports)
        self._stage = Stage.WAITING
        self._present(start)
        if self._stopping:
            self._end("cancelled", Usage())
        else:
            self._ask()

    def _present(self, start: Start) -> None:
        sink = self._ports.sink
        sink.set_title(self.id, start.conversation.title)
        for gone in start.gone:
            sink.remove_message(self.id, gone)
        for message in start.fresh:
            sink.add_message(self.id, views.message(message))
        if not start.fresh:
            sink.replace_message(self.id, views.message(start.reply))

    def _ask(self) -> None:
        engine = self._ports.engine
        if self._answer is not None and engine.ready:
            self._stage = Stage.ASKED
            engine.send(self._answer.command)
        elif engine.refusal:
            self.engine_refused(engine.refusal)

    def _cancel(self) -> None:
        if self._answer is not None and self._stage is Stage.ASKED:
            self._ports.engine.send(Cancel(self._answer.command.request))

    def _is_current(self, request: str) -> bool:
        return self._answer is not None and self._stage is Stage.ASKED and self._answer.command.request == request

    # The end of a turn

    def _end(self, reason: FinishReason, usage: Usage, ledger: str = "", error: str = "") -> None:
        answer = self._answer
        if answer is None:
            return
        end = TurnEnd(self.id, answer.text, reason, usage, error)
        if not answer.text and (reason == "cancelled" or self._stage is Stage.WAITING):
            self._withdraw(answer, end)
        else:
            self._close(answer.ended(reason, usage, ledger, error), end)

    def _interrupt(self) -> None:
        if self._answer is not None:
            end = TurnEnd(self.id, self._answer.text, None, Usage())
            self._close(self._answer.interrupted(), end)

    def _close(self, closed: Message, end: TurnEnd) -> None:
        self._rest()
        self._ports.sink.replace_message(self.id, views.message(closed))
        self._ports.tasks.run(
            partial(turns.close, reply=closed), lambda _: self._ports.ended(end), partial(self._not_closed, end)
        )

    def _withdraw(self, answer: Answer, end: TurnEnd) -> None:
        self._rest()
        self._ports.tasks.run(
            lambda library: turns.withdraw(library, answer.start),
            partial(self._withdrawn, end),
            partial(self._not_closed, end),
        )

    def _withdrawn(self, end: TurnEnd, withdrawal: Withdrawal) -> None:
        sink = self._ports.sink
        for gone in withdrawal.gone:
            sink.remove_message(self.id, gone)
        for message in withdrawal.back:
            sink.add_message(self.id, views.message(message))
        sink.set_title(self.id, withdrawal.title or views.UNTITLED)
        if withdrawal.draft:
            sink.set_draft(self.id, withdrawal.draft)
        if end.error:
            sink.show_notice(notice(ModelRefused(end.error)))
        self._ports.ended(end)

    def _not_closed(self, end: TurnEnd, error: Exception) -> None:
        self._not_saved(error)
        self._ports.ended(replace(end, error=end.error or words(error)))

    def _not_saved(self, error: Exception) -> None:
        self._ports.sink.show_notice(notice(error))

    def _rest(self) -> None:
        self._answer, self._stage, self._stopping = None, Stage.IDLE, False
        self._show(figures.idle(self.status))

    def _show(self, status: ChatStatus) -> None:
        self.status = status
        self._ports.sink.set_status(self.id, status)
