"""Eviction: the quota, recency, checkpoints, pinned segments, and segments in use."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from storage.errors import OverBudget
from storage.segments.records import built
from storage.segments.store import SegmentStore
from tests.fakes.segments import MUCH, assert_agreement, new_chain, new_record, new_segment, stored_keys

SIZE = len(built(new_record().tensors)) + 1000
"""Bytes of the file of a small record."""


def test_a_smaller_quota_evicts_at_once(store: SegmentStore, root: Path) -> None:
    """The ends of the least recently used chats are evicted until the rest fits; a larger quota evicts nothing. A
    segment in use stays with all before it, even above the quota.
    """
    store.commit("old", new_chain("o", 3))
    store.commit("new", new_chain("n", 3))
    store.set_quota(4 * SIZE)
    assert store.quota_bytes == 4 * SIZE
    assert stored_keys(store, "oa", "ob", "oc", "na", "nb", "nc") == ["oa", "na", "nb", "nc"]
    store.set_quota(MUCH)
    assert store.index.stats().bytes == 4 * SIZE
    store.set_quota(0, in_use=["nb"])
    assert stored_keys(store, "oa", "ob", "oc", "na", "nb", "nc") == ["na", "nb"]
    store.set_quota(0)
    assert store.index.stats().bytes == 0
    assert_agreement(store, root)


def test_an_oversized_commit_is_refused_and_evicts_nothing(root: Path) -> None:
    """More than the quota, or than segments in use leave free, is an error, and everything stays."""
    with closing(SegmentStore.open(root, 2 * SIZE)) as store:
        store.commit("chat", new_chain("s", 2))
        with pytest.raises(OverBudget):
            store.commit("chat", [new_segment("sc", "sb")])
        with pytest.raises(OverBudget):
            store.commit("other", new_chain("o", 1), in_use=["sa", "sb"])
        assert stored_keys(store, "sa", "sb", "sc", "oa") == ["sa", "sb"]
        store.commit("other", new_chain("o", 1))
        assert stored_keys(store, "sa", "sb", "oa") == ["sa", "oa"]
        assert_agreement(store, root)


def test_a_full_store_makes_room_for_more_than_a_commit(store: SegmentStore, root: Path) -> None:
    """At the quota a commit frees a little more than it needs, so that the next one finds room; the quota is never
    exceeded.
    """
    store.commit("old", [new_segment(f"oo{number}", None) for number in range(300)])
    quota = store.index.stats().bytes
    store.set_quota(quota)
    free = []
    for number in range(9):
        store.commit("new", [new_segment(f"nn{number}", None)])
        free.append((quota - store.index.stats().bytes) * 300 // quota)
    assert free == [2, 1, 0] * 3
    assert_agreement(store, root)


def test_a_model_with_checkpoints_needs_one(store: SegmentStore) -> None:
    """If a model writes checkpoints, segments after the last one are useless and go with those after them."""
    for chat, state in (("s", new_record("state")), ("t", new_record("window"))):
        chain = [replace(segment, identity=chat) for segment in new_chain(chat, 5)]
        whole = [replace(segment, records=(*segment.records, state)) for segment in chain]
        store.commit(chat, [*whole[:2], *chain[2:4], whole[4]])
        store.set_quota(store.index.stats().bytes - 1)
        store.index.pin(["s"])
        store.set_quota(MUCH)
    assert stored_keys(store, *(f"s{letter}" for letter in "abcde")) == ["sa", "sb"]
    assert stored_keys(store, *(f"t{letter}" for letter in "abcde")) == ["ta", "tb", "tc", "td"]


def test_a_quota_is_enforced_once_it_is_set(root: Path) -> None:
    """A caller may not know pins or quota when it opens the store; until then nothing is evicted. A start with a quota
    evicts down to it.
    """
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("dear", new_chain("d", 3))
        store.commit("other", new_chain("o", 3))
    with closing(SegmentStore.open(root)) as store:
        store.commit("new", new_chain("n", 3))
        assert store.index.stats().bytes == 9 * SIZE
        store.index.pin(["dear"])
        store.set_quota(5 * SIZE)
        assert stored_keys(store, "da", "db", "dc", "oa", "na", "nb", "nc") == ["da", "db", "dc", "na", "nb"]
    with closing(SegmentStore.open(root, 4 * SIZE)) as store:
        assert stored_keys(store, "da", "db", "dc", "na", "nb") == ["da", "db", "dc", "na"]
        assert_agreement(store, root)


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


def test_a_pin_covers_all_that_its_conversation_holds(root: Path) -> None:
    """Shared segments and all checkpoints too. A conversation whose cache was erased and rebuilt is still pinned."""
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.index.pin(["dear"])
        store.commit("dear", new_chain("d", 1))
        store.forget("dear")
        store.commit("dear", new_chain("d", 9, "kv", "state"))
        store.commit("fork", [new_segment("xe", "dd", new_record("kv"), new_record("state"))])
        store.set_quota(0)
        assert (
            len(store.index.records("dear", "state", "model")) == len(store.index.records("dear", "kv", "model")) == 9
        )
        assert store.index.lookup(["xe"]) == ()
        assert_agreement(store, root)
