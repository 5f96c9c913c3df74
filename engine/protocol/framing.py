"""Converts messages of the protocol to lines on a pipe and back: one JSON object per line, of limited length."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.protocol.inspection import InspectionFailed, InspectModel, ModelInspected
from engine.protocol.messages import Command, Event
from storage.untrusted import JsonDecoder

LONGEST: Final = 1 << 26
"""The most bytes in a line, in either direction: far more than any model reads or writes."""

Inspection = ModelInspected | InspectionFailed
"""An answer of the inspector process."""

Message = Command | Event | InspectModel | Inspection
"""Whatever crosses a pipe."""

_encoder = msgspec.json.Encoder()
_commands = JsonDecoder[Command](Command)
_events = JsonDecoder[Event](Event)
_questions = JsonDecoder[InspectModel](InspectModel)
_inspections = JsonDecoder[Inspection](Inspection)


def encode(message: Message) -> bytes:
    """Encode a message as one line with its newline. JSON escapes newlines in strings, so a message is never
    two lines.
    """
    return _encoder.encode(message) + b"\n"


def decode_command(line: bytes) -> Command:
    """Raises UntrustedDataError."""
    return _commands.decode(line)


def decode_event(line: bytes) -> Event:
    """Raises UntrustedDataError."""
    return _events.decode(line)


def decode_inspect(line: bytes) -> InspectModel:
    """A line to the inspector process. Raises UntrustedDataError."""
    return _questions.decode(line)


def decode_inspection(line: bytes) -> Inspection:
    """A line from the inspector process. Raises UntrustedDataError."""
    return _inspections.decode(line)


class Lines:
    """Splits the bytes of a pipe into lines. Buffers at most one line, up to `longest` bytes."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._held = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that end in `data`, without their newlines. A line that is too long is reported once, as None, as
        soon as it exceeds the limit; the rest of it is skipped.
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
