"""A disk that fills up under the stores. `make soak` runs a longer form with chats."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.segments.files import RecordFiles
from tests.soak import disk_full


def test_a_full_disk_costs_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """The disk fills up at ten random moments and is freed again. Refused data is stored in no form. Acknowledged data
    stays readable, and the stores recover by themselves.
    """
    seen = disk_full.witness(10, tmp_path)
    assert seen.problems == []
    assert seen.done.total() > 0
    assert seen.refused.total() > 0


def test_the_check_detects_a_half_finished_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check finds a store that leaves unfinished data behind."""
    monkeypatch.setattr(RecordFiles, "erase", lambda *_: None)
    assert disk_full.witness(4, tmp_path).problems != []
