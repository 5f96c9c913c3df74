"""ContextFit: asks the engine which part of a chat fits into the model's context. No Qt.

The engine counts the tokens, since only it knows the model's chat template. Until it has answered, nothing is changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING
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


class ContextFit(ABC):
    """One question to the engine. `failed` is called with the reason if there is no answer."""

    def __init__(self, ports: Ports, load: Callable[[Library], Branch], failed: Callable[[Exception], object]) -> None:
        self._ports = ports
        self._load = load
        self._failed = failed
        self._branch: Branch | None = None
        self._asked: FitPrompt | None = None
        self._is_over = False

    @abstractmethod
    def _question(self, branch: Branch, request: str, limit: int) -> FitPrompt:
        """What to ask about this branch, for a model with a context of `limit` tokens."""

    @abstractmethod
    def _found(self, branch: Branch, start: int) -> None:
        """The branch fits from the message at `start` of its history on; -1: no part fits."""

    def begin(self) -> None:
        """Load the chat, then ask the engine."""
        self._ports.tasks.run(self._load, self._loaded, self._failed)

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
        question = self._question(self._branch, uuid4().hex, engine.context_limit)
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
        else:
            self._found(branch, event.start)

    def _loaded(self, branch: Branch) -> None:
        self._branch = branch
        self.ask()
