"""An engine without a model: it speaks the protocol and writes each answer word by word, for tests of the window.

- Requests can be stopped at any word, several answers are written at the same time, and every
  command that has an answer gets one.
- The prompt can ask for a `long` answer or an `endless` one, and for an ending: `cut` stops at the length, `fail`
  fails, `full` does not fit into the context, and `crash` kills the process.

Run as a script.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from app.base.program import Program
from engine.protocol.cache_messages import (
    CacheSizes,
    Forget,
    Forgotten,
    ListCacheSizes,
    ListWarmModels,
    Memory,
    ReportStore,
    SetBudget,
    StoreReport,
    TurnStored,
    WarmModels,
)
from engine.protocol.framing import Lines, decode_command, encode
from engine.protocol.messages import (
    PROTOCOL_VERSION,
    Cancel,
    Command,
    CountTokens,
    Delta,
    Deltas,
    Event,
    FinishReason,
    FitPrompt,
    Generate,
    LoadModel,
    ModelFailed,
    ModelLoaded,
    ModelUnloaded,
    Ping,
    Pong,
    Progress,
    PromptFitted,
    Ready,
    Shutdown,
    TokensCounted,
    TurnFinished,
    UnloadModel,
    Usage,
    Warm,
    Warmed,
)

WORDS = (
    "Well,",
    "**that**",
    "is",
    "`one`",
    "way",
    "to",
    "see",
    "it.\n\n",
    "- first",
    "\n- second",
    "\n\nAnd",
    "so on.",
)
PACE_S = 0.01
IDENTITY = "pacing"


@dataclass
class Row:
    """An answer that is being written."""

    request: str
    conversation: str
    prompt: str
    written: int = 0

    def word(self) -> Delta:
        """The next word."""
        text = f"{WORDS[self.written % len(WORDS)]} "
        self.written += 1
        return Delta(self.request, self.conversation, text, self.written, 100.0)

    def length(self) -> int:
        """How many words it will have."""
        return len(WORDS) * (10 if "long" in self.prompt else 1000 if "endless" in self.prompt else 1)

    def ending(self) -> tuple[FinishReason, str, str]:
        """How the answer ends: the reason, the code and the message of an error."""
        if "fail" in self.prompt:
            return "failed", "model_failed", "The model failed."
        if "full" in self.prompt:
            return "context", "", ""
        return ("length", "", "") if "cut" in self.prompt else ("stop", "", "")


class PacingEngine:
    """Answers commands between two words."""

    def __init__(self) -> None:
        self.model = ""
        self._rows: dict[str, Row] = {}

    def run(self) -> None:
        """Work until the input ends or the app says so."""
        say(Ready(PROTOCOL_VERSION))
        lines, selector = Lines(), selectors.DefaultSelector()
        selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
        while True:
            if selector.select(PACE_S if self._rows else None):
                portion = os.read(sys.stdin.fileno(), 1 << 16)
                if not portion:
                    return
                for line in lines.feed(portion):
                    command = decode_command(line or b"")
                    if isinstance(command, Shutdown):
                        return
                    self._obey(command)
            self._write()

    def _write(self) -> None:
        """One word of each answer."""
        rows = list(self._rows.values())
        if rows:
            say(Deltas(tuple(row.word() for row in rows)))
        for row in rows:
            if row.written >= row.length():
                reason, code, message = row.ending()
                self._end(row.request, reason, code, message)
                say(TurnStored(row.conversation))

    def _end(self, request: str, reason: FinishReason, code: str = "", message: str = "") -> None:
        row = self._rows.pop(request, None)
        if row is not None:
            usage = Usage(len(row.prompt), 0, "none", len(row.prompt), row.written, 0.0, 1.0, 100.0)
            say(TurnFinished(request, row.conversation, reason, usage, "[1]", code, message))

    def _obey(self, command: Command) -> None:  # noqa: C901 - one match over the commands
        match command:
            case LoadModel():
                self._load(command)
            case UnloadModel():
                say(ModelUnloaded(self.model, "", ""))
                self.model = ""
            case Generate():
                self._begin(command)
            case Cancel(request=request):
                self._end(request, "cancelled")
            case Warm(conversation=chat, messages=messages):
                say(Warmed(chat, 10 * len(messages), 10 * len(messages), 1.0))
            case CountTokens(subject=subject, text=text):
                say(TokensCounted(subject, len(text) // 4))
            case FitPrompt(request=request, conversation=chat, starts=starts):
                say(PromptFitted(request, chat, starts[-1]))
            case Forget(conversation=chat):
                say(Forgotten(chat))
                say(Memory(1 << 20, 1 << 10, 1))
            case SetBudget() | ReportStore():
                say(StoreReport(0, 1 << 30, 0, 0))
            case ListCacheSizes(conversation=chat):
                say(CacheSizes(chat))
            case ListWarmModels(conversation=chat):
                say(WarmModels(chat, (IDENTITY,)))
            case Ping():
                say(Pong())

    def _load(self, command: LoadModel) -> None:
        if "missing" in command.subject:
            say(ModelFailed(command.subject, "model_missing", "There is no model in this folder."))
        else:
            self.model = command.subject
            say(ModelLoaded(command.subject, 4096, thinks=True, identity=IDENTITY))

    def _begin(self, command: Generate) -> None:
        prompt = command.messages[-1].content
        if "crash" in prompt:
            os.kill(os.getpid(), signal.SIGKILL)
        for name in (command.request, *command.alternatives):
            self._rows[name] = Row(name, command.conversation, prompt)
            say(Progress(name, command.conversation, "prefill", 0, len(prompt)))


def say(event: Event) -> None:
    """Send an event to the app."""
    sys.stdout.buffer.write(encode(event))
    sys.stdout.buffer.flush()


def pacing_engine(*_: object, **_named: object) -> Program:
    """What to run in the place of the engine."""
    return Program(sys.executable, ("-m", "tests.fakes.pacing_engine"), Path(__file__).parents[2])


if __name__ == "__main__":
    PacingEngine().run()
