"""A disk that fills up under the stores. The full form, with chats over it, is a part of `make soak`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.segments.files import RecordFiles
from tests.soak import disk_full

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_full_disk_costs_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """The disk fills up at ten random moments and is freed again: what was refused is there in no form, all else is
    there, can be read meanwhile, and goes on by itself.
    """
    seen = disk_full.witness(10, tmp_path)
    assert seen.problems == []
    assert seen.done.total() > 0
    assert seen.refused.total() > 0


def test_the_judge_sees_what_a_full_disk_has_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that leaves what it could not finish is found out."""
    monkeypatch.setattr(RecordFiles, "_erase_doomed", lambda _: None)
    assert disk_full.witness(4, tmp_path).problems != []
