"""The segment store while it rots, in short: `python -m tests.soak rot` does it at length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.errors import Damage, DamagedRecord
from storage.segments.store import SegmentStore
from tests.soak import rot

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from storage.segments.records import StoredRecord


def test_whatever_rots_is_a_counted_miss_and_heals(tmp_path: Path) -> None:
    """Files, rows and the index's bytes are spoiled at random: each is counted once, no wrong byte is handed out, and
    the next commits make the store whole.
    """
    seen = rot.witness(16, tmp_path)
    assert seen.problems == []
    assert seen.causes.total() > 16


def test_the_judge_sees_a_miss_that_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that forgets to count is found out."""

    def silent(self: SegmentStore, record: StoredRecord, damage: DamagedRecord) -> None:
        if damage.cause is not Damage.CHECKSUM:
            refuse(self, record, damage)

    refuse = SegmentStore.refuse
    monkeypatch.setattr(SegmentStore, "refuse", silent)
    assert rot.witness(8, tmp_path).problems != []
