"""Downloads survive the kill of the process at random moments. `make soak` runs a longer form."""

from __future__ import annotations

from pathlib import Path

from tests.soak import download_kills


def test_killed_downloads_continue_and_none_is_taken_for_whole(tmp_path: Path) -> None:
    """Two downloads, each killed up to three times, end with the files of the commit that they began."""
    seen = download_kills.witness(2, tmp_path, seed=2)
    assert seen.problems == []
    assert seen.kills > 0
