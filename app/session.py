"""One conversation's answers, from the user's message to the saved reply. Owns the state machine of a turn.

The library's thread, the engine and the window are behind ports; nothing here waits, and nothing here is Qt. The stages
of a turn: IDLE -> SAVING (the message goes to disk) -> WAITING (for an engine that can answer) -> ASKED -> IDLE.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

from app import context, figures, turns
from app.answer import Ending
from app.answers import Answers
from app.chat_screen import ChatScreen
from app.errors import ModelRefused, StillAnswering, words
from app.ports import TurnEnd
from engine.protocol import Cancel, Pause, Resume, Usage, Warm
from ui.state import ChatPhase, ChatStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.answer import Answer
    from app.ports import Ports
    from app.turns import Branch, Start, Withdrawal
    from engine.protocol import Delta, Progress, TurnFinished, Warmed
    from storage.library.rows import Message
    from storage.library.store import Library
    from ui.state import ChatView

_RATE_EVERY = 8  # tokens between two updates of the rate on the screen
MOST_ALTERNATIVES = 4


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
        self._ports = ports
        self._screen = ChatScreen(conversation, ports.sink, ChatStatus(context_limit=ports.engine.context_limit))
        self._stage = Stage.IDLE
        self._stopping = False
        self._answers: Answers | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer was begun and has not ended."""
        return self._stage is not Stage.IDLE

    @property
    def status(self) -> ChatStatus:
        """What the window was last told."""
        return self._screen.status

    @property
    def _alive(self) -> tuple[Answer, ...]:
        return self._answers.alive if self._answers is not None else ()

    # What the user asks for

    def submit(self, text: str) -> None:
        """Save the message, then ask for the answer. While another one is made the text goes back to the composer."""
        if self.busy:
            self._screen.draft(text)
            return
        model = self._ports.model()
        self._begin(lambda library: turns.begin(library, self.id, text, model), partial(self._not_begun, text))

    def edit(self, message: str, text: str) -> None:
        """Say something else in the place of a message. While an answer is made the text goes to the composer."""
        if self.busy:
            self._screen.trouble(StillAnswering("Stop the answer first; the new words are in the composer."))
            job = partial(turns.put_aside, conversation=self.id, text=text)
            self._ports.tasks.run(job, self._screen.draft, self._screen.trouble)
            return
        model = self._ports.model()
        job_of_turn = partial(turns.edit, conversation=self.id, message=message, text=text, model=model)
        self._begin(job_of_turn, partial(self._not_begun, text))

    def retry(self, reply: str, count: int = 1) -> None:
        """Answer the same message again, `count` times at once."""
        model, most = self._ports.model(), min(max(count, 1), MOST_ALTERNATIVES)
        self._begin(lambda library: turns.again(library, self.id, reply, most, model), self._not_reopened)

    def extend(self, reply: str) -> None:
        """Continue a reply that was cut short."""
        self._begin(lambda library: turns.extend(library, self.id, reply), self._not_reopened)

    def leave_out(self) -> None:
        """Let the model read the newer half of the chat, and ask for the last reply again."""
        self._begin(lambda library: context.leave_out(library, self.id), self._not_reopened)

    def step(self, message: str, by: int) -> None:
        """Show another alternative of a message; answers that are being made go on."""
        job = partial(turns.step, conversation=self.id, message=message, by=by)
        self._ports.tasks.run(job, self._stepped, self._screen.trouble)

    def stop(self) -> None:
        """End the answers where they are. Before its first word an answer is taken back."""
        if self._stage is Stage.WAITING:
            self._end_all(Ending("cancelled"))
        elif self.busy and not self._stopping:
            self._stopping = True
            self._cancel()

    def pause(self) -> None:
        """Let the answers wait where they are."""
        if self._stage is Stage.ASKED and not self._stopping:
            for answer in self._alive:
                self._ports.engine.send(Pause(answer.request))

    def resume(self) -> None:
        """Go on with what was paused."""
        if self.status.phase is ChatPhase.PAUSED:
            for answer in self._alive:
                self._ports.engine.send(Resume(answer.request))

    def give_up(self) -> None:
        """End the answers at once, without waiting for the engine: the app is about to close."""
        paused = self.status.phase is ChatPhase.PAUSED
        self._cancel()
        if paused:
            self._end_all(Ending("cancelled"))
        else:
            self._interrupt()

    def warm(self, branch: Branch) -> None:
        """Have the conversation brought into memory ahead of the next message."""
        if self._ports.engine.ready and self._ports.cached and not self.busy and branch.messages:
            thinking = branch.conversation.thinking or self._ports.thinking
            messages = turns.history(branch.conversation, branch.messages)
            self._ports.engine.send(Warm(self.id, messages, thinking))

    def view(self, branch: Branch, draft: str) -> ChatView:
        """All that a tab needs, with the words of answers that are being made as far as they are."""
        return self._screen.view(branch, draft, self._live())

    def tick(self) -> None:
        """Save the words that came since the last tick. Called about every second."""
        for answer in self._alive:
            live = answer.live()
            if live != answer.saved:
                answer.saved = live
                self._ports.tasks.run(partial(turns.keep, reply=live), lambda _: None, self._screen.trouble)

    # What the engine says

    def engine_ready(self) -> None:
        """A model is loaded: a turn that waited for it can go on."""
        self._screen.show(replace(self.status, context_limit=self._ports.engine.context_limit))
        if self._stage is Stage.WAITING:
            self._ask()

    def engine_lost(self) -> None:
        """The engine ended. What it was writing stays as far as it came; what waits for it goes on waiting."""
        if self._stage is Stage.ASKED and self._stopping:
            self._end_all(Ending("cancelled"))
        elif self._stage is Stage.ASKED:
            self._interrupt()
        self._screen.show(figures.away(self.status) if not self.busy else self.status)

    def engine_refused(self, reason: str) -> None:
        """No engine will answer: a turn that waits for one is taken back, or closed with the reason."""
        if self._stage is Stage.WAITING:
            self._end_all(Ending("failed", error=reason))

    def progress(self, event: Progress) -> None:
        """A request moved on. The chat's figures follow the first one."""
        answer = self._asked(event.request)
        if answer is not None and self._leads(answer):
            self._screen.show(figures.progressed(self.status, event))

    def delta(self, row: Delta) -> None:
        """New words, in whatever channel."""
        answer = self._asked(row.request)
        if answer is None:
            return
        if row.text and answer.hear(row, self._ports.clock()):
            self._screen.replace(answer.live())
        elif row.text:
            self._screen.append(answer.reply.id, row)
        if self._leads(answer) and self._rate_is_due(answer, row):
            answer.rated = row.tokens
            self._screen.show(figures.generating(self.status, row))

    def finished(self, event: TurnFinished) -> None:
        """The engine is done with a request."""
        answer = self._asked(event.request)
        if answer is None or self._answers is None:
            return
        ending = Ending.of(event)
        if event.reason != "failed" and len(self._alive) == 1:
            self._screen.status = figures.finished(self.status, event.usage)
        start = self._answers.start
        self._end(answer, ending)
        if ending.full:
            self._screen.full(start)

    def warmed(self, event: Warmed) -> None:
        """The outcome of `warm`; too late to matter once a new turn has begun."""
        if not self.busy:
            self._screen.show(figures.warmed(self.status, event))

    # The way of a turn

    def _begin(self, job: Callable[[Library], Start], failed: Callable[[Exception], None]) -> None:
        if self.busy:
            return
        self._stage, self._stopping = Stage.SAVING, False
        self._screen.show(figures.waiting(self.status))
        self._ports.tasks.run(job, self._begun, failed)

    def _not_begun(self, text: str, error: Exception) -> None:
        self._screen.draft(text)
        self._not_reopened(error)

    def _not_reopened(self, error: Exception) -> None:
        self._rest()
        self._screen.trouble(error)
        self._ports.ended(TurnEnd(self.id, "", "failed", Usage(), words(error)))

    def _begun(self, start: Start) -> None:
        self._answers = Answers.to(start, self._ports)
        self._stage = Stage.WAITING
        self._screen.begin(start)
        if self._stopping:
            self._end_all(Ending("cancelled"))
        else:
            self._ask()

    def _ask(self) -> None:
        engine = self._ports.engine
        if self._answers is not None and engine.ready:
            self._stage = Stage.ASKED
            engine.send(self._answers.command)
        elif engine.refusal:
            self.engine_refused(engine.refusal)

    def _cancel(self) -> None:
        if self._stage is Stage.ASKED:
            for answer in self._alive:
                self._ports.engine.send(Cancel(answer.request))

    def _asked(self, request: str) -> Answer | None:
        asked = self._answers is not None and self._stage is Stage.ASKED
        return self._answers.of(request) if self._answers is not None and asked else None

    def _leads(self, answer: Answer) -> bool:
        return self._answers is not None and self._answers.leads(answer)

    def _rate_is_due(self, answer: Answer, row: Delta) -> bool:
        return self.status.phase is not ChatPhase.GENERATING or row.tokens - answer.rated >= _RATE_EVERY

    def _live(self) -> list[Message]:
        return [answer.live() for answer in self._alive]

    def _stepped(self, branch: Branch) -> None:
        self._screen.branch(branch, self._live())
        self.warm(branch)

    # The end of a turn

    def _end_all(self, ending: Ending) -> None:
        for answer in self._alive:
            self._end(answer, ending)

    def _end(self, answer: Answer, ending: Ending) -> None:
        if answer.silent and (ending.reason == "cancelled" or self._stage is Stage.WAITING):
            self._withdraw(answer, answer.told(ending))
        else:
            self._close(answer, answer.ended(ending, self._ports.clock()), answer.told(ending))

    def _interrupt(self) -> None:
        for answer in self._alive:
            self._close(answer, answer.interrupted(self._ports.clock()), answer.told(None))

    def _close(self, answer: Answer, closed: Message, end: TurnEnd) -> None:
        self._drop(answer)
        self._screen.close(closed)
        self._ports.tasks.run(
            partial(turns.close, reply=closed),
            lambda _: self._closed(closed, end),
            partial(self._not_closed, end),
        )

    def _closed(self, closed: Message, end: TurnEnd) -> None:
        self._screen.saved(closed)
        self._ports.ended(end)

    def _withdraw(self, answer: Answer, end: TurnEnd) -> None:
        assert self._answers is not None  # the answer is one of them
        job = partial(turns.withdraw, reply=answer.reply, back_to=self._answers.start.back_to)
        self._answers.close_ranks(answer.reply)
        self._drop(answer)
        self._ports.tasks.run(job, partial(self._withdrawn, end), partial(self._not_closed, end))

    def _withdrawn(self, end: TurnEnd, withdrawal: Withdrawal) -> None:
        self._screen.branch(withdrawal.branch, self._live())
        if withdrawal.draft:
            self._screen.draft(withdrawal.draft)
        if end.error:
            self._screen.trouble(ModelRefused(end.error))
        self._ports.ended(end)

    def _not_closed(self, end: TurnEnd, error: Exception) -> None:
        self._screen.trouble(error)
        self._ports.ended(replace(end, error=end.error or words(error)))

    def _drop(self, answer: Answer) -> None:
        if self._answers is not None:
            self._answers.drop(answer)
        if not self._alive:
            self._rest()

    def _rest(self) -> None:
        self._answers, self._stage, self._stopping = None, Stage.IDLE, False
        self._screen.show(figures.idle(self.status))
