"""The index's file: complete, not replaced, and used by one process."""

from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.database import DERIVED, Schema
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem
from storage.segments.index import Index
from storage.segments.schema import SCHEMA

if TYPE_CHECKING:
    from pathlib import Path


def _opened(path: Path) -> Index:
    return Index.open(path, SCHEMA, DERIVED)


def test_the_index_is_not_mapped(tmp_path: Path) -> None:
    """No memory is mapped from a file, because an unplugged disk would kill the process."""
    with closing(_opened(tmp_path / "index")) as index:
        with index.transaction() as connection:
            connection.exec_driver_sql("INSERT INTO pin VALUES ('chat')")
        assert sorted(path.name for path in tmp_path.glob("index*")) == ["index", "index-wal"]
        assert index.raw.execute("PRAGMA mmap_size").fetchone() in {(0,), None}


def test_a_transaction_goes_to_the_file_of_that_name_or_nowhere(tmp_path: Path) -> None:
    """A removed, replaced or moved index has vanished; once it is back, transactions work."""
    path = tmp_path / "index"
    with closing(_opened(path)) as index:
        path.rename(tmp_path / "away")
        with pytest.raises(EnvironmentProblem) as caught, index.transaction():
            pass
        assert caught.value.problem is Problem.VANISHED
        shutil.copy(tmp_path / "away", path)
        with pytest.raises(EnvironmentProblem) as caught, index.transaction():
            pass
        assert caught.value.problem is Problem.VANISHED
        (tmp_path / "away").rename(path)
        with index.transaction() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM pin").scalar_one() == 0


def test_damage_anywhere_is_found_at_the_start(tmp_path: Path) -> None:
    """Opening also checks pages that no query reads."""
    path = tmp_path / "index"
    with closing(_opened(path)) as index, index.transaction() as connection:
        page = connection.exec_driver_sql("SELECT rootpage FROM sqlite_schema WHERE name = 'hold_segment'").scalar_one()
        size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(DamagedDatabase):
        _opened(path)


def test_no_older_version_is_kept(tmp_path: Path) -> None:
    """The copy made before an upgrade is removed after it, because rows can be rebuilt."""
    path = tmp_path / "index"
    _opened(path).close()
    later = Schema(SCHEMA.oldest, (*SCHEMA.steps, lambda _: None))
    Index.open(path, later, DERIVED).close()
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("index.v")] == []
