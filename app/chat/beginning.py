"""Beginning: a turn between the user's wish and its message in the library. Runs on the GUI thread. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.chat.overflow import ContextFit
from app.chat.turn import Turn
from engine.protocol.messages import PromptFitted


@dataclass(slots=True)
class Beginning:
    """What is asked of the turn meanwhile happens once it has begun.

    `fit` asks the engine first which part of the chat fits into the context; None if all of it is to be read.
    """

    fit: ContextFit[Any] | None = None
    is_stopped: bool = False
    refusal: str = ""

    def ask(self) -> None:
        """A model is loaded."""
        if self.fit is not None:
            self.fit.ask()

    def fitted(self, event: PromptFitted) -> None:
        """The engine has answered which part fits."""
        if self.fit is not None:
            self.fit.fitted(event)

    def refused(self, reason: str) -> None:
        """No engine will answer. Another model may be there once the turn has begun, and must not get it."""
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
