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

PipeMessage = Command | Event | InspectModel | Inspection
"""Whatever crosses a pipe."""

_encoder = msgspec.json.Encoder()


def encode(message: PipeMessage) -> bytes:
    """Encode a message as one line with its newline. JSON escapes newlines in strings, so a message is never
    two lines.
    """
    return _encoder.encode(message) + b"\n"


# Each raises UntrustedDataError.
decode_command = JsonDecoder[Command](Command).decode
decode_event = JsonDecoder[Event](Event).decode
decode_inspect = JsonDecoder[InspectModel](InspectModel).decode
decode_inspection = JsonDecoder[Inspection](Inspection).decode


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
