"""Frames: how a message of the protocol becomes a line on a pipe, and a line a message again. Owns the codec, one JSON
object a line; what the messages are is left to `engine.protocol`, the pipes to both processes.
"""

from __future__ import annotations

import msgspec

from engine.protocol import Command, Event

_encoder = msgspec.json.Encoder()
_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode(message: Command | Event) -> bytes:
    """One line, newline included. JSON escapes newlines inside strings, so a line is always one message."""
    return _encoder.encode(message) + b"\n"


def decode_command(line: bytes) -> Command:
    """Raises `msgspec.DecodeError` (its subclass ValidationError for a wrong shape)."""
    return _commands.decode(line)


def decode_event(line: bytes) -> Event:
    """Raises `msgspec.DecodeError` (its subclass ValidationError for a wrong shape)."""
    return _events.decode(line)
