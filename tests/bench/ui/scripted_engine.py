"""A process that speaks the engine's protocol without a model: it decodes Markdown at a given rate. Run as a script.

A question that begins with `stream` is answered at 100 tokens a second until it is cancelled. Any other one is answered
at once, with 400 tokens.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from itertools import cycle, islice

from engine.protocol.cache_messages import TurnStored
from engine.protocol.framing import decode_command, encode
from engine.protocol.messages import (
    PROTOCOL_VERSION,
    Cancel,
    Command,
    Delta,
    Deltas,
    Event,
    Generate,
    LoadModel,
    ModelLoaded,
    Ping,
    Pong,
    Ready,
    Shutdown,
    TurnFinished,
    Usage,
)

STREAM = "stream"
RATE = 100.0
_ANSWER_TOKENS, _TOKENS_AT_ONCE = 400, 8
_PARAGRAPHS = (
    "The **harbour** was quiet in the morning, and the boats lay still, as `lights()` told. ",
    "\n\n1. The first boat left before dawn.\n2. The second one followed, *slowly*.\n\n",
    "```python\ndef lights(boats: list[str]) -> int:\n    return sum(map(len, boats))  # all of them\n```\n\n",
    "Nobody on the quay had seen what the old keeper wrote into his book about the fog.\n\n",
)
_TOKENS = [token for paragraph in _PARAGRAPHS for token in paragraph.replace(" ", " \0").split("\0")]


class Engine:
    """Answers the commands of its inbox."""

    def __init__(self) -> None:
        self.inbox: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._streams: dict[str, Generate] = {}
        self._step = 0

    def run(self) -> None:
        """Take commands and steps until Shutdown."""
        _say(Ready(PROTOCOL_VERSION))
        due = time.perf_counter()
        while True:
            due = max(due + 1 / RATE, time.perf_counter())
            while (command := self._next(due)) is not None:
                if isinstance(command, Shutdown):
                    return
                self._execute(command)
            self._stream()

    def _next(self, due: float) -> Command | None:
        """The next command, or None once the next step is due."""
        try:
            return self.inbox.get(timeout=max(0.0, due - time.perf_counter()) if self._streams else None)
        except queue.Empty:
            return None

    def _execute(self, command: Command) -> None:
        match command:
            case LoadModel(path=path):
                _say(ModelLoaded(path, 0))
            case Generate() if command.messages[-1].content.startswith(STREAM):
                self._streams[command.request] = command
            case Generate():
                self._answer(command)
            case Cancel(request=request) if stream := self._streams.pop(request, None):
                _end(stream, self._step)
            case Ping():
                _say(Pong())

    def _stream(self) -> None:
        """A token of each stream."""
        self._step += 1
        text = _TOKENS[self._step % len(_TOKENS)]
        _say(Deltas(tuple(_delta(stream, text, self._step) for stream in self._streams.values())))

    def _answer(self, asked: Generate) -> None:
        tokens = cycle(_TOKENS)
        for done in range(0, _ANSWER_TOKENS, _TOKENS_AT_ONCE):
            text = "".join(islice(tokens, _TOKENS_AT_ONCE))
            _say(Deltas((_delta(asked, text, done + _TOKENS_AT_ONCE),)))
        _end(asked, _ANSWER_TOKENS)


def _delta(asked: Generate, text: str, tokens: int) -> Delta:
    return Delta(asked.request, asked.conversation, text, tokens, RATE)


def _end(asked: Generate, tokens: int) -> None:
    usage = Usage(prompt_tokens=100, prefill_tokens=100, completion_tokens=tokens, decode_tps=RATE)
    _say(TurnFinished(asked.request, asked.conversation, "stop", usage, ledger="[1]"))
    _say(TurnStored(asked.conversation))


def _say(event: Event) -> None:
    sys.stdout.buffer.write(encode(event))
    sys.stdout.buffer.flush()


def main() -> None:
    """Run until the pipe ends."""
    engine = Engine()

    def read() -> None:
        for line in sys.stdin.buffer:
            engine.inbox.put(decode_command(line))
        engine.inbox.put(Shutdown())

    threading.Thread(target=read, daemon=True).start()
    engine.run()


if __name__ == "__main__":
    main()
