"""The cold, lone twin of every reply: the same request to an engine that caches nothing and answers one request at a
time.

A stopped reply is compared with a twin that is limited to the same number of tokens.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from engine.protocol import messages as protocol
from engine.protocol.messages import Generate
from tests.soak.engine_pipe import EnginePipe

AHEAD = 32
"""The most replies that wait for their twin before the soak waits too."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A request, the text of its reply, and the number of its tokens. If it is not `whole`, the engine was lost: the
    text may end before the last token does.
    """

    command: Generate
    text: str
    tokens: int
    whole: bool = True


@dataclass
class Twins:
    """Compares replies one after another, on its own thread."""

    engine: EnginePipe
    model: Path
    equal: int = 0
    different: list[str] = field(default_factory=list)
    _waiting: queue.Queue[Reply | None] = field(default_factory=lambda: queue.Queue(AHEAD))

    def start(self) -> None:
        """Load the model and begin."""
        self.engine.load(self.model)
        self._thread = threading.Thread(target=self._run, name="soak-twins", daemon=True)
        self._thread.start()

    def compare(self, reply: Reply) -> None:
        """Have a reply compared. Blocks while too many are waiting."""
        self._waiting.put(reply)

    def finish(self) -> None:
        """Wait for the last comparison."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (reply := self._waiting.get()) is not None:
            told = self._again(reply)
            if told == reply.text or (told.startswith(reply.text) and not reply.whole):
                self.equal += 1
            else:
                self.different.append(f"{reply.command}\n  batched: {reply.text!r}\n  alone:   {told!r}")

    def _again(self, reply: Reply) -> str:
        if not reply.tokens:
            return ""
        sampling = msgspec.structs.replace(reply.command.sampling, max_tokens=reply.tokens)
        command = msgspec.structs.replace(reply.command, sampling=sampling, cached=False, alternatives=())
        self.engine.say(command)
        text = ""
        while not isinstance(event := self.engine.hear(), protocol.TurnFinished):
            if isinstance(event, protocol.Deltas):
                text += "".join(row.text for row in event.rows)
        return text if event.reason != "failed" else f"failed: {event.message}"
