"""What eviction reads from the index and deletes from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fakes.segments import MUCH, assert_agreement, new_chain, new_record, new_segment

if TYPE_CHECKING:
    from pathlib import Path

    from storage.segments.eviction import Victim
    from storage.segments.index import Index
    from storage.segments.store import SegmentStore


def _order(index: Index, *in_use: str) -> list[Victim]:
    return list(index.evictable(MUCH, 0, in_use)[1])


def _told(index: Index, *in_use: str) -> list[str]:
    return [victim.key for victim in _order(index, *in_use)]


def test_tips_are_ordered_by_use_without_pinned_ones(store: SegmentStore, index: Index) -> None:
    """Tips come least recently used first, without pinned segments and segments in use."""
    for name in ("p", "o", "u", "n"):
        store.commit(name, new_chain(name, 3))
    store.index.pin(["p"])
    assert _told(index, "ub") == ["oc", "ob", "oa", "uc", "nc", "nb", "na"]
    store.index.touch("o", ["oc"])
    assert _told(index, "ub") == ["uc", "nc", "nb", "na", "oc", "ob", "oa"]


def test_a_model_with_checkpoints_needs_one(store: SegmentStore, index: Index) -> None:
    """If a model writes checkpoints, segments without one are useless and go with the segments after them."""
    first, *others = new_chain("s", 3, "kv", "state")
    store.commit("chat", [first])
    store.commit("chat", [new_segment(other.key, other.parent, new_record("kv")) for other in others])
    assert {victim.key: victim.trailing for victim in _order(index)} == {"sc": False, "sb": True, "sa": False}


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
