"""Damaged records and damaged rows."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from storage.errors import DamagedDatabase, DamagedRecord, EnvironmentProblem, NewerVersion, Problem, StorageError
from storage.segments.store import SegmentStore
from tests.fakes.damages import FILES, ROWS, FileDamage, RowDamage, unconstrained
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    first_bytes,
    flip,
    new_chain,
    new_record,
    new_segment,
    read,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.segments.index import Index


_IN_THE_MIDDLE = FileDamage("a bit in the middle of the header", "header", lambda path: flip(path, 100))


@pytest.mark.sweep(12)
@pytest.mark.parametrize("damage", [*FILES, _IN_THE_MIDDLE], ids=lambda damage: damage.name)
def test_a_damaged_record_is_a_counted_miss(store: SegmentStore, root: Path, damage: FileDamage) -> None:
    """Any damage to a file raises an error with its cause, removes the row and the file, is counted once, and the
    record can be written anew.
    """
    chain = [new_segment("aa", None, new_record("kv"), new_record("state")), new_segment("bb", "aa")]
    store.commit("chat", chain)
    record = store.index.lookup(["aa"])[0].records["kv"]
    damage.do(root / "aa" / "aa.kv.safetensors")
    with pytest.raises(DamagedRecord) as caught:
        read(store, record)
    assert caught.value.cause.value == damage.cause
    assert set(store.index.lookup(["aa"])[0].records) == {"state"}
    with pytest.raises(DamagedRecord):
        read(store, record)
    assert dict(store.index.stats().causes) == {damage.cause: 1}
    assert (root / "aa").is_symlink() or not os.path.lexists(root / "aa" / "aa.kv.safetensors")
    assert first_bytes(store, "bb") == b"\1" * 1000
    store.commit("chat", chain)
    assert first_bytes(store, "aa") == b"\1" * 1000


@pytest.mark.sweep(12)
@pytest.mark.parametrize("damage", [*FILES, _IN_THE_MIDDLE], ids=lambda damage: damage.name)
def test_a_check_finds_all_that_reading_would_find(store: SegmentStore, root: Path, damage: FileDamage) -> None:
    """With the same cause. The record is refused as well."""
    store.commit("chat", [new_segment("aa", None, new_record("kv"), new_record("state")), new_segment("bb", "aa")])
    assert len(store.verify("chat").good) == 3
    damage.do(root / "aa" / "aa.kv.safetensors")
    assert dict(store.verify("chat").causes) == {damage.cause: 1}
    assert set(store.index.lookup(["aa"])[0].records) == {"state"}
    assert dict(store.index.stats().causes) == {damage.cause: 1}


def test_files_of_two_conversations_may_be_swapped(store: SegmentStore, root: Path) -> None:
    """Both are refused: no conversation ever gets another one's state."""
    store.commit("one", [new_segment("aa", None, new_record(fill=1))])
    store.commit("two", [new_segment("bb", None, new_record(fill=2))])
    one, two = root / "aa" / "aa.kv.safetensors", root / "bb" / "bb.kv.safetensors"
    ours, theirs = one.read_bytes(), two.read_bytes()
    one.write_bytes(theirs)
    two.write_bytes(ours)
    for key in ("aa", "bb"):
        with pytest.raises(DamagedRecord) as caught:
            first_bytes(store, key)
        assert caught.value.cause.value == "checksum"
    assert dict(store.index.stats().causes) == {"checksum": 2}


def test_anything_of_a_records_name_is_erased(store: SegmentStore, root: Path) -> None:
    """A folder or a pipe in the place of a record does not block the next one."""
    path = root / "aa" / "aa.kv.safetensors"
    for name in ("folder", "pipe", "folder", "last bit"):
        store.commit("chat", [new_segment("aa")])
        next(damage for damage in FILES if damage.name == name).do(path)
        with pytest.raises(DamagedRecord):
            first_bytes(store, "aa")
        assert not path.exists()
    assert store.reconcile() == {}


def test_nothing_is_written_or_erased_through_a_link(store: SegmentStore, root: Path, tmp_path: Path) -> None:
    """If a link replaces one of the store's folders, nothing outside the store changes."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / "aa").symlink_to(elsewhere)
    (elsewhere / "aa.kv.safetensors").write_text("mine")
    store.commit("chat", [new_segment("aa")])
    flip(root / "aa" / "aa.kv.safetensors", -1)
    store.verify()
    store.forget("chat")
    assert [path.name for path in elsewhere.iterdir()] == ["aa.kv.safetensors"]
    assert (elsewhere / "aa.kv.safetensors").read_text() == "mine"
    assert files_of(root) == {}


_PATCHES = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=8)), max_size=3)


@settings(max_examples=15)  # each one syncs the disk
@example(head=[(0.076171875, b"\0\5")], anywhere=[])  # a format that SQLite never had
@example(head=[(0.026668693765548705, b"\3")], anywhere=[])  # an unknown format for writing
@example(head=[], anywhere=[(0.04517995210988501, b"\x80")])  # a schema that is no text
@given(head=_PATCHES, anywhere=_PATCHES)
def test_a_damaged_index_raises_only_storage_errors(
    tmp_path_factory: pytest.TempPathFactory,
    head: list[tuple[float, bytes]],
    anywhere: list[tuple[float, bytes]],
) -> None:
    """With any bytes anywhere in the index the store opens, possibly empty, raises only storage errors, returns only
    records with the right checksum, and works after it is opened again.
    """
    root = Path(shutil.copytree(_template(tmp_path_factory), tmp_path_factory.mktemp("rot") / "store"))
    content = bytearray((root / "segments.sqlite").read_bytes())
    for place, patch in [(0.01 * at, data) for at, data in head] + anywhere:
        at = int(place * len(content))
        content[at : at + len(patch)] = patch
    (root / "segments.sqlite").write_bytes(content)
    with suppress(StorageError), closing(SegmentStore.open(root, MUCH)) as store:
        store.index.pin(["chat"])
        store.index.conversations()
        store.index.roots("model")
        for segment in store.index.lookup(["sa", "sb", "sc"]):
            for record in segment.records.values():
                with suppress(DamagedRecord):
                    assert bytes(read(store, record)["0.keys"].data) == b"\1" * 1000
        store.commit("chat", new_chain("s", 4, "kv", "state"))
        store.set_quota(6000)
        store.forget("chat")
    with suppress(NewerVersion), closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("new", new_chain("n", 2))


def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store, created once for all examples."""
    folder = tmp_path_factory.getbasetemp() / "rotting"
    if not folder.exists():
        with closing(SegmentStore.open(folder, MUCH)) as store:
            store.commit("chat", new_chain("s", 3, "kv", "state"))
            store.commit("fork", [new_segment("xd", "sc")])
    return folder


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


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_folder_or_pipe_as_index_is_replaced(store: SegmentStore, root: Path, make: Callable[[Path], None]) -> None:
    """A folder or a pipe of the index's name counts as a damaged index."""
    store.commit("chat", [new_segment("aa")])
    store.close()
    (root / "segments.sqlite").unlink()
    make(root / "segments.sqlite")
    with closing(SegmentStore.open(root, MUCH)) as again:
        assert dict(again.index.stats().causes) == {"index": 1}
        again.commit("chat", [new_segment("aa")])
        assert_agreement(again, root)


def test_a_stale_record_does_not_harm_its_successor(store: SegmentStore) -> None:
    """Reading with a row queried before a rewrite is a miss, and the new record stays."""
    store.commit("chat", [new_segment("aa", None, new_record(fill=1))])
    stale = store.index.lookup(["aa"])[0].records["kv"]
    store.forget("chat")
    store.commit("chat", [new_segment("aa", None, new_record(fill=2))])
    with pytest.raises(DamagedRecord):
        read(store, stale)
    assert first_bytes(store, "aa") == b"\2" * 1000
    assert dict(store.index.stats().causes) == {}


def test_a_vanished_folder_costs_no_rows(store: SegmentStore, root: Path) -> None:
    """If the whole store is missing (an unplugged disk), that is an EnvironmentProblem; afterwards all records are
    there.
    """
    store.commit("chat", [new_segment("aa")])
    record = store.index.lookup(["aa"])[0].records["kv"]
    root.rename(root.with_name("unplugged"))
    with pytest.raises(EnvironmentProblem) as caught:
        read(store, record)
    assert caught.value.problem is Problem.VANISHED
    root.with_name("unplugged").rename(root)
    assert bytes(read(store, record)["0.keys"].data) == b"\1" * 1000
