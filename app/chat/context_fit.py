"""ContextFit: asks the engine which part of a chat fits into the model's context. No Qt.

The engine counts the tokens, since only it knows the model's chat template. Until it has answered, nothing is changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar
from uuid import uuid4

import msgspec

from app.base.errors import EngineRefused, engine_words
from app.base.model_state import ModelReady, ModelRefused
from app.chat.chat_prompt import ChatPrompt

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.turn_jobs import Branch
    from engine.protocol.messages import FitPrompt, PromptFitted
    from storage.library.library import Library

Changed = TypeVar("Changed")


@dataclass(frozen=True, slots=True)
class ContextChange(Generic[Changed]):
    """A change of what the model reads of a chat. `load` loads the chat, `question` asks the engine about the branch,
    given an id and the model's context in tokens, and `job` carries the change out, given the message of the history
    from which on it fits.
    """

    load: Callable[[Library, str], Branch]
    question: Callable[[Branch, str, int], FitPrompt]
    job: Callable[[Branch, int], Callable[[Library], Changed]]


class ContextFit(Generic[Changed]):
    """One question to the engine, then the change. One of three is called, once: `done` with what the change returns,
    `too_long` if no part of the chat fits, or `failed` with the reason why there is no answer.
    """

    def __init__(
        self,
        conversation: str,
        ports: Ports,
        change: ContextChange[Changed],
        done: Callable[[Changed], object],
        too_long: Callable[[], object],
        failed: Callable[[Exception], object],
    ) -> None:
        self._id = conversation
        self._ports = ports
        self._change = change
        self._done = done
        self._too_long = too_long
        self._failed = failed
        self._branch: Branch | None = None
        self._asked: FitPrompt | None = None
        self._is_over = False

    def begin(self) -> None:
        """Load the chat, then ask the engine."""
        self._ports.tasks.run(lambda library: self._change.load(library, self._id), self._loaded, self._failed)

    def ask(self) -> None:
        """Ask the engine, or wait for a model. A model that has come since is asked anew."""
        branch = self._branch
        if branch is None or self._is_over:
            return
        match self._ports.engine.wake():
            case ModelReady():
                self._send(branch)
            case ModelRefused(notice):
                self.refused(notice.text)

    def _send(self, branch: Branch) -> None:
        engine = self._ports.engine
        prompt = ChatPrompt.of(branch.conversation, branch.history, self._ports)
        added = len(prompt.messages) - len(branch.history)
        self._branch = replace(branch, history=prompt.messages, begins=("",) * added + branch.begins)
        question = self._change.question(self._branch, uuid4().hex, engine.context_limit)
        self._asked = msgspec.structs.replace(question, thinking=prompt.thinking)
        engine.send(self._asked)

    def refused(self, reason: str) -> None:
        """No model will answer."""
        if self.stop():
            self._failed(EngineRefused(reason))

    def stop(self) -> bool:
        """Ignore the engine's answer. Returns whether it has not come yet."""
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
            self._ports.tasks.run(self._change.job(branch, event.start), self._done, self._failed)

    def _loaded(self, branch: Branch) -> None:
        self._branch = branch
        self.ask()
