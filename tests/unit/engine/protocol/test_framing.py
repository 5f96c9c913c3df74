"""Messages on the pipe in both directions, and damaged lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import CheckCache, ListWarmModels, SetBudget, StoreReport, WarmModels
from engine.protocol.framing import decode_command, decode_event, encode
from engine.protocol.sampling_settings import Sampling
from resources.language.sentence import sentence
from storage.untrusted import UntrustedDataError
from tests.fakes.foreign import DEPTH, flipped

_CALLS = (protocol.ToolCall("add", '{"a":1}'),)
COMMANDS: tuple[protocol.Command, ...] = (
    protocol.LoadModel("/models/ä", 8),
    protocol.Generate("r", "c", (protocol.ChatMessage("assistant", "Ünd?", "AA==", "hm", _CALLS),), Sampling(seed=7)),
    SetBudget(1 << 30, ("c",)),
    ListWarmModels("c"),
    protocol.CountTokens("c", "Ünd?"),
    CheckCache("k.kv"),
    protocol.FitPrompt("r", "c", (protocol.ChatMessage("user", "Hi"),), (0,), 10),
    protocol.Shutdown(),
)
EVENTS: tuple[protocol.Event, ...] = (
    protocol.Ready(protocol.PROTOCOL_VERSION),
    protocol.Deltas((protocol.Delta("r", "c", "ä", 3, 40.5),)),
    protocol.TurnFinished("r", "c", "stop", protocol.Usage(miss_cause="new"), "AA==", tool_calls=_CALLS),
    protocol.TurnFinished("r", "c", "failed", protocol.Usage(), told=sentence("{count} is too long.", count=9)),
    StoreReport(1, 2, 3, 4, {"checksum": 1}),
    WarmModels("c", ("a", "b")),
    protocol.TokensCounted("c", 3),
    protocol.PromptFitted("r", "c", 0),
)
DIRECTIONS = [
    pytest.param(decode_command, COMMANDS, id="commands"),
    pytest.param(decode_event, EVENTS, id="events"),
]


@pytest.mark.parametrize(("decode", "messages"), DIRECTIONS)
def test_one_changed_bit_anywhere_gives_a_message_or_the_error(
    decode: Callable[[bytes], object], messages: tuple[protocol.Command | protocol.Event, ...]
) -> None:
    """Neither the engine nor the app fails because of a damaged line."""
    refused = 0
    for message in messages:
        line = encode(message)
        assert decode(line) == message
        for damaged in flipped(line):
            try:
                decode(damaged)
            except UntrustedDataError:
                refused += 1
    assert refused > 100, "the check sees damage"


LINES = {
    "empty": b"",
    "null": b"null",
    "unknown": b'{"type":"no"}',
    "no text": b"\xff",
    "deep": b"[" * DEPTH,
    "deep command": b'{"type":"ping","n":' + b"[" * DEPTH,
    "deep event": b'{"type":"pong","n":' + b"[" * DEPTH,
}


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("decode", [decode_command, decode_event])
def test_no_line_raises_anything_else(decode: Callable[[bytes], object], line: str) -> None:
    """Neither deep nesting nor invalid text raises anything but UntrustedDataError."""
    with pytest.raises(UntrustedDataError):
        decode(LINES[line])
