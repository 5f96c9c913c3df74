"""The library's times in the local time zone."""

from __future__ import annotations

from app.chat import views
from storage.library.rows import LATEST


def test_times_are_the_users_own() -> None:
    """They have a time zone and are the same instant."""
    local = views.local_time(1_700_000_000_000)
    assert local.tzinfo is not None
    assert local.timestamp() == 1_700_000_000


def test_every_time_is_a_date() -> None:
    """The name of a copy may say the last hour of the year 9999, which is no date any more east of Greenwich."""
    assert views.local_time(2**62).timestamp() == LATEST / 1000
    assert views.local_time(-(2**62)).timestamp() == 0
