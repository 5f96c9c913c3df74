"""The segment store: writing, sharing, refusing and forgetting."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from storage.errors import BadSegment, DamagedRecord
from storage.segments.records import ITEM_BYTES, NewRecord, NewSegment, Tensor, tensor_bytes
from storage.segments.store import SegmentStore
from tests.fakes.segments import (
    assert_agreement,
    files_of,
    first_bytes,
    new_chain,
    new_record,
    new_segment,
    read,
    stored_keys,
)


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
    stored = store.index.lookup(["aa"])[0]
    assert (stored.parent, stored.identity, stored.start, stored.end) == (None, "model", 0, 4)
    found = read(store, stored.records["kv"])
    assert dict(stored.records["kv"].meta) == {"note": "ü"}
    assert {name: (at.dtype, at.shape, bytes(at.data)) for name, at in found.items()} == {
        name: (at.dtype, at.shape, at.data.tobytes()) for name, at in tensors.items()
    }
    assert np.array_equal(load_file(root / "aa" / "aa.state.safetensors")["grid"], grid)


def test_lookup_keeps_the_order_and_skips_missing_keys(store: SegmentStore) -> None:
    """Stored segments come in the order of the keys, and a lookup does not change recency."""
    store.commit("chat", new_chain("s", 3))
    before = store.index.conversations()
    assert stored_keys(store, "sc", "nothing", "sa") == ["sc", "sa"]
    assert stored_keys(store) == []
    assert len(stored_keys(store, *(f"key{number}" for number in range(50_000)), "sb")) == 1
    assert store.index.conversations() == before


def test_a_turn_writes_its_own_delta_only(store: SegmentStore, root: Path) -> None:
    """Committing the whole chain again writes only new segments; a missing kind is added to an old one."""
    chain = new_chain("s", 3)
    assert store.commit("chat", chain[:2]) == sum(files_of(root).values())
    before = files_of(root)
    assert store.commit("chat", chain) == sum(files_of(root).values()) - sum(before.values())
    assert store.commit("chat", chain) == 0
    added = new_segment("sb", "sa", new_record("kv", fill=9), new_record("state"))
    assert store.commit("chat", [added, added]) == (root / "sb" / "sb.state.safetensors").stat().st_size
    assert set(store.index.lookup(["sb"])[0].records) == {"kv", "state"}
    assert first_bytes(store, "sb") == b"\1" * 1000
    assert store.index.stats().written_today == store.index.stats().bytes
    assert_agreement(store, root)


def test_conversations_and_models_are_told_of_each_other(store: SegmentStore) -> None:
    """A conversation is told once for each model that answered in it. Of a conversation, the models with records are
    told: a segment without records restores nothing, but links its children to its parent.
    """
    store.commit("one", new_chain("s", 3))
    store.commit("one", [NewSegment("ta", None, "other", 0, 4, (new_record(),))])
    store.commit("one", [NewSegment("ua", None, "empty", 0, 4, ())])
    store.commit("one", [new_segment("ub", "ua")])
    store.commit("two", new_chain("s", 2))
    assert [dict(segment.records) for segment in store.index.lookup(["ua"])] == [{}]
    assert first_bytes(store, "ub") == b"\1" * 1000
    told = {name: sorted(chats) for name, chats in store.index.stats().identities.items()}
    assert told == {"model": ["one", "two"], "other": ["one"], "empty": ["one"]}
    assert set(store.index.identities("one")) == {"model", "other"}
    assert store.index.identities("two") == ("model",)
    store.drop([*store.index.lookup(["ta"])[0].records.values()])
    assert store.index.identities("one") == ("model",)
    store.forget("one")
    assert dict(store.index.stats().identities) == {"model": ["two"]}
    assert store.index.identities("one") == store.index.identities("never seen") == ()


def test_shared_segments_stay_until_the_last_holder_is_forgotten(store: SegmentStore, root: Path) -> None:
    """Forgetting erases at once the segments that no other conversation holds, and returns their bytes. A conversation
    that only uses a segment holds it as well, with those before it.
    """
    store.commit("one", [*new_chain("s", 2), new_segment("xc", "sb")])
    store.commit("two", [new_segment("yc", "sb")])
    store.index.touch("three", ["sb", "unknown"])
    own = (root / "xc" / "xc.kv.safetensors").stat().st_size
    assert store.index.stats().conversations == 3
    assert store.forget("one") == own
    assert stored_keys(store, "sa", "sb", "xc", "yc") == ["sa", "sb", "yc"]
    assert store.forget("one") == store.forget("nobody") == 0
    assert store.forget("two") == own
    assert store.forget("three") == 2 * own
    assert (files_of(root), store.index.stats().segments, store.index.stats().conversations) == ({}, 0, 0)


def test_records_can_be_dropped_and_their_segments_stay(store: SegmentStore, root: Path) -> None:
    """A checkpoint is removed from index and disk, and its bytes are returned; keys and values of the segment stay. A
    newer record of the same name is neither dropped nor refused for the old one.
    """
    store.commit("chat", new_chain("s", 3, "kv", "state"))
    states = store.index.records("chat", "state", "model")
    assert [record.segment for record in states] == ["sc", "sb", "sa"]
    size = (root / "sb" / "sb.state.safetensors").stat().st_size
    assert store.drop(states[1:2]) == size
    assert [set(segment.records) for segment in store.index.lookup(["sa", "sb", "sc"])] == [
        {"kv", "state"},
        {"kv"},
        {"kv", "state"},
    ]
    assert store.drop(states[1:2]) == store.drop([]) == 0
    assert_agreement(store, root)
    store.commit("chat", [new_segment("sb", "sa", new_record("state", fill=2))])
    assert store.drop(states[1:2]) == 0
    with pytest.raises(DamagedRecord):
        read(store, states[1])
    assert first_bytes(store, "sb", "state") == b"\2" * 1000
    assert dict(store.index.stats().causes) == {}
    assert_agreement(store, root)


def test_the_branches_of_a_conversation_come_by_their_last_use(store: SegmentStore) -> None:
    """The branch that was used last is found from its beginning, with segments without records. The records of a
    conversation are those on all its branches, the most recently used first. Each model and each conversation has its
    own, and each holder is listed once.
    """
    root = new_chain("s", 2, "kv", "state")
    store.commit("one", [*root, new_segment("xc", "sb", new_record("state"))])
    store.commit("one", [new_segment("yc", "sb", new_record("state"))])
    store.commit("two", [*root])
    assert [segment.key for segment in store.index.newest("one", "model")] == ["sa", "sb", "yc"]
    assert [segment.key for segment in store.index.newest("two", "model")] == ["sa", "sb"]
    assert [{*segment.records} for segment in store.index.newest("two", "model")] == [{"kv", "state"}] * 2
    assert [record.segment for record in store.index.records("two", "state", "model")] == ["sb", "sa"]
    assert store.index.holders(["sa", "sb"]) == ("one", "two")
    assert store.index.holders(["xc", "never"]) == ("one",)
    store.index.touch("one", ["sa", "sb", "xc"])
    assert store.index.newest("one", "model") == store.index.lookup(["sa", "sb", "xc"])
    assert [record.segment for record in store.index.records("one", "state", "model")] == ["xc", "sb", "sa", "yc"]
    store.drop(store.index.records("one", "state", "model")[:1])
    assert [{*segment.records} for segment in store.index.newest("one", "model")] == [{"kv", "state"}] * 2 + [set()]
    assert store.index.newest("one", "another") == store.index.newest("never", "model") == ()
    assert store.index.records("one", "state", "another") == store.index.records("nobody", "state", "model") == ()
    assert store.index.holders([]) == ()


@pytest.mark.parametrize(
    "segment",
    [new_segment("../../x"), new_segment("UP"), new_segment(""), new_segment("aa", None, new_record("guess"))],
)
def test_a_bad_segment_is_refused_before_anything_is_written(
    store: SegmentStore, root: Path, segment: NewSegment
) -> None:
    """Keys that are paths and unknown kinds leave no trace."""
    with pytest.raises(BadSegment):
        store.commit("chat", [new_segment("zz"), segment])
    assert (files_of(root), store.index.stats().segments) == ({}, 0)
