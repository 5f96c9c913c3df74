"""The segment store under random damage, in short: `python -m tests.soak rot` does it at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.errors import Damage, DamagedRecord
from storage.segments.records import StoredRecord
from storage.segments.store import SegmentStore
from tests.soak import rot


def test_any_damage_is_a_counted_miss_and_is_repaired(tmp_path: Path) -> None:
    """Files, rows and the index's bytes are damaged at random: each damage is counted once, no wrong byte is returned,
    and the next commits complete the store.
    """
    seen = rot.witness(48, tmp_path)
    assert seen.problems == []
    assert seen.causes.total() > 48


def test_the_check_finds_a_miss_that_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that does not count a miss fails the check."""

    def silent(self: SegmentStore, record: StoredRecord, damage: DamagedRecord) -> None:
        if damage.cause is not Damage.CHECKSUM:
            refuse(self, record, damage)

    refuse = SegmentStore.refuse
    monkeypatch.setattr(SegmentStore, "refuse", silent)
    assert rot.witness(8, tmp_path).problems != []
