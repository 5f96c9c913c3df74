"""ContextCut: leaves out the oldest turns of a chat, so many that the rest fits into the model's context. No Qt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.chat import overflow, turn_jobs
from app.chat.context_fit import ContextFit

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.turn_jobs import Branch, TurnStart
    from engine.protocol.messages import FitPrompt


class ContextCut(ContextFit):
    """One cut. It calls `done` with the turn that begins, or `failed` with the reason why none does, once. `too_long`
    is called instead if nothing can be left out.
    """

    def __init__(
        self,
        conversation: str,
        ports: Ports,
        done: Callable[[TurnStart], object],
        too_long: Callable[[], object],
        failed: Callable[[Exception], object],
    ) -> None:
        super().__init__(ports, partial(turn_jobs.read, conversation=conversation), failed)
        self._done = done
        self._too_long = too_long

    def _question(self, branch: Branch, request: str, limit: int) -> FitPrompt:
        return overflow.question(branch, request, overflow.room(limit))

    def _found(self, branch: Branch, start: int) -> None:
        if start < 0:
            self._too_long()
            return
        first, owner, reply = branch.begins[start], branch.conversation.id, branch.messages[-1].id
        job = partial(overflow.leave_out, conversation=owner, first=first, reply=reply)
        self._ports.tasks.run(job, self._done, self._failed)
