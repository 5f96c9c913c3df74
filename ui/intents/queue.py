"""Intents about the messages of one conversation that wait for the end of its answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EditQueued:
    """Return a message that waits to the composer."""

    message: str


@dataclass(frozen=True, slots=True)
class DropQueued:
    """Remove a message that waits."""

    message: str


@dataclass(frozen=True, slots=True)
class SendQueuedNow:
    """End the answer that is being written, and send this message of those that wait."""

    message: str


@dataclass(frozen=True, slots=True)
class SendQueued:
    """Send the messages that wait, after a pause."""


QueueIntent = EditQueued | DropQueued
