"""Opening a segment store: rows and files are reconciled, damage is dropped, and no other process opens it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.errors import (
    EnvironmentProblem,
    NewerVersion,
    Problem,
)
from storage.segments.store import SegmentStore
from tests.fakes.damages import unconstrained
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    first_bytes,
    flip,
    new_chain,
    stored_keys,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_a_smaller_quota_is_enforced_at_the_next_start(root: Path) -> None:
    """Opening with a smaller quota evicts down to it."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 8))
        held = store.index.stats().bytes
    with closing(SegmentStore.open(root, held // 2)) as store:
        assert stored_keys(store, *(f"s{letter}" for letter in "abcdefgh")) == ["sa", "sb", "sc", "sd"]
        assert_agreement(store, root)


def test_rows_and_files_are_reconciled_at_start(root: Path) -> None:
    """Orphaned and partial files are erased, rows of lost files are removed and counted; foreign files stay."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 4))
        flip(root / "sd" / "sd.kv.safetensors", -1)
        store.verify()
    (root / "sa" / "sa.kv.safetensors").unlink()
    (root / "sb" / "sb.kv.safetensors").write_bytes(b"cut")
    (root / "sc" / "so.kv.safetensors").write_bytes(b"orphan")
    (root / "sc" / "sc.state.safetensors").write_bytes(b"half")
    (root / "sc" / "notes.txt").write_text("a stranger's")
    (root / "my.safetensors").write_text("a stranger's")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert set(files_of(root)) == {"sc.kv.safetensors", "notes.txt"}
        assert (root / "my.safetensors").exists()
        assert [len(segment.records) for segment in store.index.lookup(["sa", "sb", "sc", "sd"])] == [0, 0, 1, 0]
        assert dict(store.index.stats().causes) == {"checksum": 1, "missing": 1, "size": 1}
        store.commit("chat", new_chain("s", 4))
        assert len(store.verify().good) == 4


def test_files_and_folders_are_the_owners_alone(root: Path) -> None:
    """Only the owner can access the root, even if it was open to all before, and everything below it."""
    root.mkdir(mode=0o755)
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 2))
    assert {path.stat().st_mode & 0o777 for path in [root, *root.rglob("*")] if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file()} == {0o600}


def test_a_damaged_index_is_dropped_with_its_records(root: Path) -> None:
    """The cache can be rebuilt, so everything is erased and counted, and the store works."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 2))
    (root / "segments.sqlite").write_bytes(b"rotten" * 4096)
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert files_of(root) == {}
        assert dict(store.index.stats().causes) == {"index": 1}
        store.commit("chat", new_chain("s", 2))
        assert_agreement(store, root)


def test_rows_that_point_out_of_the_store_are_damage(root: Path, tmp_path: Path) -> None:
    """An index that names a path is dropped, and the file at that path stays."""
    (tmp_path / "precious.kv.safetensors").write_text("mine")
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 1))
    with closing(sqlite3.connect(root / "segments.sqlite", isolation_level=None)) as other, unconstrained(other):
        other.execute("INSERT INTO segment VALUES ('../precious', NULL, 'm', 0, 4, 0)")
        other.execute("INSERT INTO hold VALUES ('chat', '../precious')")
        other.execute(
            "INSERT INTO record (segment, kind, bytes, checksum, meta) VALUES ('../precious', 'kv', 4, '', '{}')"
        )
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.index.stats().causes) == {"index": 1}
    assert (tmp_path / "precious.kv.safetensors").read_text() == "mine"


def test_a_newer_index_is_refused_and_left_alone(root: Path) -> None:
    """A newer Hearth's store loses neither rows nor files."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 2))
    with closing(sqlite3.connect(root / "segments.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerVersion):
        SegmentStore.open(root, MUCH)
    assert len(files_of(root)) == 2


def test_a_store_is_open_once(store: SegmentStore, root: Path) -> None:
    """A second opening is refused as locked and does no harm; after closing it succeeds."""
    store.commit("chat", new_chain("s", 1))
    with pytest.raises(EnvironmentProblem) as caught:
        SegmentStore.open(root, MUCH)
    assert caught.value.problem is Problem.LOCKED
    assert first_bytes(store, "sa") == b"\1" * 1000
    store.close()
    with closing(SegmentStore.open(root, MUCH)) as again:
        assert first_bytes(again, "sa") == b"\1" * 1000
