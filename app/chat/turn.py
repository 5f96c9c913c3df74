"""Turn: one turn that is on disk, from the request to the last saved reply. No Qt.

It generates one or more replies at the same time, each with a request id. The first is on the screen when it begins.
Every reply ends exactly once: finished, stopped, interrupted, failed, or withdrawn before its first word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import uuid4

from app.base.errors import words
from app.base.ports import ModelReady, ModelRefused, Ports, TurnEnd
from app.chat import overflow, status, turn_jobs
from app.chat.answer import Answer, Ending
from app.chat.outbox import Outbox
from app.chat.presenter import ChatPresenter
from engine.protocol.messages import Cancel, Delta, Generate, Progress, TurnFinished
from storage.library.rows import Message
from ui.state.chat import ChatPhase

_RATE_SECONDS = 0.25
"""The time between two updates of an answer's figures on the screen."""


class Turn:
    """Waits for an engine, then sends the request. `over` is called once, when no answer is in progress; saving may
    continue after that. `outbox` takes replies that cannot be saved, and questions that were withdrawn.
    """

    def __init__(
        self,
        start: turn_jobs.TurnStart,
        ports: Ports,
        presenter: ChatPresenter,
        outbox: Outbox,
        over: Callable[[], None],
    ) -> None:
        self.asked = False
        self._start = start
        self._ports = ports
        self._presenter = presenter
        self._outbox = outbox
        self._over = over
        answers = [Answer.to(uuid4().hex, reply) for reply in start.replies]
        self._alive = {answer.request: answer for answer in answers}
        self._stopping = False

    # Intents

    def ask(self) -> None:
        """Send the request, unless it was sent. If no model is loaded, it waits for one."""
        if self.asked:
            return
        match self._ports.engine.wake():
            case ModelReady():
                self.asked = True
                self._write_with(self._ports.model())
                self._ports.engine.send(self._command())
            case ModelRefused(notice):
                self.refused(notice.text)

    def _write_with(self, model: str) -> None:
        """Note this model if the user has picked it while the turn waited. A reply that already has text keeps its
        model.
        """
        others = [answer for answer in self._alive.values() if answer.silent and answer.reply.model != model]
        for answer in others:
            answer.reply = replace(answer.reply, model=model)
        if others:
            job = partial(turn_jobs.write_with, replies=tuple(answer.reply.id for answer in others), model=model)
            self._ports.tasks.run(job, lambda _: None, self._presenter.show_error)

    def _command(self) -> Generate:
        """The request for all answers, with the settings of the model that will answer. A reply that already has text
        is part of the prompt, so that it is continued.
        """
        owner, ports = self._start.conversation, self._ports
        prompt = turn_jobs.ChatPrompt.of(owner, self._start.history, ports)
        first, *others = self._alive
        return Generate(
            request=first,
            conversation=owner.id,
            messages=prompt.messages,
            sampling=ports.sampling(owner),
            cached=ports.cached,
            thinking=prompt.thinking,
            alternatives=tuple(others),
            on_disk=prompt.on_disk,
        )

    def stop(self) -> None:
        """End the answers. An answer without a word is withdrawn."""
        if not self.asked:
            self._end_all(Ending("cancelled"))
        elif not self._stopping:
            self._stopping = True
            self._cancel()

    def give_up(self) -> None:
        """End the answers without waiting for the engine. Those that were told to stop count as stopped."""
        if self.asked:
            self._cancel()
        self._end_all(Ending("cancelled") if self._stopping else None)

    def tick(self) -> None:
        """Save the text that came since the last tick. Each answer has at most one save in progress: on a slow disk the
        queue would grow otherwise.
        """
        for answer in tuple(self._alive.values()):
            live = answer.live()
            if (answer.unsaved or live != answer.synced) and not answer.saving:
                answer.saved, answer.synced, answer.saving = live, live, True
                job = partial(turn_jobs.keep, reply=live, synced=True)
                self._ports.tasks.run(job, partial(self._kept, answer), partial(self._not_kept, answer))

    def jot(self) -> None:
        """Save what is new between two ticks, so that a crash loses a few words only. Each tick reports what fails."""
        for answer in tuple(self._alive.values()):
            live = answer.live()
            if live != answer.saved and not answer.saving:
                answer.saved, answer.saving = live, True
                job = partial(turn_jobs.keep, reply=live, synced=False)
                self._ports.tasks.run(job, partial(self._kept, answer), partial(self._not_jotted, answer))

    @property
    def is_refused(self) -> bool:
        """Whether the library refuses the text so far."""
        return any(answer.unsaved for answer in self._alive.values())

    def _kept(self, answer: Answer, _: None) -> None:
        answer.saving = answer.unsaved = False

    def _not_jotted(self, answer: Answer, _: Exception) -> None:
        answer.saving, answer.unsaved = False, True

    def _not_kept(self, answer: Answer, error: Exception) -> None:
        self._not_jotted(answer, error)
        self._presenter.show_error(error)

    def live(self) -> list[Message]:
        """The replies as they are now."""
        return [answer.live() for answer in self._alive.values()]

    # Engine events

    def lost(self) -> None:
        """The engine ended. Answers keep the text that they have; a turn that was not sent keeps waiting."""
        if self.asked:
            self._end_all(Ending("cancelled") if self._stopping else None)

    def refused(self, reason: str) -> None:
        """No engine will answer: withdraw a waiting turn, or close it with the reason. The engine tells the user."""
        if not self.asked:
            self._end_all(Ending("failed", error=reason))

    def engine_event(self, event: Progress | TurnFinished) -> None:
        """A request moved on or ended. The chat's figures follow the first answer that has not ended."""
        if not self.asked or (answer := self._alive.get(event.request)) is None:
            return
        if isinstance(event, TurnFinished):
            self._finished(answer, event)
        elif next(iter(self._alive)) == answer.request:
            self._presenter.show(status.progressed(self._presenter.status, event))

    def delta(self, row: Delta) -> None:
        """New text arrived, in any channel."""
        if not self.asked or (answer := self._alive.get(row.request)) is None:
            return
        now = self._ports.clock()
        if row.text:
            answer.append(row, now)
            self._presenter.append(answer.reply.id, row)
        is_due = self._presenter.status.phase is not ChatPhase.GENERATING or now - answer.rated >= _RATE_SECONDS
        if is_due and next(iter(self._alive)) == answer.request:
            answer.rated = now
            self._presenter.show(status.generating(self._presenter.status, row))

    def _finished(self, answer: Answer, event: TurnFinished) -> None:
        ending = overflow.ending(event, self._start) if event.code in status.LENGTH_CODES else Ending.of(event)
        if event.reason != "failed" and len(self._alive) == 1:
            before, usage = self._presenter.status, event.usage
            restored = usage.restore_ms or before.restore_ms or 0.0
            wait = status.SavedWait.of(usage.cached_tokens, restored, self._ports.reading_rate())
            ending = replace(ending, wait=wait)
            self._presenter.status = status.finished(before, usage)
        self._end(answer, ending)
        if event.reason == "context" or overflow.can_be_mended(event, self._start):
            self._presenter.offer_overflow(self._start)

    def _cancel(self) -> None:
        for request in self._alive:
            self._ports.engine.send(Cancel(request))

    # The end

    def _end_all(self, ending: Ending | None) -> None:
        """None: the engine or the app ends first."""
        for answer in tuple(self._alive.values()):
            self._end(answer, ending)

    def _end(self, answer: Answer, ending: Ending | None) -> None:
        end, now = answer.turn_end(ending), self._ports.clock()
        if ending is not None and answer.silent and (ending.reason == "cancelled" or not self.asked):
            self._withdraw(answer, end)
            return
        closed = answer.interrupted(now) if ending is None else answer.ended(ending, now)
        self._presenter.close(closed)
        self._drop(answer)

        def saved(_: None) -> None:
            self._presenter.saved(closed)
            self._ended(end)

        def failed(error: Exception) -> None:
            self._outbox.replies.keep(closed.id, closed, error)
            self._not_ended(end, error)

        self._ports.tasks.run(partial(turn_jobs.close, reply=closed), saved, failed)

    def _withdraw(self, answer: Answer, end: TurnEnd) -> None:
        if len(self._alive) == 1:
            self._presenter.withdraw()
        self._drop(answer)
        for other in self._alive.values():
            reply = other.reply
            place = reply.place - (reply.place > answer.reply.place)
            other.reply = replace(reply, place=place, places=reply.places - 1)
        job = partial(turn_jobs.withdraw, reply=answer.reply, back_to=self._start.back_to)
        self._ports.tasks.run(job, partial(self._withdrawn, end), partial(self._not_ended, end))

    def _withdrawn(self, end: TurnEnd, withdrawal: turn_jobs.Withdrawal) -> None:
        branch, text, files = withdrawal
        if branch is not None:
            self._presenter.branch(branch, self.live())
        if text is not None:
            self._outbox.take_back(text, files, end.reason == "cancelled")
        self._ended(end)

    def _ended(self, end: TurnEnd) -> None:
        self._ports.ended(end)
        self._outbox.ended(end)

    def _not_ended(self, end: TurnEnd, error: Exception) -> None:
        self._presenter.show_error(error)
        self._ended(replace(end, error=end.error or words(error)))

    def _drop(self, answer: Answer) -> None:
        del self._alive[answer.request]
        if not self._alive:
            self._over()


@dataclass(slots=True)
class Beginning:
    """A turn between the user's wish and its message in the library. What is asked of it meanwhile happens once it has
    begun.

    `fit` asks the engine first which part of the chat fits into the context; None if all of it is to be read.
    """

    fit: overflow.ContextFit[Any] | None = None
    is_stopped: bool = False
    refusal: str = ""

    def ask(self) -> None:
        """A model is loaded."""
        if self.fit is not None:
            self.fit.ask()

    def refused(self, reason: str) -> None:
        """No engine will answer. Another model may be there once the turn has begun, and must not get the request."""
        self.refusal = reason
        if self.fit is not None:
            self.fit.refused(reason)

    def stop(self) -> bool:
        """End the turn. Returns whether it will not begin at all."""
        self.is_stopped = True
        return self.fit is not None and self.fit.stop()

    def hand_over(self, turn: Turn) -> None:
        """The turn has begun."""
        if self.is_stopped:
            turn.stop()
        elif self.refusal:
            turn.refused(self.refusal)
        else:
            turn.ask()
