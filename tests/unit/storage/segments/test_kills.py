"""The segment store under SIGKILL, in short: `python -m tests.soak` does it at length."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from storage.segments.records import NewSegment
from storage.segments.store import SegmentStore
from tests.soak import store_kills


@pytest.mark.usefixtures("preloaded")
def test_a_process_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    """After each kill rows and files agree, nothing is partial or damaged, and acknowledged records are there."""
    assert store_kills.run(8, tmp_path) == []
    with closing(SegmentStore.open(tmp_path / "roomy", store_kills.ROOMY)) as store:
        assert store.index.stats().records > 0, "the children got to work"


def test_the_check_after_a_kill_finds_errors(tmp_path: Path) -> None:
    """It reports a missing file, a stray file, another record's content, and a lost acknowledged record."""
    journal = store_kills.Journal()
    with closing(SegmentStore.open(tmp_path, store_kills.ROOMY)) as store:
        store.commit("one", [NewSegment("aa", None, "m", 0, 1, (store_kills.record("ab", "kv"),))])
    for line in ("committed one aa", "committed two bb", "drop aa bb", "committed three cc", "forget three"):
        journal.hear(line)
    assert store_kills.judged(tmp_path, store_kills.ROOMY, ("one", "two", "three"), journal) == [
        "aa.kv is missing",
        "bb.kv is missing",
    ]
    (tmp_path / "aa" / "aa.kv.safetensors").unlink()
    assert "counted as missing" in store_kills.judged(tmp_path, store_kills.ROOMY, (), journal)
