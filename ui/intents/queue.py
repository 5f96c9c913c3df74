"""Intents about the messages of one conversation that wait for the end of its answer."""

from __future__ import annotations

from msgspec import Struct


class EditQueued(Struct, frozen=True):
    """Return a message that waits to the composer."""

    message: str


class DropQueued(Struct, frozen=True):
    """Remove a message that waits."""

    message: str


class SendQueuedNow(Struct, frozen=True):
    """End the answer that is being written, and send this message of those that wait."""

    message: str


class SendQueued(Struct, frozen=True):
    """Send the messages that wait, after a pause."""


QueueIntent = EditQueued | DropQueued
