"""The quota, pinned segments, and segments in use."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.errors import OverBudget
from storage.segments.records import built
from storage.segments.store import SegmentStore
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    first_bytes,
    new_chain,
    new_record,
    new_segment,
    stored_keys,
)

if TYPE_CHECKING:
    from pathlib import Path

SIZE = len(built(new_record().tensors)) + 1000
"""Bytes of the file of a small record."""


def test_a_smaller_quota_evicts_at_once(store: SegmentStore, root: Path) -> None:
    """The ends of the least recently used chats are evicted until the rest fits; a larger quota evicts nothing."""
    store.commit("old", new_chain("o", 3))
    store.commit("new", new_chain("n", 3))
    store.set_quota(4 * SIZE)
    assert store.quota_bytes == 4 * SIZE
    assert stored_keys(store, "oa", "ob", "oc", "na", "nb", "nc") == ["oa", "na", "nb", "nc"]
    store.set_quota(MUCH)
    assert store.index.stats().bytes == 4 * SIZE
    assert_agreement(store, root)


def test_segments_in_use_stay_when_the_quota_shrinks(store: SegmentStore, root: Path) -> None:
    """A running conversation keeps its segments even above the quota."""
    store.commit("old", new_chain("o", 3))
    store.commit("new", new_chain("n", 3))
    store.set_quota(0, in_use=["ob"])
    assert stored_keys(store, "oa", "ob", "oc", "na", "nb", "nc") == ["oa", "ob"]
    store.set_quota(0)
    assert store.index.stats().bytes == 0
    assert_agreement(store, root)


def test_nothing_is_evicted_before_a_quota_is_set(root: Path) -> None:
    """A caller may not know pins or quota when it opens the store; until then nothing is evicted."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("dear", new_chain("d", 3))
        store.commit("other", new_chain("o", 3))
    with closing(SegmentStore.open(root)) as store:
        store.commit("new", new_chain("n", 3))
        assert store.index.stats().bytes == 9 * SIZE
        store.index.pin(["dear"])
        store.set_quota(5 * SIZE)
        assert stored_keys(store, "da", "db", "dc", "oa", "na", "nb", "nc") == ["da", "db", "dc", "na", "nb"]


def test_a_pinned_conversation_is_never_evicted(root: Path) -> None:
    """No commit, smaller quota or restart evicts it; unpinned, it is evicted like any other."""
    with closing(SegmentStore.open(root, 4 * SIZE)) as store:
        store.commit("dear", new_chain("d", 2, "kv"))
        store.index.pin(["dear", "never seen"])
        for name in "xyz":
            store.commit(name, new_chain(name, 2))
        assert stored_keys(store, "da", "db", "xa", "ya", "za", "zb") == ["da", "db", "za", "zb"]
        store.set_quota(SIZE)
        assert stored_keys(store, "da", "db", "za", "zb") == ["da", "db"]
        with pytest.raises(OverBudget):
            store.commit("new", new_chain("n", 1))
    with closing(SegmentStore.open(root, 0)) as store:
        assert stored_keys(store, "da", "db") == ["da", "db"]
        assert [holding.pinned for holding in store.index.conversations()] == [True]
        store.index.pin([])
        store.set_quota(SIZE)
        assert stored_keys(store, "da", "db") == ["da"]
        assert_agreement(store, root)


def test_a_pinned_conversation_keeps_its_old_checkpoints(root: Path) -> None:
    """A pin covers all segments of the conversation, shared ones too, with all checkpoints."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("dear", new_chain("d", 9, "kv", "state"))
        store.index.pin(["dear"])
        store.commit("fork", [new_segment("xe", "dd", new_record("kv"), new_record("state"))])
        store.set_quota(0)
        assert len(store.index.held("dear", "state", "model")) == 9
        assert store.index.lookup(["xe"]) == ()
        assert_agreement(store, root)


def test_a_pin_stays_when_its_cache_is_forgotten(root: Path) -> None:
    """A conversation whose cache was erased and rebuilt is still pinned."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.index.pin(["dear"])
        store.commit("dear", new_chain("d", 1))
        store.forget("dear")
        store.commit("dear", new_chain("d", 2))
        store.set_quota(0)
        assert stored_keys(store, "da", "db") == ["da", "db"]


@settings(max_examples=10)  # each one syncs the disk
@given(quota=st.integers(0, 30), pinned=st.sets(st.sampled_from(["a", "b", "c"])), first=st.integers(1, 6))
def test_the_quota_holds_whatever_is_pinned(
    tmp_path_factory: pytest.TempPathFactory, quota: int, pinned: set[str], first: int
) -> None:
    """Either the records fit into the quota, or only pinned ones are stored; all pinned records can be read."""
    root = tmp_path_factory.mktemp("store")
    with closing(SegmentStore.open(root, MUCH)) as store:
        chains = {name: new_chain(name, length, "kv", "state") for name, length in [("a", first), ("b", 4), ("c", 6)]}
        for name, chain in chains.items():
            store.commit(name, chain)
        store.index.pin(pinned)
        store.set_quota(quota * SIZE)
        holdings = store.index.conversations()
        assert store.index.stats().bytes <= quota * SIZE or all(holding.pinned for holding in holdings)
        for name in pinned:
            assert [first_bytes(store, segment.key, "state") for segment in chains[name]]
        assert_agreement(store, root)
