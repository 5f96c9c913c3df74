"""The segment store: what is written, shared, refused, evicted and forgotten."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file

from storage.errors import (
    BadSegment,
    DamagedRecord,
    EnvironmentProblem,
    MissingParent,
    NewerVersion,
    OverBudget,
    Problem,
    StorageError,
)
from storage.segments.header import built
from storage.segments.records import ITEM_BYTES, NewRecord, NewSegment, Tensor, tensor_bytes
from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, PowerCut, cut_after, cut_before, full_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MUCH = 1 << 30


def _record(kind: str = "kv", fill: int = 1, size: int = 1000) -> NewRecord:
    data = memoryview(bytes([fill]) * size)
    return NewRecord(kind, {"0.keys": Tensor("U8", (size,), data)}, {"layers": "1"})


def _segment(key: str, parent: str | None = None, *records: NewRecord) -> NewSegment:
    start = 0 if parent is None else 4 * (ord(parent[-1]) - ord("a") + 1)
    return NewSegment(key, parent, "model", start, start + 4, records or (_record(),))


def _chain(name: str, length: int, *kinds: str) -> list[NewSegment]:
    keys = [f"{name}{chr(ord('a') + number)}" for number in range(length)]
    records = [_record(kind) for kind in kinds or ("kv",)]
    return [_segment(key, parent, *records) for key, parent in zip(keys, [None, *keys], strict=False)]


def _files(root: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in root.glob("??/*")}


def _keys(store: SegmentStore, *keys: str) -> list[str]:
    return [segment.key for segment in store.lookup(keys)]


def _bytes(store: SegmentStore, key: str, kind: str = "kv") -> bytes:
    return bytes(store.read(store.lookup([key])[0].records[kind]).tensors["0.keys"].data)


def _agree(store: SegmentStore, root: Path) -> None:
    """Rows and files tell the same, to the byte, and every record can be read."""
    with store._database.transaction() as connection:
        rows = connection.exec_driver_sql("SELECT segment || '.' || kind || '.safetensors', bytes FROM record")
        assert {name: size for name, size in rows} == _files(root)  # noqa: C416 - rows are no pairs to dict's type
    assert store.stats().bytes == sum(_files(root).values())
    verified = store.verify()
    assert (verified.bytes, dict(verified.damaged)) == (store.stats().bytes, {})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "segments"


@pytest.fixture
def store(root: Path) -> Iterator[SegmentStore]:
    with closing(SegmentStore.open(root, MUCH)) as opened:
        yield opened


def test_a_record_comes_back_as_it_was(store: SegmentStore, root: Path) -> None:
    """Every dtype, empty and zero-dimensional arrays and many-dimensional buffers are kept to the byte."""
    tensors = {
        f"{dtype}.{number}": Tensor(dtype, shape, memoryview(os.urandom(tensor_bytes(dtype, shape))))
        for dtype in ITEM_BYTES
        for number, shape in enumerate([(3, 5), (), (0, 4)])
    }
    grid = np.arange(24, dtype=np.float16).reshape(2, 3, 4)
    tensors["grid"] = Tensor("F16", (2, 3, 4), grid.data)
    state = NewRecord("state", {"grid": tensors["grid"]}, {})
    store.commit("chat", [_segment("aa", None, NewRecord("kv", tensors, {"note": "ü"}), state)])
    stored = store.lookup(["aa"])[0]
    assert (stored.parent, stored.identity, stored.start, stored.end) == (None, "model", 0, 4)
    found = store.read(stored.records["kv"])
    assert dict(found.meta) == dict(stored.records["kv"].meta) == {"note": "ü"}
    assert {name: (at.dtype, at.shape, bytes(at.data)) for name, at in found.tensors.items()} == {
        name: (at.dtype, at.shape, at.data.tobytes()) for name, at in tensors.items()
    }
    assert np.array_equal(load_file(root / "aa" / "aa.state.safetensors")["grid"], grid)


def test_records_outlive_the_store_and_the_file(store: SegmentStore) -> None:
    """Views stay valid after the record was forgotten and the store closed, because the mapping is theirs."""
    store.commit("chat", [_segment("aa")])
    view = store.read(store.lookup(["aa"])[0].records["kv"]).tensors["0.keys"].data
    store.forget("chat")
    store.close()
    assert bytes(view) == b"\1" * 1000
    assert view.readonly


def test_look_up_keeps_the_order_and_leaves_out_what_is_not_there(store: SegmentStore) -> None:
    """Stored segments come in the order of the keys asked for, and asking changes nothing about recency."""
    store.commit("chat", _chain("s", 3))
    before = store._database.raw.execute("SELECT key, used FROM segment").fetchall()
    assert _keys(store, "sc", "nothing", "sa") == ["sc", "sa"]
    assert _keys(store) == []
    assert len(_keys(store, *(f"key{number}" for number in range(50_000)), "sb")) == 1
    assert store._database.raw.execute("SELECT key, used FROM segment").fetchall() == before


def test_a_turn_writes_its_own_delta_only(store: SegmentStore, root: Path) -> None:
    """Committing the whole chain again writes the new segments alone; a missing kind is added to an old one."""
    chain = _chain("s", 3)
    assert store.commit("chat", chain[:2]) == sum(_files(root).values())
    before = _files(root)
    assert store.commit("chat", chain) == sum(_files(root).values()) - sum(before.values())
    assert store.commit("chat", chain) == 0
    added = _segment("sb", "sa", _record("kv", fill=9), _record("state"))
    assert store.commit("chat", [added, added]) == (root / "sb" / "sb.state.safetensors").stat().st_size
    assert set(store.lookup(["sb"])[0].records) == {"kv", "state"}
    assert _bytes(store, "sb") == b"\1" * 1000
    assert store.stats().written_today == store.stats().bytes
    _agree(store, root)


def test_a_segment_may_have_no_records_yet(store: SegmentStore) -> None:
    """A span whose records are not kept still links its successors to what is before it."""
    store.commit("chat", [NewSegment("aa", None, "model", 0, 4, ())])
    store.commit("chat", [_segment("ab", "aa")])
    assert [dict(segment.records) for segment in store.lookup(["aa"])] == [{}]
    assert _bytes(store, "ab") == b"\1" * 1000


def test_shared_segments_stay_until_the_last_holder_is_forgotten(store: SegmentStore, root: Path) -> None:
    """Forgetting erases what no other conversation reaches, at once, and tells its bytes."""
    start = _chain("s", 2)
    store.commit("one", [*start, _segment("xc", "sb")])
    store.commit("two", [_segment("yc", "sb")])
    own = (root / "xc" / "xc.kv.safetensors").stat().st_size
    assert store.stats().conversations == 2
    assert store.forget("one") == own
    assert _keys(store, "sa", "sb", "xc", "yc") == ["sa", "sb", "yc"]
    assert store.forget("one") == store.forget("nobody") == 0
    assert store.forget("two") == 3 * own
    assert (_files(root), store.stats().segments, store.stats().conversations) == ({}, 0, 0)


def test_whoever_uses_a_segment_holds_it(store: SegmentStore) -> None:
    """A conversation that started from another's segments keeps them when the other is forgotten."""
    store.commit("one", _chain("s", 3))
    store.touch("two", ["sb", "unknown"])
    store.forget("one")
    assert _keys(store, "sa", "sb", "sc") == ["sa", "sb"]


@pytest.mark.parametrize(
    ("segment", "error"),
    [
        (_segment("ab", "nowhere"), MissingParent),
        (_segment("../../x"), BadSegment),
        (_segment("UP"), BadSegment),
        (_segment(""), BadSegment),
        (_segment("aa", None, _record("guess")), BadSegment),
        (_segment("aa", None, NewRecord("kv", {"t": Tensor("F32", (9,), memoryview(b"abc"))}, {})), BadSegment),
    ],
)
def test_a_bad_segment_is_refused_before_anything_is_written(
    store: SegmentStore, root: Path, segment: NewSegment, error: type[StorageError]
) -> None:
    """Orphans, keys that are paths and records that contradict themselves leave no trace."""
    with pytest.raises(error):
        store.commit("chat", [_segment("zz"), segment])
    assert (_files(root), store.stats().segments) == ({}, 0)


def _rot(path: Path, at: int, mask: int = 1) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= mask
    path.write_bytes(content)


def _older(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"hearth.schema":"1"', b'"hearth.schema":"0"'))


def _swap(path: Path) -> None:
    segment = _segment("ba")
    path.write_bytes(built(segment, segment.records[0]) + b"\1" * 1000)


def _link(path: Path) -> None:
    path.replace(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def _link_folder(path: Path) -> None:
    path.parent.rename(path.parents[1] / "elsewhere")
    path.parent.symlink_to("elsewhere")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda path: path.unlink(), "missing"),
        (_link, "not_a_file"),
        (_link_folder, "not_a_file"),
        (_pipe, "not_a_file"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "size"),
        (lambda path: path.write_bytes(b""), "size"),
        (lambda path: path.write_bytes(path.read_bytes() + b"x"), "size"),
        (lambda path: _rot(path, 0), "header"),
        (lambda path: _rot(path, 7, 0x80), "header"),
        (lambda path: _rot(path, 8), "header"),
        (lambda path: _rot(path, -1), "checksum"),
        (lambda path: _rot(path, -1000), "checksum"),
        (_older, "schema"),
        (_swap, "foreign"),
    ],
)
def test_a_damaged_record_is_a_counted_miss(
    store: SegmentStore, root: Path, damage: Callable[[Path], None], cause: str
) -> None:
    """Whatever happened to the file: an error with its cause, the row gone, counted once, put aside, writable anew."""
    chain = [_segment("aa", None, _record("kv"), _record("state")), _segment("bb", "aa")]
    store.commit("chat", chain)
    record = store.lookup(["aa"])[0].records["kv"]
    damage(root / "aa" / "aa.kv.safetensors")
    with pytest.raises(DamagedRecord) as caught:
        store.read(record)
    assert caught.value.cause.value == cause
    assert set(store.lookup(["aa"])[0].records) == {"state"}
    with pytest.raises(DamagedRecord):
        store.read(record)
    assert dict(store.stats().causes) == {cause: 1}
    assert store.stats().quarantined == (0 if cause == "missing" else 1)
    assert _bytes(store, "bb") == b"\1" * 1000
    if not (root / "aa").is_symlink():
        store.commit("chat", chain)
        assert _bytes(store, "aa") == b"\1" * 1000
    store.forget("chat")
    assert store.stats().quarantined == 0


def test_a_stale_record_does_not_harm_its_successor(store: SegmentStore) -> None:
    """Reading with a row from before a rewrite is a miss, and the new record stays."""
    store.commit("chat", [_segment("aa", None, _record(fill=1))])
    stale = store.lookup(["aa"])[0].records["kv"]
    store.forget("chat")
    store.commit("chat", [_segment("aa", None, _record(fill=2))])
    with pytest.raises(DamagedRecord):
        store.read(stale)
    assert _bytes(store, "aa") == b"\2" * 1000
    assert dict(store.stats().causes) == {}


def test_a_vanished_folder_costs_no_rows(store: SegmentStore, root: Path) -> None:
    """When the whole store is gone (a disk unplugged), that is the environment's problem; back again, all is there."""
    store.commit("chat", [_segment("aa")])
    record = store.lookup(["aa"])[0].records["kv"]
    root.rename(root.with_name("unplugged"))
    with pytest.raises(EnvironmentProblem) as caught:
        store.read(record)
    assert caught.value.problem is Problem.VANISHED
    root.with_name("unplugged").rename(root)
    assert bytes(store.read(record).tensors["0.keys"].data) == b"\1" * 1000


def test_verify_reads_everything_and_tells_the_causes(store: SegmentStore, root: Path) -> None:
    """Good records are counted, damaged ones put aside with their cause."""
    store.commit("chat", _chain("s", 4))
    _rot(root / "sb" / "sb.kv.safetensors", -1)
    (root / "sc" / "sc.kv.safetensors").unlink()
    found = store.verify()
    assert (found.good, dict(found.damaged)) == (2, {"checksum": 1, "missing": 1})
    assert found.bytes == sum(_files(root).values())
    assert store.verify().good == 2


def test_the_quota_holds_while_writing(root: Path) -> None:
    """The oldest conversation gives way, from its end; what is left of it is a prefix, within the quota."""
    size = len(built(_segment("sa"), _record())) + 1000
    with closing(SegmentStore.open(root, 6 * size)) as store:
        store.commit("old", _chain("o", 3))
        store.commit("mid", _chain("m", 3))
        store.touch("old", ["oa"])
        store.commit("new", _chain("n", 1))
        assert _keys(store, "oa", "ob", "oc") == ["oa", "ob", "oc"][: len(_keys(store, "oa", "ob", "oc"))]
        assert store.stats().bytes <= 6 * size
        _agree(store, root)


def test_recency_decides_who_gives_way(root: Path) -> None:
    """A conversation that was touched is evicted after one that was not, however old it is."""
    size = len(built(_segment("sa"), _record())) + 1000
    with closing(SegmentStore.open(root, 4 * size)) as store:
        store.commit("one", _chain("o", 2))
        store.commit("two", _chain("t", 2))
        store.touch("one", ["oa", "ob"])
        store.commit("new", _chain("n", 1))
        assert _keys(store, "oa", "ob", "ta", "tb", "na") == ["oa", "ob", "ta", "na"]


def test_what_does_not_fit_is_refused_and_evicts_nobody(root: Path) -> None:
    """More than the quota, or no room beside what is in use: an error, and everything stays as it was."""
    size = len(built(_segment("sa"), _record())) + 1000
    with closing(SegmentStore.open(root, 2 * size)) as store:
        store.commit("chat", _chain("s", 2))
        with pytest.raises(OverBudget):
            store.commit("chat", [_segment("sc", "sb")])
        with pytest.raises(OverBudget):
            store.commit("other", _chain("o", 1), in_use=["sa", "sb"])
        assert _keys(store, "sa", "sb", "sc", "oa") == ["sa", "sb"]
        store.commit("other", _chain("o", 1))
        assert _keys(store, "sa", "sb", "oa") == ["sa", "oa"]
        _agree(store, root)


def test_one_long_conversation_lives_on_its_old_checkpoints(root: Path) -> None:
    """When a single chain fills the quota, checkpoints inside it make room for its next turns."""
    with closing(SegmentStore.open(root, 30_000)) as store:
        for segment in _chain("s", 16, "kv", "state"):
            store.commit("chat", [segment])
        kinds = [set(segment.records) for segment in store.lookup([f"s{chr(97 + number)}" for number in range(16)])]
        assert all("kv" in kind for kind in kinds)
        assert len(kinds) == 16
        assert "state" in kinds[-1]
        assert store.stats().bytes <= 30_000
        _agree(store, root)


def test_a_smaller_quota_is_enforced_at_the_next_start(root: Path) -> None:
    """Opening with less room evicts down to it."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", _chain("s", 8))
        held = store.stats().bytes
    with closing(SegmentStore.open(root, held // 2)) as store:
        assert _keys(store, *(f"s{letter}" for letter in "abcdefgh")) == ["sa", "sb", "sc", "sd"]
        _agree(store, root)


def test_rows_and_files_are_reconciled_at_start(root: Path) -> None:
    """Orphans and temporary files go, rows of lost files go and are counted, quarantine is emptied; strangers stay."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", _chain("s", 4))
        _rot(root / "sd" / "sd.kv.safetensors", -1)
        store.verify()
    (root / "sa" / "sa.kv.safetensors").unlink()
    (root / "sb" / "sb.kv.safetensors").write_bytes(b"cut")
    (root / "sc" / "so.kv.safetensors").write_bytes(b"orphan")
    (root / "sc" / "sc.state.safetensors.tmp").write_bytes(b"half")
    (root / "sc" / "notes.txt").write_text("a stranger's")
    (root / "my.safetensors").write_text("a stranger's")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert set(_files(root)) == {"sc.kv.safetensors", "notes.txt"}
        assert (root / "my.safetensors").exists()
        assert [len(segment.records) for segment in store.lookup(["sa", "sb", "sc", "sd"])] == [0, 0, 1, 0]
        assert dict(store.stats().causes) == {"checksum": 1, "missing": 1, "size": 1}
        assert store.stats().quarantined == 0
        store.commit("chat", _chain("s", 4))
        assert store.verify().good == 4


def test_files_and_folders_are_the_owners_alone(root: Path) -> None:
    """The root, even one that was open to others, and everything below it, which holds what was said, is closed."""
    root.mkdir(mode=0o755)
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", _chain("s", 2))
    assert {path.stat().st_mode & 0o777 for path in [root, *root.rglob("*")] if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file()} == {0o600}


def test_a_damaged_index_is_dropped_with_its_records(root: Path) -> None:
    """The cache is derived: what cannot be trusted is erased and counted, and the store works on."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", _chain("s", 2))
    (root / "segments.sqlite").write_bytes(b"rotten" * 4096)
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert _files(root) == {}
        assert dict(store.stats().causes) == {"index": 1}
        store.commit("chat", _chain("s", 2))
        _agree(store, root)


def test_rows_that_point_out_of_the_store_are_damage(root: Path, tmp_path: Path) -> None:
    """An index that names a path is dropped, and the file at that path is not touched."""
    (tmp_path / "precious.kv.safetensors").write_text("mine")
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", _chain("s", 1))
    with closing(sqlite3.connect(root / "segments.sqlite", isolation_level=None)) as other:
        other.execute("INSERT INTO segment VALUES ('../precious', NULL, 'm', 0, 4, 0)")
        other.execute("INSERT INTO record VALUES ('../precious', 'kv', 4, '', '{}')")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.stats().causes) == {"index": 1}
    assert (tmp_path / "precious.kv.safetensors").read_text() == "mine"


def test_a_newer_index_is_refused_and_left_alone(root: Path) -> None:
    """The store of a later Hearth loses neither rows nor files."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", _chain("s", 2))
    with closing(sqlite3.connect(root / "segments.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerVersion):
        SegmentStore.open(root, MUCH)
    assert len(_files(root)) == 2


def test_a_store_is_open_once(store: SegmentStore, root: Path) -> None:
    """A second opening is refused as locked and harms nothing; after closing it works."""
    store.commit("chat", _chain("s", 1))
    with pytest.raises(EnvironmentProblem) as caught:
        SegmentStore.open(root, MUCH)
    assert caught.value.problem is Problem.LOCKED
    assert _bytes(store, "sa") == b"\1" * 1000
    store.close()
    with closing(SegmentStore.open(root, MUCH)) as again:
        assert _bytes(again, "sa") == b"\1" * 1000


_NEXT = [_segment("sc", "sb", _record("kv"), _record("state")), _segment("sd", "sc", _record("kv"))]


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A store with one turn, to be copied for every way in which the next one can end."""
    folder = tmp_path / "before"
    with closing(SegmentStore.open(folder, MUCH)) as store:
        store.commit("chat", _chain("s", 2))
    return folder


def _steps_of_a_commit(folder: Path) -> int:
    disk = FailingDisk(lambda _: None, lambda _: None)
    with closing(SegmentStore.open(Path(shutil.copytree(folder, folder.with_name("whole"))), MUCH, disk)) as store:
        store.commit("chat", _NEXT)
    assert disk.steps.count("rename") == 3
    return len(disk.steps)


@pytest.mark.parametrize("cut", [cut_before, cut_after])
def test_a_commit_may_be_killed_between_any_two_steps(before: Path, cut: Callable[[int], FailingDisk]) -> None:
    """Wherever the power goes: no row without its file, no file without its row, the turn before readable, and the
    commit can be repeated.
    """
    for number in range(_steps_of_a_commit(before)):
        root = Path(shutil.copytree(before, before.with_name(f"cut{number}")))
        with closing(SegmentStore.open(root, MUCH, cut(number))) as store, pytest.raises(PowerCut):
            store.commit("chat", _NEXT)
        with closing(SegmentStore.open(root, MUCH)) as store:
            _agree(store, root)
            assert [_bytes(store, key) for key in ("sa", "sb")] == [b"\1" * 1000] * 2
            assert dict(store.stats().causes) == {}
            store.commit("chat", _NEXT)
            assert [len(segment.records) for segment in store.lookup(["sa", "sb", "sc", "sd"])] == [1, 1, 2, 1]
            _agree(store, root)


def test_erasing_may_be_killed_between_any_two_steps(tmp_path: Path) -> None:
    """A stop while a conversation is being forgotten leaves no row without its file; the next start erases the rest."""
    before = tmp_path / "whole"
    with closing(SegmentStore.open(before, MUCH)) as store:
        store.commit("kept", [_segment("ka")])
        store.commit("chat", _chain("s", 3))
    for number in range(6):
        root = Path(shutil.copytree(before, tmp_path / f"cut{number}"))
        with closing(SegmentStore.open(root, MUCH, cut_after(number))) as store, pytest.raises(PowerCut):
            store.forget("chat")
        with closing(SegmentStore.open(root, MUCH)) as store:
            assert set(_files(root)) == {"ka.kv.safetensors"}
            _agree(store, root)


def test_a_disk_that_fills_up_leaves_nothing_half_written(before: Path) -> None:
    """At whatever step the room ends: disk_full, no part of a file, and the same commit works once there is room."""
    for number in range(_steps_of_a_commit(before)):
        root = Path(shutil.copytree(before, before.with_name(f"full{number}")))
        with closing(SegmentStore.open(root, MUCH, full_at(number))) as store:
            with pytest.raises(EnvironmentProblem) as caught:
                store.commit("chat", _NEXT)
            assert caught.value.problem is Problem.DISK_FULL
            _agree(store, root)
            assert list(root.glob("*/*.tmp")) == []
            store.commit("chat", _NEXT)
            _agree(store, root)
            assert len(_files(root)) == 5


def test_an_index_without_room_takes_its_file_back(store: SegmentStore, root: Path) -> None:
    """If the row cannot be written, the file that was goes again; later the commit works."""
    store.commit("chat", _chain("s", 1))
    raw = store._database.raw
    raw.execute("CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'no room'); END")
    with pytest.raises(StorageError):
        store.commit("chat", [_segment("sb", "sa")])
    assert set(_files(root)) == {"sa.kv.safetensors"}
    raw.execute("DROP TRIGGER full")
    store.commit("chat", [_segment("sb", "sa")])
    _agree(store, root)


_ACTS = st.lists(
    st.tuples(
        st.sampled_from(["commit", "commit", "forget", "touch", "damage", "reopen"]),
        st.sampled_from(["one", "two", "three"]),
        st.sampled_from(["p", "q"]),
        st.integers(1, 5),
    ),
    max_size=10,
)


@settings(max_examples=15)  # each restart syncs the disk
@given(acts=_ACTS)
def test_held_bytes_are_accounted_bytes(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, str, str, int]]
) -> None:
    """After any sequence of commits, evictions, damage, restarts and forgetting: files and rows agree to the byte, the
    quota holds, every segment's parent is there, and with the last conversation everything is gone.
    """
    root = tmp_path_factory.mktemp("store")
    store = SegmentStore.open(root, 14_000)
    try:
        for act, conversation, name, length in acts:
            chain = _chain(name, length, "kv", "state")
            if act == "commit":
                store.commit(conversation, chain)
            elif act == "touch":
                store.touch(conversation, [segment.key for segment in chain])
            elif act == "forget":
                store.forget(conversation)
            elif act == "damage":
                for path in sorted(root.glob("??/*"))[:length]:
                    _rot(path, -1)
                store.verify()
            else:
                store.close()
                store = SegmentStore.open(root, 14_000)
            _agree(store, root)
            assert store.stats().bytes <= 14_000
            orphans = "SELECT count(*) FROM segment WHERE parent NOT IN (SELECT key FROM segment)"
            unheld = "SELECT count(*) FROM segment WHERE key NOT IN (SELECT segment FROM hold)"
            assert [store._database.raw.execute(query).fetchone()[0] for query in (orphans, unheld)] == [0, 0]
        for conversation in ("one", "two", "three"):
            store.forget(conversation)
        assert _files(root) == {}
    finally:
        store.close()
