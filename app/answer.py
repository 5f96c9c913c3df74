"""The reply that is being made: owns its request, its text so far, and what it becomes when it ends.

Saving and showing it is left to the session.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from app import figures, turns
from engine.protocol import FinishReason, Generate

if TYPE_CHECKING:
    from app.ports import Ports
    from app.turns import Start
    from engine.protocol import Usage
    from storage.library.rows import ClosedState, Message

_CLOSED_AS: dict[FinishReason, ClosedState] = {
    "stop": "done",
    "context": "done",
    "length": "stopped",
    "cancelled": "stopped",
    "failed": "failed",
}


@dataclass(slots=True)
class Answer:
    """`saved` is the text that the library has; `start` the turn that the reply belongs to; `rated` the number of its
    tokens when its rate was last shown.
    """

    start: Start
    command: Generate
    text: str
    saved: str
    rated: int = 0

    @classmethod
    def to(cls, start: Start, ports: Ports) -> Answer:
        """The answer to make for a turn. A reply with text is continued, so the model reads it too."""
        reply = start.reply
        command = Generate(
            request=uuid4().hex,
            conversation=start.conversation.id,
            messages=turns.history(start.conversation.system, start.branch),
            sampling=ports.sampling(start.conversation.preset),
            cached=ports.cached,
        )
        return cls(start, command, reply.content, reply.content)

    @property
    def reply(self) -> str:
        """The reply's id."""
        return self.start.reply.id

    def live(self) -> Message:
        """The reply as it is now."""
        return replace(self.start.reply, content=self.text)

    def interrupted(self) -> Message:
        """The reply if nothing more comes. The tokens of its new words are not known; an older ledger still holds."""
        return replace(self.start.reply, content=self.text, state="interrupted", error="")

    def ended(self, reason: FinishReason, usage: Usage, ledger: str, error: str) -> Message:
        """The reply as it ended."""
        return replace(
            self.start.reply,
            content=self.text,
            state=_CLOSED_AS[reason],
            ledger=ledger or self.start.reply.ledger,
            usage=figures.stored_usage(usage, reason),
            error=error,
        )
