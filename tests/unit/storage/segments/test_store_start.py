"""Opening a segment store: rows and files are reconciled, damage is dropped, and no other process opens it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from storage.errors import NewerVersion, Problem
from storage.segments.store import SegmentStore
from tests.fakes.damages import unconstrained
from tests.fakes.problems import reported
from tests.fakes.segments import MUCH, assert_agreement, files_of, first_bytes, flip, new_chain


def test_rows_and_files_are_reconciled_at_start(root: Path) -> None:
    """Orphaned and partial files are erased, rows of lost files are removed and counted; a folder or a link is not a
    record. So a power loss may tear what the last turns wrote. Whatever has no record's name stays, folders with all
    that is in them.
    """
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 7))
    (root / "sa" / "sa.kv.safetensors").unlink()
    (root / "sb" / "sb.kv.safetensors").write_bytes(b"cut")
    (root / "sc" / "sc.kv.safetensors").unlink()
    (root / "sc" / "sc.kv.safetensors" / "inside").mkdir(parents=True)
    (root / "sd").rename(root / "elsewhere")
    (root / "sd").symlink_to("elsewhere")
    zeros = root / "se" / "se.kv.safetensors"
    zeros.write_bytes(bytes(zeros.stat().st_size))
    (root / "sf" / "sf.kv.safetensors").replace(root / "elsewhere" / "sf.kv.safetensors")
    (root / "sf" / "sf.kv.safetensors").symlink_to(root / "elsewhere" / "sf.kv.safetensors")
    strays = ("sg/sgo.kv.safetensors", "sg/sg.state.safetensors", "aa/aa.kv.safetensors", "a/a.window.safetensors")
    foreign = (
        "my.safetensors",
        "b",
        "sg/notes.txt",
        "sg/so.kv.safetensors",
        "sg/sg.safetensors",
        "xl/base.safetensors",
        "xl/sub.safetensors/notes.txt",
        "xl/xl.kv.safetensors/notes.txt",
        "long/lo.kv.safetensors",
        "AA/AA.kv.safetensors",
    )
    for name in (*strays, *foreign):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("a stranger's")
    (root / "cc").symlink_to("long")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.damage_at_opening) == {"missing": 2, "size": 1, "not_a_file": 2}
        assert not any((root / name).exists() for name in strays)
        assert {(root / name).read_text() for name in foreign} == {"a stranger's"}
        assert len([*(root / "elsewhere").iterdir()]) == 2
        assert (root / "cc").is_symlink()
        assert len(store.verify().good) == 1
        assert dict(store.index.stats().causes) == {"missing": 2, "size": 1, "not_a_file": 2, "header": 1}
        records = [len(segment.records) for segment in store.index.lookup([f"s{letter}" for letter in "abcdefg"])]
        assert records == [0, 0, 0, 0, 0, 0, 1]
        store.commit("chat", new_chain("s", 7))
        assert len(store.verify().good) == 7


def test_a_link_in_the_place_of_the_store_is_refused(root: Path, tmp_path: Path) -> None:
    """Nothing is written, erased or closed to others in the folder to which it leads: that is the user's."""
    (mine := tmp_path / "mine" / "aa" / "aa.kv.safetensors").parent.mkdir(parents=True)
    mine.write_text("mine")
    (tmp_path / "mine").chmod(0o755)
    root.symlink_to(tmp_path / "mine")
    with reported(Problem.IN_THE_WAY):
        SegmentStore.open(root, MUCH)
    assert [path for path in (tmp_path / "mine").rglob("*") if path.is_file()] == [mine]
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o755


def test_files_and_folders_are_the_owners_alone(root: Path) -> None:
    """Only the owner can access the root, even if it was open to all before, and everything below it."""
    root.mkdir(mode=0o755)
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 2))
    assert {path.stat().st_mode & 0o777 for path in [root, *root.rglob("*")] if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file()} == {0o600}


def _rotten(index: Path) -> None:
    index.write_bytes(b"rotten" * 4096)


def _folder(index: Path) -> None:
    index.unlink()
    index.mkdir()


def _link(index: Path) -> None:
    index.replace(index.parents[1] / "elsewhere")
    index.symlink_to(index.parents[1] / "elsewhere")


def _schema_that_is_no_text(index: Path) -> None:
    flip(index, index.read_bytes().index(b"CREATE TABLE"), 0x80)


def _unread_page(index: Path) -> None:
    with closing(sqlite3.connect(index)) as raw:
        (page,) = raw.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'segment_used'").fetchone()
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    flip(index, (page - 1) * size, 0xFF)


def _path_as_key(index: Path) -> None:
    with closing(sqlite3.connect(index, isolation_level=None)) as raw, unconstrained(raw):
        raw.execute("INSERT INTO segment VALUES ('../precious', NULL, 'm', 0, 4, 0)")
        raw.execute("INSERT INTO hold VALUES ('chat', '../precious')")
        raw.execute(
            "INSERT INTO record (segment, kind, bytes, checksum, meta) VALUES ('../precious', 'kv', 4, '', '{}')"
        )


_NO_VACUUM = partial(flip, at=54, mask=5)
"""SQLite refuses a file that says so in its header."""


@pytest.mark.parametrize(
    "damage", [_rotten, _folder, _link, _NO_VACUUM, _schema_that_is_no_text, _unread_page, _path_as_key]
)
def test_a_damaged_index_is_dropped_with_its_records(
    root: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """The cache can be rebuilt, so everything is erased and counted, and the store works. Damage is also found on pages
    that no query of a start reads, and no row leads to a file outside the store.
    """
    (tmp_path / "precious.kv.safetensors").write_text("mine")
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 2))
    damage(root / "segments.sqlite")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert files_of(root) == {}
        assert dict(store.index.stats().causes) == {"index": 1}
        store.commit("chat", new_chain("s", 2))
        assert_agreement(store, root)
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
    with reported(Problem.LOCKED):
        SegmentStore.open(root, MUCH)
    assert first_bytes(store, "sa") == b"\1" * 1000
    store.close()
    with closing(SegmentStore.open(root, MUCH)) as again:
        assert first_bytes(again, "sa") == b"\1" * 1000
