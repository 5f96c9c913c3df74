"""The replies of one turn that are being made together. Owns the request for them and which of them are still alive.

The words of each are left to `app.chat.answer`.
"""

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
    """At least one, each with a request of its own; the first is the one that was shown when the turn began."""

    def __init__(self, start: TurnStart, command: Generate) -> None:
        self.start = start
        self.command = command
        requests = (command.request, *command.alternatives)
        self._alive = {
            request: Answer.to(request, reply) for request, reply in zip(requests, start.replies, strict=True)
        }

    @classmethod
    def to(cls, start: TurnStart, ports: Ports) -> Answers:
        """The answers to make for a turn. A reply with words is continued, so the model reads it too."""
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
        """Those that have not ended."""
        return tuple(self._alive.values())

    def of(self, request: str) -> Answer | None:
        """The answer that a request makes, if it has not ended."""
        return self._alive.get(request)

    def is_first(self, answer: Answer) -> bool:
        """Whether the chat's figures follow this one: the first that has not ended."""
        return next(iter(self._alive)) == answer.request

    def drop(self, answer: Answer) -> None:
        """It has ended."""
        del self._alive[answer.request]

    def renumber(self, gone: Message) -> None:
        """A reply was taken back: those beside it count one less."""
        for answer in self._alive.values():
            reply = answer.reply
            answer.reply = replace(reply, place=reply.place - (reply.place > gone.place), places=reply.places - 1)
