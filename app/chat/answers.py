"""Answers: the replies that one turn generates at the same time, and the request for them. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from app.chat.answer import Answer
from engine.protocol.messages import Generate

if TYPE_CHECKING:
    from app.base.ports import Ports
    from app.chat.turn_jobs import TurnStart
    from storage.library.rows import Message


class Answers:
    """One or more answers, each with its own request id. The first is on the screen when the turn begins."""

    def __init__(self, start: TurnStart, command: Generate) -> None:
        self.start = start
        self.command = command
        requests = (command.request, *command.alternatives)
        self._alive = {
            request: Answer.to(request, reply) for request, reply in zip(requests, start.replies, strict=True)
        }

    @classmethod
    def to(cls, start: TurnStart, ports: Ports) -> Answers:
        """The answers to generate for a turn. A reply that already has text is part of the prompt, so that it is
        continued.
        """
        requests = [uuid4().hex for _ in start.replies]
        command = Generate(
            request=requests[0],
            conversation=start.conversation.id,
            messages=start.history,
            sampling=ports.sampling(start.conversation.preset),
            cached=ports.cached() and start.conversation.cached,
            thinking=start.conversation.thinking or ports.thinking,
            alternatives=tuple(requests[1:]),
        )
        return cls(start, command)

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
