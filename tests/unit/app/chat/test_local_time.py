"""The library's times in the local time zone."""

from __future__ import annotations

from app.chat import views


def test_times_are_the_users_own() -> None:
    """They have a time zone and are the same instant."""
    local = views.local_time(1_700_000_000_000)
    assert local.tzinfo is not None
    assert local.timestamp() == 1_700_000_000
