"""A conversation over lives of an engine, as the app would hold it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine.protocol.messages import ChatMessage, Generate, Usage
from engine.protocol.sampling_settings import Sampling
from tests.fakes.engine_life import GREEDY, Chat, Engine

Step = Callable[[], Generate]
"""Makes a request when the answer before it is known."""


@dataclass
class Talk:
    """A chat whose requests are named r0, r1 and so on. `chat` has the visible branch. If it is `restarted`, each
    request is a new life of the engine.
    """

    home: Path
    folder: Path
    restarted: bool = False
    on_disk: bool = True
    sampling: Sampling = GREEDY
    chat: Chat = field(default_factory=lambda: Chat("c"))
    asked: list[Generate] = field(default_factory=list)
    lives: list[Engine] = field(default_factory=list)
    """The life of each request."""

    def live(self, *steps: Step, **given: Any) -> None:
        """Make the requests of `steps`, each one when the one before it is stored."""
        for life in [(step,) for step in steps] if self.restarted else [steps]:
            self._live(life, **given)

    def _live(self, steps: Sequence[Step], **given: Any) -> None:
        engine = Engine(self.home, self.folder)

        def following(step: Step) -> Generate:
            if engine.events:
                self._hear()
            self.asked.append(replace(step(), request=f"r{len(self.asked)}", on_disk=self.on_disk))
            self.lives.append(engine)
            return self.asked[-1]

        engine.play(*(partial(following, step) for step in steps), **given)
        self._hear()

    def _hear(self) -> None:
        """Take the newest answer as the app does: it may be the rest of one."""
        asked, done = self.asked[-1], self.lives[-1].finished(self.asked[-1].request)
        *said, last = asked.messages
        begun = last.content if last.role == "assistant" else ""
        before = said if last.role == "assistant" else asked.messages
        self.chat.messages[:] = [*before, ChatMessage("assistant", begun + self.text, done.ledger)]

    def ask(
        self,
        text: str,
        sampling: Sampling | None = None,
        *,
        after: Callable[[], Sequence[ChatMessage]] | None = None,
        conversation: str = "c",
    ) -> Step:
        """A question after the messages that `after` returns at that time, or after the visible branch."""

        def step() -> Generate:
            self.chat.messages[:] = [*(after() if after else self.chat.messages)]
            return replace(self.chat.ask(text, sampling or self.sampling), conversation=conversation)

        return step

    def again(self, sampling: Sampling | None = None) -> Step:
        """The last question once more."""

        def step() -> Generate:
            self.chat.messages.pop()
            return self.chat.rest("", sampling or self.sampling)

        return step

    def go_on(self, sampling: Sampling | None = None) -> Step:
        """The last answer goes on."""
        return lambda: self.chat.rest("", sampling or self.sampling)

    def usage(self, number: int = -1) -> Usage:
        """That of a request, or of the newest one."""
        return self.lives[number].usage(self.asked[number].request)

    @property
    def text(self) -> str:
        """What the newest request has written."""
        return self.lives[-1].text(self.asked[-1].request)

    def cold(self) -> str:
        """What an engine without a cache writes to the newest request."""
        return self.lives[-1].cold(self.asked[-1])
