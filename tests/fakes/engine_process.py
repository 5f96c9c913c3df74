"""A process that speaks the protocol and obeys the prompt: `crash`, `garbage`, `long` (a line), `hang`, `stream` (many
steps), `lose` or `lose silently` (its group), or else it repeats the prompt.

Run as a script. `--version N` makes it greet with another protocol version; `--die WORDS` makes it write WORDS to its
log and end at once; `--die-killed` makes a signal end it at once; `--stubborn` makes it ignore the end of its input.
"""

from __future__ import annotations

import os
import signal
import sys

from engine.protocol.cache_messages import TurnStored
from engine.protocol.framing import decode_command, encode
from engine.protocol.group import GROUP_LOST, GroupEnded
from engine.protocol.messages import (
    PROTOCOL_VERSION,
    Cancel,
    Delta,
    Deltas,
    Event,
    Generate,
    LoadModel,
    LoadProgress,
    ModelFailed,
    ModelLoaded,
    Ping,
    Pong,
    Ready,
    Shutdown,
    TurnFinished,
    Usage,
)

STEPS = 300
"""The steps of a stream, each of which is an event."""


def _say(event: Event) -> None:
    sys.stdout.buffer.write(encode(event))
    sys.stdout.buffer.flush()


def _load(path: str) -> None:
    if path == "endless":
        _say(LoadProgress(path, "building"))
        signal.pause()
    if path == "missing":
        _say(ModelFailed(path, "model_missing", "There is no model in this folder."))
    else:
        _say(ModelLoaded(path, 4096))


def _generate(request: Generate) -> None:
    prompt = request.messages[-1].content
    _say(Deltas((Delta(request.request, request.conversation, prompt, 1, 10.0),)))
    if prompt == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if prompt == "garbage":
        sys.stdout.buffer.write(b'{"type": "nonsense"}\n\xff\xfe\n')
    if prompt == "long":
        sys.stdout.buffer.write(b"x" * 1_000_000 + b"\n")
    if prompt == "hang":
        signal.pause()
    if prompt == "stream":
        _stream(request)
    if prompt.startswith("lose"):
        if prompt == "lose":
            _say(GroupEnded(1, "lost"))
        sys.exit(GROUP_LOST)
    usage = Usage(prompt_tokens=len(prompt), prefill_tokens=len(prompt), completion_tokens=1, decode_tps=10.0)
    _say(TurnFinished(request.request, request.conversation, "stop", usage, ledger="[1]"))
    _say(TurnStored(request.conversation))


def _stream(request: Generate) -> None:
    for step in range(STEPS):
        _say(Deltas((Delta(request.request, request.conversation, f" {step}", step + 2, 10.0),)))


def main() -> None:
    """Answer commands until the input ends."""
    if "--die" in sys.argv:
        sys.exit("".join(sys.argv[sys.argv.index("--die") + 1 :]))
    if "--die-killed" in sys.argv:
        os.kill(os.getpid(), signal.SIGKILL)
    version = int(sys.argv[sys.argv.index("--version") + 1]) if "--version" in sys.argv else PROTOCOL_VERSION
    sys.stderr.write("the fake engine starts\n")
    _say(Ready(version))
    for line in sys.stdin.buffer:
        match decode_command(line):
            case LoadModel(path=path):
                _load(path)
            case Generate() as request:
                _generate(request)
            case Cancel(request=name):
                _say(TurnFinished(name, "", "cancelled", Usage()))
            case Ping():
                _say(Pong())
            case Shutdown() if "--stubborn" not in sys.argv:
                return
    while "--stubborn" in sys.argv:
        signal.pause()


if __name__ == "__main__":
    main()
