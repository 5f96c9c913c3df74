"""Sizes in words."""

from __future__ import annotations

import pytest

from app import amounts


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 bytes"),
        (840, "840 bytes"),
        (12 * 2**10, "12 KB"),
        (1_258_291, "1.2 MB"),
        (40 * 2**20, "40 MB"),
        (3 * 2**30, "3.0 GB"),
        (100 * 2**30, "100 GB"),
    ],
)
def test_sizes_are_short(number: int, words: str) -> None:
    """Two figures are enough."""
    assert amounts.size(number) == words


def test_times_are_the_users_own() -> None:
    """They have a zone, and are the same moment."""
    local = amounts.local_time(1_700_000_000_000)
    assert local.tzinfo is not None
    assert local.timestamp() == 1_700_000_000
