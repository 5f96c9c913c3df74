"""The check of the records on disk, a part at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.cache.disk import report
from engine.cache.disk.report import check_part
from engine.protocol.cache_messages import CacheChecked
from storage.segments.store import SegmentStore
from tests.fakes.segments import assert_agreement, files_of, flip, new_chain


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SegmentStore]:
    with closing(SegmentStore.open(tmp_path)) as made:
        made.commit("one", new_chain("a", 3))
        made.commit("two", new_chain("b", 2))
        yield made


def _all(store: SegmentStore) -> list[CacheChecked]:
    """The answers to one question after another, to the end."""
    parts = [check_part(store, "")]
    while parts[-1].after:
        parts.append(check_part(store, parts[-1].after))
    return parts


def test_every_record_is_checked_once(store: SegmentStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In parts that name their progress, also if a part ends with each record."""
    total = sum(files_of(tmp_path).values())
    assert _all(store) == [CacheChecked("", total, total)]
    monkeypatch.setattr(report, "STEP_BYTES", 1)
    parts = _all(store)
    assert len(parts) == 5
    assert sum(part.checked for part in parts) == total
    assert {part.total for part in parts} == {total}


def test_the_chats_of_damaged_records_are_named(store: SegmentStore, tmp_path: Path) -> None:
    """The record is refused, and a second check finds nothing."""
    flip(tmp_path / "ab" / "ab.kv.safetensors", -1)
    assert _all(store)[-1].damaged == {"one": 1}
    flip(tmp_path / "aa" / "aa.kv.safetensors", -1)
    (tmp_path / "bb" / "bb.kv.safetensors").unlink()
    assert _all(store)[-1].damaged == {"one": 1, "two": 1}
    assert _all(store)[-1].damaged == {}
    assert_agreement(store, tmp_path)


def test_left_over_files_are_erased(store: SegmentStore, tmp_path: Path) -> None:
    """By the last part of a check."""
    stray = tmp_path / "zz" / "zz.kv.safetensors"
    stray.parent.mkdir()
    stray.write_bytes(b"old")
    assert _all(store)[-1].strays == 1
    assert not stray.exists()
