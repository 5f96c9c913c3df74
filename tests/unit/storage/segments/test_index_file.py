"""The index's file: not mapped, and without copies of older versions."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from storage.database import DERIVED, Schema
from storage.segments.index import Index
from storage.segments.schema import SCHEMA


def _opened(path: Path) -> Index:
    return Index.open(path, SCHEMA, DERIVED)


def test_the_index_is_not_mapped(tmp_path: Path) -> None:
    """No memory is mapped from a file, because an unplugged disk would kill the process."""
    with closing(_opened(tmp_path / "index")) as index:
        with index.transaction() as connection:
            connection.exec_driver_sql("INSERT INTO pin VALUES ('chat')")
        assert sorted(path.name for path in tmp_path.glob("index*")) == ["index", "index-wal"]
        assert index.raw.execute("PRAGMA mmap_size").fetchone() in {(0,), None}


def test_no_older_version_is_kept(tmp_path: Path) -> None:
    """The copy made before an upgrade is removed after it, because rows can be rebuilt."""
    path = tmp_path / "index"
    _opened(path).close()
    later = Schema(SCHEMA.oldest, (*SCHEMA.steps, lambda _: None))
    Index.open(path, later, DERIVED).close()
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("index.v")] == []
