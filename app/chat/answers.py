"""Answers: the replies that one turn generates at the same time, and the request for them. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from app.chat.answer import Answer
from app.chat.chat_prompt import ChatPrompt
from engine.protocol.messages import Generate

if TYPE_CHECKING:
    from app.base.ports import Ports
    from app.chat.turn_jobs import TurnStart
    from storage.library.rows import Message


class Answers:
    """One or more answers, each with its own request id. The first is on the screen when the turn begins."""

    def __init__(self, start: TurnStart) -> None:
        self._start = start
        self._alive = {reply.request: reply for reply in (Answer.to(uuid4().hex, reply) for reply in start.replies)}

    def command(self, ports: Ports) -> Generate:
        """The request for all answers, with the settings of the model that will answer. A reply that already has text
        is part of the prompt, so that it is continued.
        """
        owner = self._start.conversation
        prompt = ChatPrompt.of(owner, self._start.history, ports)
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

    def write_with(self, model: str) -> tuple[str, ...]:
        """This model writes the answers. Returns the ids of the replies for which another one was noted, as the user
        has picked this one while the turn waited. A reply that already has text keeps its model.
        """
        others = [answer for answer in self.alive if answer.silent and answer.reply.model != model]
        for answer in others:
            answer.reply = replace(answer.reply, model=model)
        return tuple(answer.reply.id for answer in others)

    @property
    def alive(self) -> tuple[Answer, ...]:
        """The answers that have not ended."""
        return tuple(self._alive.values())

    def of(self, request: str) -> Answer | None:
        """The answer to a request, None if it has ended."""
        return self._alive.get(request)

    def is_first(self, answer: Answer) -> bool:
        """Whether this is the first answer that has not ended. The chat's figures follow it."""
        return next(iter(self._alive)) == answer.request

    def drop(self, answer: Answer) -> None:
        """Remove an answer that has ended."""
        del self._alive[answer.request]

    def renumber(self, gone: Message) -> None:
        """A reply was withdrawn: adjust place and count of the others."""
        for answer in self._alive.values():
            reply = answer.reply
            answer.reply = replace(reply, place=reply.place - (reply.place > gone.place), places=reply.places - 1)
