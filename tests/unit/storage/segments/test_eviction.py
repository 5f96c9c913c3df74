"""The order in which segments are evicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from storage.segments.eviction import Entry, Victim, order, plan

_BOTH = {"kv": 10, "state": 5}


def _entry(key: str, parent: str | None, used: int, records: Mapping[str, int]) -> Entry:
    return Entry(key, parent, used, records, stateful=True)


def _chain(name: str, length: int, used: int, root: str | None = None) -> list[Entry]:
    keys = [f"{name}{number}" for number in range(length)]
    parents = [root, *keys]
    return [_entry(key, parent, used, _BOTH) for key, parent in zip(keys, parents, strict=False)]


def test_ancestors_are_evicted_after_their_descendants() -> None:
    """A chain is evicted from its end, completely, before a more recent one. A shared prefix is as recent as its most
    recent branch and is evicted after all branches.
    """
    root = _entry("root", None, 1, _BOTH)
    entries = [root, *_chain("a", 2, 5, "root"), *_chain("b", 1, 9, "root"), *_chain("c", 1, 7)]
    assert [victim.key for victim in order(entries, ())] == ["a1", "a0", "c0", "b0", "root"]


def test_a_damaged_index_is_evicted_like_any_other() -> None:
    """A segment without its parent is a chain of its own. A ring of parents is left alone and causes no endless
    loop.
    """
    ring = [_entry("a", "b", 1, {"kv": 1}), _entry("b", "a", 1, {"kv": 1})]
    assert list(order([*ring, _entry("d", "gone", 1, {"kv": 1})], ())) == [Victim("d", ("kv",), bytes=1)]


@st.composite
def _forests(draw: st.DrawFn) -> tuple[list[Entry], set[str]]:
    """Segments, and which of them are in use."""
    entries: list[Entry] = []
    for number in range(draw(st.integers(0, 12))):
        parent = draw(st.sampled_from([None, *(entry.key for entry in entries)]))
        records = draw(st.dictionaries(st.sampled_from(["kv", "window", "state"]), st.integers(1, 100)))
        entries.append(_entry(f"k{number}", parent, draw(st.integers(0, 5)), records))
    in_use = {entry.key for entry in entries if draw(st.booleans())}
    return (entries if draw(st.booleans()) else [replace(entry, stateful=False) for entry in entries]), in_use


@given(_forests())
def test_every_cut_leaves_whole_prefixes(forest: tuple[list[Entry], set[str]]) -> None:
    """At any moment of an eviction the parents of remaining segments remain, segments in use are complete, and each
    record is erased once; at the end only segments in use and their ancestors remain.
    """
    entries, in_use = forest
    left = {entry.key: (entry.parent, dict(entry.records)) for entry in entries}
    for victim in order(entries, in_use):
        assert victim.key not in in_use
        records = left[victim.key][1]
        assert sum(records.pop(kind) for kind in victim.kinds) == victim.bytes
        assert not records
        del left[victim.key]
        assert all(parent is None or parent in left for parent, _ in left.values())
    needed = set(in_use)
    for entry in reversed(entries):
        if entry.key in needed and entry.parent:
            needed.add(entry.parent)
    assert set(left) == needed


@given(_forests(), st.integers(1, 800))
def test_a_plan_leaves_what_can_be_restored_and_frees_no_more_than_needed(
    forest: tuple[list[Entry], set[str]], excess: int
) -> None:
    """However much is freed, a shortened chain ends at a checkpoint, if its model writes any, or a segment in use.
    Without its last victim and those that trail it, a plan would free too little; it frees enough if that is possible.
    """
    entries, in_use = forest
    victims = plan(order(entries, in_use), excess)
    assert not plan(order(entries, in_use), 0, slack=excess), "nothing has to be freed"
    left = {entry.key: set(entry.records) for entry in entries}
    by_key = {entry.key: entry for entry in entries}
    cut_off: set[str | None] = set()
    for victim in victims:
        del left[victim.key]
        cut_off.add(by_key[victim.key].parent)
    parents = {by_key[key].parent for key in left}
    for end in left.keys() & cut_off - parents:
        assert end in in_use or "state" in left[end] or not by_key[end].stateful
    trail = len(victims)
    while trail and victims[trail - 1].trailing:
        trail -= 1
    assert sum(victim.bytes for victim in victims[: max(trail - 1, 0)]) < excess
    everything = sum(victim.bytes for victim in order(entries, in_use))
    assert sum(victim.bytes for victim in victims) >= min(excess, everything)
