"""ContextCut: leaves out the oldest turns of a chat, so many that the rest fits into the model's context. No Qt.

The engine counts the tokens, since only it knows the model's chat template. Until it has answered, nothing is changed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from app.base.errors import EngineRefused, engine_words
from app.chat import overflow, turn_jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.turn_jobs import Branch, TurnStart
    from engine.protocol.messages import FitPrompt, PromptFitted


class ContextCut:
    """One cut. It calls `done` with the turn that begins, or `failed` with the reason why none does, once. `too_long`
    is called instead if nothing can be left out.
    """

    def __init__(
        self,
        ports: Ports,
        done: Callable[[TurnStart], object],
        too_long: Callable[[], object],
        failed: Callable[[Exception], object],
    ) -> None:
        self._ports = ports
        self._done = done
        self._too_long = too_long
        self._failed = failed
        self._branch: Branch | None = None
        self._asked: FitPrompt | None = None
        self._is_over = False

    def begin(self, conversation: str) -> None:
        """Load the chat, then ask the engine."""
        job = partial(turn_jobs.read, conversation=conversation)
        self._ports.tasks.run(job, self._loaded, self._failed)

    def ask(self) -> None:
        """Ask the engine, or wait for a model. A model that has come since is asked anew."""
        engine, branch = self._ports.engine, self._branch
        if branch is None or self._is_over:
            return
        if not engine.ready:
            engine.wake()
            if engine.refusal:
                self.refused(engine.refusal)
            return
        said = turn_jobs.with_system(branch.history, self._ports.model_settings().system)
        added = len(said) - len(branch.history)
        whole = turn_jobs.Branch(branch.conversation, branch.messages, said, ("",) * added + branch.begins)
        self._branch = whole if added else branch
        self._asked = overflow.question(self._branch, uuid4().hex, overflow.room(engine.context_limit))
        engine.send(self._asked)

    def refused(self, reason: str) -> None:
        """No model will answer."""
        if self.stop():
            self._failed(EngineRefused(reason))

    def stop(self) -> bool:
        """End the cut, unless it is being written to the library already. Returns whether it ends here."""
        ends, self._is_over = not self._is_over, True
        return ends

    def fitted(self, event: PromptFitted) -> None:
        """The engine has found the part that fits."""
        branch = self._branch
        if self._asked is None or branch is None or event.request != self._asked.request or not self.stop():
            return
        if event.code:
            self._failed(EngineRefused(engine_words(event.code, event.message)))
        elif event.start < 0:
            self._too_long()
        else:
            first, owner = branch.begins[event.start], branch.conversation.id
            job = partial(overflow.leave_out, conversation=owner, first=first)
            self._ports.tasks.run(job, self._done, self._failed)

    def _loaded(self, branch: Branch) -> None:
        self._branch = branch
        self.ask()
