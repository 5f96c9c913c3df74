"""Moments of the library as the window shows them. Owns the user's own time zone; pure."""

from __future__ import annotations

from datetime import UTC, datetime


def local_time(milliseconds: int) -> datetime:
    """A time of the library (ms, UTC) in the user's zone."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
