"""Frames: how a message of the protocol becomes a line on a pipe, and a line a message again. Owns the codec, one JSON
object a line, and how long a line may be; what the messages are is left to `engine.protocol.messages`, the pipes to
both processes.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.protocol.messages import Command, Event
from storage.foreign import JsonDecoder

LONGEST: Final = 1 << 26
"""Bytes in a line, in either direction: far more than any model reads or writes."""

_encoder = msgspec.json.Encoder()
_commands = JsonDecoder[Command](Command)
_events = JsonDecoder[Event](Event)


def encode(message: Command | Event) -> bytes:
    """One line, newline included. JSON escapes newlines inside strings, so a line is always one message."""
    return _encoder.encode(message) + b"\n"


def decode_command(line: bytes) -> Command:
    """Raises ForeignError."""
    return _commands.decode(line)


def decode_event(line: bytes) -> Event:
    """Raises ForeignError."""
    return _events.decode(line)


class Lines:
    """Splits the bytes of a pipe into lines. Holds at most one line, and of that at most `longest` bytes."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._held = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that end in `data`, without their newlines. A line that is too long is reported once, as None, as
        soon as it is; the rest of it is skipped.
        """
        found: list[bytes | None] = []
        *ends, rest = data.split(b"\n")
        for end in ends:
            found += self._hold(end)
            if not self._skipping:
                found.append(bytes(self._held))
            self._held.clear()
            self._skipping = False
        return found + self._hold(rest)

    def _hold(self, part: bytes) -> list[None]:
        if self._skipping:
            return []
        self._skipping = len(self._held) + len(part) > self._longest
        if self._skipping:
            self._held.clear()
            return [None]
        self._held += part
        return []
