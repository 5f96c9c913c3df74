"""Intents about the voice that reads answers aloud."""

from __future__ import annotations

from msgspec import Struct


class ReadAloud(Struct, frozen=True):
    """Read the text of a message, in place of what is being read."""

    message: str
    text: str


class StopReading(Struct, frozen=True):
    """Read nothing any more."""


VoiceIntent = ReadAloud | StopReading
