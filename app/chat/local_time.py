"""Moments: the library's times in the local time zone. Pure."""

from __future__ import annotations

from datetime import UTC, datetime


def local_time(milliseconds: int) -> datetime:
    """A time of the library (ms, UTC) in the local time zone."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
