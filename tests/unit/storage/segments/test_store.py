"""The segment store: writing, sharing, refusing, evicting and forgetting."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file

from engine.cache.retention import sparsest
from storage.errors import (
    BadSegment,
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
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    first_bytes,
    flip,
    new_chain,
    new_record,
    new_segment,
    stored_keys,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_record_comes_back_as_it_was(store: SegmentStore, root: Path) -> None:
    """Every dtype, empty and zero-dimensional arrays and many-dimensional buffers are stored to the byte."""
    tensors = {
        f"{dtype}.{number}": Tensor(dtype, shape, memoryview(os.urandom(tensor_bytes(dtype, shape))))
        for dtype in ITEM_BYTES
        for number, shape in enumerate([(3, 5), (), (0, 4)])
    }
    grid = np.arange(24, dtype=np.float16).reshape(2, 3, 4)
    tensors["grid"] = Tensor("F16", (2, 3, 4), grid.data)
    state = NewRecord("state", {"grid": tensors["grid"]}, {})
    store.commit("chat", [new_segment("aa", None, NewRecord("kv", tensors, {"note": "ü"}), state)])
    stored = store.lookup(["aa"])[0]
    assert (stored.parent, stored.identity, stored.start, stored.end) == (None, "model", 0, 4)
    found = store.read(stored.records["kv"])
    assert dict(found.meta) == dict(stored.records["kv"].meta) == {"note": "ü"}
    assert {name: (at.dtype, at.shape, bytes(at.data)) for name, at in found.tensors.items()} == {
        name: (at.dtype, at.shape, at.data.tobytes()) for name, at in tensors.items()
    }
    assert np.array_equal(load_file(root / "aa" / "aa.state.safetensors")["grid"], grid)


def test_records_outlive_the_store_and_the_file(store: SegmentStore) -> None:
    """Tensors stay valid after the record is forgotten and the store closed, because they have their own buffer."""
    store.commit("chat", [new_segment("aa")])
    view = store.read(store.lookup(["aa"])[0].records["kv"]).tensors["0.keys"].data
    store.forget("chat")
    store.close()
    assert bytes(view) == b"\1" * 1000
    assert view.readonly


def test_lookup_keeps_the_order_and_skips_missing_keys(store: SegmentStore) -> None:
    """Stored segments come in the order of the keys, and a lookup does not change recency."""
    store.commit("chat", new_chain("s", 3))
    before = store.conversations()
    assert stored_keys(store, "sc", "nothing", "sa") == ["sc", "sa"]
    assert stored_keys(store) == []
    assert len(stored_keys(store, *(f"key{number}" for number in range(50_000)), "sb")) == 1
    assert store.conversations() == before


def test_a_turn_writes_its_own_delta_only(store: SegmentStore, root: Path) -> None:
    """Committing the whole chain again writes only new segments; a missing kind is added to an old one."""
    chain = new_chain("s", 3)
    assert store.commit("chat", chain[:2]) == sum(files_of(root).values())
    before = files_of(root)
    assert store.commit("chat", chain) == sum(files_of(root).values()) - sum(before.values())
    assert store.commit("chat", chain) == 0
    added = new_segment("sb", "sa", new_record("kv", fill=9), new_record("state"))
    assert store.commit("chat", [added, added]) == (root / "sb" / "sb.state.safetensors").stat().st_size
    assert set(store.lookup(["sb"])[0].records) == {"kv", "state"}
    assert first_bytes(store, "sb") == b"\1" * 1000
    assert store.stats().written_today == store.stats().bytes
    assert_agreement(store, root)


def test_a_segment_may_have_no_records_yet(store: SegmentStore) -> None:
    """A segment without records still links its children to its parent."""
    store.commit("chat", [NewSegment("aa", None, "model", 0, 4, ())])
    store.commit("chat", [new_segment("ab", "aa")])
    assert [dict(segment.records) for segment in store.lookup(["aa"])] == [{}]
    assert first_bytes(store, "ab") == b"\1" * 1000


def test_conversations_are_counted_by_the_model_of_their_segments(store: SegmentStore) -> None:
    """A conversation counts once for each model that answered in it."""
    store.commit("one", new_chain("s", 3))
    store.commit("one", [NewSegment("ta", None, "other", 0, 4, (new_record(),))])
    store.commit("two", new_chain("s", 2))
    assert dict(store.stats().identities) == {"model": 2, "other": 1}
    store.forget("one")
    assert dict(store.stats().identities) == {"model": 1}


def test_the_models_of_a_conversation_are_those_of_its_records(store: SegmentStore) -> None:
    """A segment without records restores nothing, and other conversations do not count."""
    store.commit("one", new_chain("s", 3))
    store.commit("one", [NewSegment("ta", None, "other", 0, 4, (new_record(),))])
    store.commit("one", [NewSegment("ua", None, "empty", 0, 4, ())])
    store.commit("two", new_chain("s", 2))
    assert set(store.identities("one")) == {"model", "other"}
    assert store.identities("two") == ("model",)
    store.drop([*store.lookup(["ta"])[0].records.values()])
    assert store.identities("one") == ("model",)
    store.forget("one")
    assert store.identities("one") == store.identities("never seen") == ()


def test_shared_segments_stay_until_the_last_holder_is_forgotten(store: SegmentStore, root: Path) -> None:
    """Forgetting erases at once the segments that no other conversation holds, and returns their bytes."""
    start = new_chain("s", 2)
    store.commit("one", [*start, new_segment("xc", "sb")])
    store.commit("two", [new_segment("yc", "sb")])
    own = (root / "xc" / "xc.kv.safetensors").stat().st_size
    assert store.stats().conversations == 2
    assert store.forget("one") == own
    assert stored_keys(store, "sa", "sb", "xc", "yc") == ["sa", "sb", "yc"]
    assert store.forget("one") == store.forget("nobody") == 0
    assert store.forget("two") == 3 * own
    assert (files_of(root), store.stats().segments, store.stats().conversations) == ({}, 0, 0)


def test_records_can_be_dropped_and_their_segments_stay(store: SegmentStore, root: Path) -> None:
    """A checkpoint is removed from index and disk, and its bytes are returned; keys and values of the segment stay."""
    store.commit("chat", new_chain("s", 3, "kv", "state"))
    states = store.held("chat", "state", "model")
    assert [record.segment for record in states] == ["sc", "sb", "sa"]
    size = (root / "sb" / "sb.state.safetensors").stat().st_size
    assert store.drop(states[1:2]) == size
    assert [set(segment.records) for segment in store.lookup(["sa", "sb", "sc"])] == [
        {"kv", "state"},
        {"kv"},
        {"kv", "state"},
    ]
    assert store.drop(states[1:2]) == store.drop([]) == 0
    assert_agreement(store, root)


def test_a_record_that_was_written_anew_is_not_dropped_for_the_old_one(store: SegmentStore, root: Path) -> None:
    """Dropping erases the record that was looked up, not a newer one of the same name."""
    store.commit("chat", [new_segment("sa", None, new_record("state", fill=1))])
    old = store.held("chat", "state", "model")
    store.drop(old)
    store.commit("chat", [new_segment("sa", None, new_record("state", fill=2))])
    assert store.drop(old) == 0
    assert first_bytes(store, "sa", "state") == b"\2" * 1000
    assert_agreement(store, root)


def test_the_branch_that_was_used_last_is_found_from_its_beginning(store: SegmentStore) -> None:
    """Each conversation has its own, and each model; segments come in order, those without records too."""
    root = new_chain("s", 2, "kv", "state")
    store.commit("one", [*root, new_segment("xc", "sb")])
    store.commit("one", [new_segment("yc", "sb", new_record("state"))])
    store.commit("two", [*root])
    assert [segment.key for segment in store.newest("one", "model")] == ["sa", "sb", "yc"]
    assert [segment.key for segment in store.newest("two", "model")] == ["sa", "sb"]
    assert [{*segment.records} for segment in store.newest("two", "model")] == [{"kv", "state"}] * 2
    store.touch("one", ["sa", "sb", "xc"])
    assert store.newest("one", "model") == store.lookup(["sa", "sb", "xc"])
    store.drop(store.held("one", "kv", "model"))
    assert [{*segment.records} for segment in store.newest("one", "model")] == [{"state"}] * 2 + [set()]
    assert store.newest("one", "another") == store.newest("never", "model") == ()


def test_holders_and_held_records_can_be_listed(store: SegmentStore) -> None:
    """Each holder is listed once; a conversation's records are those of one model on all its branches, the most
    recently used first.
    """
    root = new_chain("s", 2, "state")
    store.commit("one", [*root, new_segment("xc", "sb", new_record("state"))])
    store.commit("one", [new_segment("yc", "sb", new_record("state"))])
    store.commit("two", [new_segment("zc", "sb")])
    assert store.holders(["sa", "sb"]) == ("one", "two")
    assert store.holders(["xc", "never"]) == ("one",)
    assert store.holders([]) == ()
    assert store.held("nobody", "state", "model") == ()
    assert [record.segment for record in store.held("one", "state", "model")] == ["yc", "xc", "sb", "sa"]
    assert [record.segment for record in store.held("two", "state", "model")] == ["sb", "sa"]
    store.touch("one", ["xc"])
    assert store.held("one", "state", "model")[0].segment == "xc"
    assert store.held("one", "state", "another") == ()


def test_using_a_segment_holds_it(store: SegmentStore) -> None:
    """A conversation that started from another's segments keeps them if the other is forgotten."""
    store.commit("one", new_chain("s", 3))
    store.touch("two", ["sb", "unknown"])
    store.forget("one")
    assert stored_keys(store, "sa", "sb", "sc") == ["sa", "sb"]


@pytest.mark.parametrize(
    ("segment", "error"),
    [
        (new_segment("ab", "nowhere"), MissingParent),
        (new_segment("../../x"), BadSegment),
        (new_segment("UP"), BadSegment),
        (new_segment(""), BadSegment),
        (new_segment("aa", None, new_record("guess")), BadSegment),
        (new_segment("aa", None, NewRecord("kv", {"t": Tensor("F32", (9,), memoryview(b"abc"))}, {})), BadSegment),
    ],
)
def test_a_bad_segment_is_refused_before_anything_is_written(
    store: SegmentStore, root: Path, segment: NewSegment, error: type[StorageError]
) -> None:
    """Orphans, keys that are paths and contradictory records leave no trace."""
    with pytest.raises(error):
        store.commit("chat", [new_segment("zz"), segment])
    assert (files_of(root), store.stats().segments) == ({}, 0)


def test_verify_reads_everything_and_tells_the_causes(store: SegmentStore, root: Path) -> None:
    """Good records are counted, and damaged ones quarantined and counted by cause."""
    store.commit("chat", new_chain("s", 4))
    flip(root / "sb" / "sb.kv.safetensors", -1)
    (root / "sc" / "sc.kv.safetensors").unlink()
    found = store.verify()
    assert (found.good, dict(found.damaged)) == (2, {"checksum": 1, "missing": 1})
    assert found.bytes == sum(files_of(root).values())
    assert store.verify().good == 2


def test_the_quota_holds_while_writing(root: Path) -> None:
    """The least recently used conversation is evicted from its end; a prefix remains, within the quota."""
    size = len(built(new_segment("sa"), new_record())) + 1000
    with closing(SegmentStore.open(root, 6 * size)) as store:
        store.commit("old", new_chain("o", 3))
        store.commit("mid", new_chain("m", 3))
        store.touch("old", ["oa"])
        store.commit("new", new_chain("n", 1))
        assert stored_keys(store, "oa", "ob", "oc") == ["oa", "ob", "oc"][: len(stored_keys(store, "oa", "ob", "oc"))]
        assert store.stats().bytes <= 6 * size
        assert_agreement(store, root)


def test_recency_decides_who_gives_way(root: Path) -> None:
    """A conversation that was touched is evicted after one that was not, whatever their age."""
    size = len(built(new_segment("sa"), new_record())) + 1000
    with closing(SegmentStore.open(root, 4 * size)) as store:
        store.commit("one", new_chain("o", 2))
        store.commit("two", new_chain("t", 2))
        store.touch("one", ["oa", "ob"])
        store.commit("new", new_chain("n", 1))
        assert stored_keys(store, "oa", "ob", "ta", "tb", "na") == ["oa", "ob", "ta", "na"]


def test_an_oversized_commit_is_refused_and_evicts_nothing(root: Path) -> None:
    """More than the quota, or than segments in use leave free, is an error, and everything stays."""
    size = len(built(new_segment("sa"), new_record())) + 1000
    with closing(SegmentStore.open(root, 2 * size)) as store:
        store.commit("chat", new_chain("s", 2))
        with pytest.raises(OverBudget):
            store.commit("chat", [new_segment("sc", "sb")])
        with pytest.raises(OverBudget):
            store.commit("other", new_chain("o", 1), in_use=["sa", "sb"])
        assert stored_keys(store, "sa", "sb", "sc", "oa") == ["sa", "sb"]
        store.commit("other", new_chain("o", 1))
        assert stored_keys(store, "sa", "sb", "oa") == ["sa", "oa"]
        assert_agreement(store, root)


def test_one_long_conversation_lives_on_its_old_checkpoints(root: Path) -> None:
    """If a single chain fills the quota, its old checkpoints make room for its next turns."""
    with closing(SegmentStore.open(root, 30_000, retention=sparsest)) as store:
        for segment in new_chain("s", 16, "kv", "state"):
            store.commit("chat", [segment])
        kinds = [set(segment.records) for segment in store.lookup([f"s{chr(97 + number)}" for number in range(16)])]
        assert all("kv" in kind for kind in kinds)
        assert len(kinds) == 16
        assert "state" in kinds[-1]
        assert store.stats().bytes <= 30_000
        assert_agreement(store, root)


def test_a_smaller_quota_is_enforced_at_the_next_start(root: Path) -> None:
    """Opening with a smaller quota evicts down to it."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 8))
        held = store.stats().bytes
    with closing(SegmentStore.open(root, held // 2)) as store:
        assert stored_keys(store, *(f"s{letter}" for letter in "abcdefgh")) == ["sa", "sb", "sc", "sd"]
        assert_agreement(store, root)


def test_rows_and_files_are_reconciled_at_start(root: Path) -> None:
    """Orphaned and temporary files are erased, rows of lost files are removed and counted, quarantine is emptied;
    foreign files stay.
    """
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 4))
        flip(root / "sd" / "sd.kv.safetensors", -1)
        store.verify()
    (root / "sa" / "sa.kv.safetensors").unlink()
    (root / "sb" / "sb.kv.safetensors").write_bytes(b"cut")
    (root / "sc" / "so.kv.safetensors").write_bytes(b"orphan")
    (root / "sc" / "sc.state.safetensors.tmp").write_bytes(b"half")
    (root / "sc" / "notes.txt").write_text("a stranger's")
    (root / "my.safetensors").write_text("a stranger's")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert set(files_of(root)) == {"sc.kv.safetensors", "notes.txt"}
        assert (root / "my.safetensors").exists()
        assert [len(segment.records) for segment in store.lookup(["sa", "sb", "sc", "sd"])] == [0, 0, 1, 0]
        assert dict(store.stats().causes) == {"checksum": 1, "missing": 1, "size": 1}
        assert store.stats().quarantined == 0
        store.commit("chat", new_chain("s", 4))
        assert store.verify().good == 4


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
        assert dict(store.stats().causes) == {"index": 1}
        store.commit("chat", new_chain("s", 2))
        assert_agreement(store, root)


def test_rows_that_point_out_of_the_store_are_damage(root: Path, tmp_path: Path) -> None:
    """An index that names a path is dropped, and the file at that path stays."""
    (tmp_path / "precious.kv.safetensors").write_text("mine")
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 1))
    with closing(sqlite3.connect(root / "segments.sqlite", isolation_level=None)) as other:
        other.execute("INSERT INTO segment VALUES ('../precious', NULL, 'm', 0, 4, 0)")
        other.execute("INSERT INTO hold VALUES ('chat', '../precious')")
        other.execute(
            "INSERT INTO record (segment, kind, bytes, checksum, meta) VALUES ('../precious', 'kv', 4, '', '{}')"
        )
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.stats().causes) == {"index": 1}
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


class _Act(NamedTuple):
    deed: str
    conversation: str
    name: str
    length: int


def _commit(store: SegmentStore, act: _Act) -> None:
    with suppress(OverBudget):  # beside what is pinned
        store.commit(act.conversation, new_chain(act.name, act.length, "kv", "state"))


def _damage(store: SegmentStore, act: _Act) -> None:
    for path in sorted(store._files.root.glob("??/*"))[: act.length]:
        flip(path, -1)
    store.verify()


_DEEDS: dict[str, Callable[[SegmentStore, _Act], object]] = {
    "commit": _commit,
    "commit again": _commit,
    "forget": lambda store, act: store.forget(act.conversation),
    "touch": lambda store, act: store.touch(act.conversation, [f"{act.name}a", f"{act.name}b"][: act.length]),
    "damage": _damage,
    "pin": lambda store, act: store.pin([act.conversation][: act.length - 1]),
    "set_quota": lambda store, act: store.set_quota(2_800 * act.length),
    "drop": lambda store, act: store.drop(store.held(act.conversation, "state", "model")[: act.length]),
    "gc": lambda store, _: store.gc(),
    "close": lambda store, _: store.close(),
}
_CONVERSATIONS = ("one", "two", "three")


_ACTS = st.builds(
    _Act, st.sampled_from(sorted(_DEEDS)), st.sampled_from(_CONVERSATIONS), st.sampled_from("pq"), st.integers(1, 5)
)


@settings(max_examples=15)  # each restart syncs the disk
@given(acts=st.lists(_ACTS, max_size=10))
def test_held_bytes_are_accounted_bytes(tmp_path_factory: pytest.TempPathFactory, acts: list[_Act]) -> None:
    """After any sequence of commits, evictions, pins, damage, restarts and forgetting, files and rows agree to the
    byte, the quota holds, every segment has its parent and a holder, and forgetting the last conversation empties the
    store.
    """
    root = tmp_path_factory.mktemp("store")
    store = SegmentStore.open(root, 14_000)
    try:
        for act in acts:
            _DEEDS[act.deed](store, act)
            if act.deed == "close":
                store = SegmentStore.open(root, 14_000)
            assert_agreement(store, root)
            assert store.stats().bytes <= 14_000
        for conversation in _CONVERSATIONS:
            store.forget(conversation)
        assert files_of(root) == {}
    finally:
        store.close()


def test_one_conversation_is_measured_as_in_the_list_of_all(store: SegmentStore) -> None:
    """With the places at which it could begin. What it shares with others counts; a stranger holds nothing."""
    store.commit("chat", new_chain("s", 3))
    store.commit("other", new_chain("o", 2))
    store.touch("other", ["s0"])
    for one in store.conversations():
        assert store.held_by(one.conversation) == (one.bytes, one.tokens, one.used)
    ends = sorted({segment.end for segment in new_chain("s", 3)})
    assert store.places("chat") == tuple(ends)
    assert (store.held_by("nobody"), store.places("nobody")) == (None, ())
    assert sum(store.written(30).values()) == store.stats().written_today > 0
