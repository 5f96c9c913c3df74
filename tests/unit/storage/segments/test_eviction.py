"""The order in which segments give up their space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from storage.segments.eviction import Entry, Victim, order, plan

if TYPE_CHECKING:
    from collections.abc import Sequence

_BOTH = {"kv": 10, "state": 5}


def _chain(name: str, length: int, used: int, root: str | None = None) -> list[Entry]:
    keys = [f"{name}{number}" for number in range(length)]
    parents = [root, *keys]
    return [Entry(key, parent, used, _BOTH) for key, parent in zip(keys, parents, strict=False)]


def _told(victims: Sequence[Victim]) -> list[str]:
    return [victim.key if victim.whole else f"{victim.key}:{','.join(victim.kinds)}" for victim in victims]


def test_the_conversation_used_longest_ago_goes_first() -> None:
    """A chain is used up from its end before a newer one is touched."""
    entries = [*_chain("new", 2, used=9), *_chain("old", 2, used=3)]
    assert _told(list(order(entries))) == ["old1", "old0", "new1", "new0"]


def test_what_others_build_on_outlives_them() -> None:
    """A shared start is as recent as its most recent branch, and goes after all of them."""
    root = Entry("root", None, 1, _BOTH)
    entries = [root, *_chain("a", 2, 5, "root"), *_chain("b", 1, 9, "root"), *_chain("c", 1, 7)]
    assert _told(list(order(entries))) == ["a1", "a0", "c0", "b0", "root"]


def test_old_checkpoints_go_before_any_keys_and_values() -> None:
    """Inside a chain checkpoints are thinned, oldest first: 1, 2, 4, 8 before the end and the root's stay."""
    told = _told(list(order(_chain("s", 12, used=1))))
    assert told[:6] == ["s1:state", "s2:state", "s4:state", "s5:state", "s6:state", "s8:state"]
    assert told[6:] == [f"s{number}" for number in range(11, -1, -1)]


def test_checkpoints_that_branches_share_stay() -> None:
    """Thinning stops where another conversation branches off."""
    entries = [*_chain("s", 6, used=1), *_chain("t", 6, used=2, root="s5"), *_chain("u", 1, used=3, root="s5")]
    told = _told(list(order(entries)))
    assert told[:8] == ["t0:state", "t2:state", "t5", "t4", "t3", "t2", "t1", "t0"]
    assert told[8:] == ["s1:state", "s3:state", "u0", "s5", "s4", "s3", "s2", "s1", "s0"]


def test_nothing_in_use_is_evicted_but_its_old_checkpoints_may_be() -> None:
    """A segment in use keeps itself and all it builds on; spare checkpoints before it are the last thing to go."""
    entries = _chain("s", 6, used=1)
    tip = entries[-1]
    entries[-1] = Entry(tip.key, tip.parent, tip.used, tip.records, in_use=True)
    entries += _chain("other", 1, used=99)
    assert _told(list(order(entries))) == ["other0", "s2:state"]


def test_a_plan_is_as_short_as_it_can_be() -> None:
    """Eviction stops as soon as enough is freed, and does nothing when nothing is needed."""
    entries = _chain("s", 3, used=1)
    assert _told(plan(entries, 1)) == ["s2"]
    assert _told(plan(entries, 16)) == ["s2", "s1"]
    assert plan(entries, 0) == plan(entries, -5) == ()
    assert sum(victim.bytes for victim in plan(entries, 1000)) == 45


def test_a_segment_without_its_parent_is_a_chain_of_its_own() -> None:
    """An index with a gap is evicted like any other."""
    assert _told(list(order([Entry("lost", "gone", 1, {})]))) == ["lost"]


@st.composite
def _forests(draw: st.DrawFn) -> list[Entry]:
    entries: list[Entry] = []
    for number in range(draw(st.integers(0, 12))):
        parent = draw(st.sampled_from([None, *(entry.key for entry in entries)]))
        records = draw(st.dictionaries(st.sampled_from(["kv", "window", "state"]), st.integers(1, 100)))
        entries.append(Entry(f"k{number}", parent, draw(st.integers(0, 5)), records, draw(st.booleans())))
    return entries


@given(_forests())
def test_every_cut_leaves_whole_prefixes(entries: list[Entry]) -> None:
    """At every moment of any eviction the parents of what is left are left, nothing in use has lost anything, each
    record is erased once, and in the end only what is in use, with what it builds on, remains.
    """
    left = {entry.key: (entry.parent, dict(entry.records)) for entry in entries}
    in_use = {entry.key for entry in entries if entry.in_use}
    for victim in order(entries):
        assert victim.key not in in_use
        records = left[victim.key][1]
        assert sum(records.pop(kind) for kind in victim.kinds) == victim.bytes
        if victim.whole:
            assert not records
            del left[victim.key]
        assert all(parent is None or parent in left for parent, _ in left.values())
    needed = set(in_use)
    for entry in reversed(entries):
        if entry.key in needed and entry.parent:
            needed.add(entry.parent)
    assert set(left) == needed


@given(st.integers(1, 40), st.integers(1, 600))
def test_a_shorter_prefix_can_be_restored_after_every_cut(length: int, excess: int) -> None:
    """However much of a chain is freed, what is left of it still has a checkpoint, if anything is left at all."""
    entries = _chain("s", length, used=1)
    left = {entry.key: set(entry.records) for entry in entries}
    for victim in plan(entries, excess):
        left[victim.key] -= set(victim.kinds)
    alive = [key for key, kinds in left.items() if "kv" in kinds]
    assert not alive or any("state" in left[key] for key in alive)
