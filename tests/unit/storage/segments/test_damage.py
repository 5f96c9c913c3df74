"""Damaged records and damaged rows."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from storage.errors import DamagedDatabase, DamagedRecord
from storage.segments.index import Index
from storage.segments.records import NewRecord, StoredRecord, Tensor
from storage.segments.store import SegmentStore
from tests.fakes.damages import FILES, ROWS, FileDamage, RowDamage, unconstrained
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    first_bytes,
    flip,
    new_record,
    new_segment,
    open_files,
    read,
    read_all,
)

_IN_THE_MIDDLE = FileDamage("a bit in the middle of the header", "header", lambda path: flip(path, 100))


def _by_reading(store: SegmentStore, record: StoredRecord) -> str:
    with pytest.raises(DamagedRecord) as caught:
        read(store, record)
    return caught.value.cause.value


def _by_a_check(store: SegmentStore, _: StoredRecord) -> str:
    (cause,) = store.verify(most=1).causes.elements()
    return cause


@pytest.mark.sweep(24)
@pytest.mark.parametrize("found", [_by_reading, _by_a_check])
@pytest.mark.parametrize("damage", [*FILES, _IN_THE_MIDDLE], ids=lambda damage: damage.name)
def test_a_damaged_record_is_a_counted_miss(
    store: SegmentStore, root: Path, damage: FileDamage, found: Callable[[SegmentStore, StoredRecord], str]
) -> None:
    """Reading the record and checking the store find any damage to its file, with the same cause. The row and the file
    are removed, the damage is counted once, and the record can be written anew.
    """
    chain = [new_segment("aa", None, new_record("kv"), new_record("state")), new_segment("bb", "aa")]
    store.commit("chat", chain)
    assert len(store.verify().good) == 3
    record = store.index.lookup(["aa"])[0].records["kv"]
    damage.do(root / "aa" / "aa.kv.safetensors")
    assert found(store, record) == damage.cause
    assert set(store.index.lookup(["aa"])[0].records) == {"state"}
    with pytest.raises(DamagedRecord):
        read(store, record)
    assert dict(store.index.stats().causes) == {damage.cause: 1}
    assert (root / "aa").is_symlink() or not os.path.lexists(root / "aa" / "aa.kv.safetensors")
    assert first_bytes(store, "bb") == b"\1" * 1000
    store.commit("chat", chain)
    assert first_bytes(store, "aa") == b"\1" * 1000


def test_every_changed_byte_is_noticed(store: SegmentStore, root: Path) -> None:
    """If any byte of the length, the header or a tensor changes, the record is refused. Its file does not stay open."""
    tensors = {f"{number}.keys": Tensor("F16", (2, 4), memoryview(bytes([number + 1]) * 16)) for number in range(5)}
    store.commit("chat", [new_segment("aa", None, NewRecord("kv", tensors, {"note": "x"}))])
    record = store.index.lookup(["aa"])[0].records["kv"]
    path = root / "aa" / "aa.kv.safetensors"
    before = open_files()
    for at in range(path.stat().st_size):
        flip(path, at, 1 << at % 8)
        with pytest.raises(DamagedRecord), store.reading(record) as reading:
            read_all(reading)
        flip(path, at, 1 << at % 8)
    assert open_files() == before
    assert {name: bytes(at.data) for name, at in read(store, record).items()} == {
        name: bytes(at.data) for name, at in tensors.items()
    }


def _half(path: Path) -> None:
    path.write_bytes(b"half")


def _full_folder(path: Path) -> None:
    (path / "inside").mkdir(parents=True)
    (path / "inside" / "file").write_text("x")


def _dead_link(path: Path) -> None:
    path.symlink_to("nowhere")


def _link(path: Path) -> None:
    path.symlink_to(path.parents[2] / "elsewhere" / "aa.kv.safetensors")


def _link_to_a_folder(path: Path) -> None:
    path.symlink_to(path.parents[2] / "elsewhere")


def _linked_folder(path: Path) -> None:
    path.parent.rmdir()
    path.parent.symlink_to(path.parents[2] / "elsewhere")


@pytest.mark.parametrize(
    "leave", [_half, _full_folder, os.mkfifo, _dead_link, _link, _link_to_a_folder, _linked_folder]
)
def test_a_record_takes_the_place_of_anything(
    store: SegmentStore, root: Path, tmp_path: Path, leave: Callable[[Path], None]
) -> None:
    """A part of a file that a kill left, a folder, a pipe or a link is replaced by the new file, which belongs to the
    owner only. Nothing is written or erased through a link.
    """
    mine = tmp_path / "elsewhere" / "aa.kv.safetensors"
    mine.parent.mkdir()
    mine.write_text("mine")
    path = root / "aa" / "aa.kv.safetensors"
    path.parent.mkdir()
    leave(path)
    store.commit("chat", [new_segment("aa")])
    assert first_bytes(store, "aa") == b"\1" * 1000
    assert path.lstat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    flip(path, -1)
    store.verify()
    assert files_of(root) == {}
    path.parent.rmdir()
    path.parent.symlink_to(mine.parent)
    store.forget("chat")
    assert [file.read_text() for file in mine.parent.iterdir()] == ["mine"]


@pytest.mark.sweep(12)
@pytest.mark.parametrize("damage", ROWS, ids=lambda damage: damage.change)
def test_an_invalid_row_is_a_counted_miss(store: SegmentStore, index: Index, root: Path, damage: RowDamage) -> None:
    """A row that its table does not allow costs the index, any other wrong row its record. Either is counted once."""
    _fill_each_table(store, index)
    store.close()
    with closing(sqlite3.connect(root / "segments.sqlite", isolation_level=None)) as other, unconstrained(other):
        assert other.execute(damage.change).rowcount > 0
    with closing(SegmentStore.open(root, MUCH)) as again:
        again.verify()
        assert dict(again.index.stats().causes) == dict.fromkeys(damage.causes, 1)
        assert again.index.stats().records == 0
        again.commit("chat", [new_segment("aa")])
        assert_agreement(again, root)


@pytest.mark.sweep(12)
@pytest.mark.parametrize("damage", ROWS, ids=lambda damage: damage.change)
def test_damage_during_use_is_repaired_by_the_next_start(
    store: SegmentStore, index: Index, root: Path, damage: RowDamage
) -> None:
    """During use the damage is a miss or ends that use; after the next start no call meets it."""
    _fill_each_table(store, index)
    with unconstrained(index.raw):
        assert index.raw.execute(damage.change).rowcount > 0
    with suppress(DamagedDatabase, DamagedRecord):
        _use(store)
    store.close()
    with closing(SegmentStore.open(root, MUCH)) as again:
        with suppress(DamagedRecord):
            _use(again)
        again.index.pin([])
        _use(again)
        assert again.index.lookup(["aa"]) == ()
        assert_agreement(again, root)


def _fill_each_table(store: SegmentStore, index: Index) -> None:
    store.commit("chat", [new_segment("aa")])
    store.index.pin(["chat"])
    index.raw.execute("INSERT INTO lost VALUES ('aa', 'state')")


def _use(store: SegmentStore) -> None:
    store.index.stats()
    store.commit("chat", [new_segment("aa")])
    assert first_bytes(store, "aa") == b"\1" * 1000
    store.index.conversations()
    store.index.roots("model")
    store.set_quota(0)
    store.set_quota(MUCH)
