"""ContextReturn: lets the model read all of a chat again after turns were left out, if all of it fits now. No Qt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.chat import overflow, turn_jobs
from app.chat.context_fit import ContextFit

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.turn_jobs import Branch
    from engine.protocol.messages import FitPrompt


class ContextReturn(ContextFit):
    """One return. It calls `done` with the branch, `too_long` if not all of the chat fits, or `failed` with the reason
    why the engine does not know, once.
    """

    def __init__(
        self,
        conversation: str,
        ports: Ports,
        done: Callable[[Branch], object],
        too_long: Callable[[], object],
        failed: Callable[[Exception], object],
    ) -> None:
        super().__init__(ports, partial(turn_jobs.read_whole, conversation=conversation), failed)
        self._done = done
        self._too_long = too_long

    def _question(self, branch: Branch, request: str, limit: int) -> FitPrompt:
        return overflow.whole_question(branch, request, limit)

    def _found(self, branch: Branch, start: int) -> None:
        if start < 0:
            self._too_long()
            return
        job = partial(overflow.read_all, conversation=branch.conversation.id)
        self._ports.tasks.run(job, self._done, self._failed)
