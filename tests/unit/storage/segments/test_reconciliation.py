"""Statistics of the whole store, and reconciling rows with files."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from storage.segments.files import RecordFiles
from storage.segments.records import Holding, NewSegment
from storage.segments.store import SegmentStore
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    flip,
    new_chain,
    new_record,
    new_segment,
    opened_with_index,
    stored_keys,
)


def test_every_conversation_is_listed_with_its_holdings(store: SegmentStore, root: Path) -> None:
    """Bytes, shared bytes, segments, tokens of the branch that was used last (not of a longer one that it left) and
    pin, most recently used first; one conversation is listed as in the list of all. What several hold is counted once,
    and with what each alone holds it is all there is. Forgetting a conversation frees what it alone holds.
    """
    assert store.index.conversations() == ()
    store.commit("one", new_chain("s", 4))
    store.commit("one", [new_segment("tc", "sb")])
    store.commit("two", [new_segment("xc", "sb"), new_segment("yc", "sb")])
    store.commit("three", [new_segment("zd", "xc")])
    store.commit("four", [NewSegment("za", None, "model", 0, 40, ())])
    store.index.pin(["two"])
    size = (root / "sa" / "sa.kv.safetensors").stat().st_size
    found = store.index.conversations()
    assert [holding.used for holding in found] == sorted((holding.used for holding in found), reverse=True)
    assert found == (
        Holding("four", 0, 0, 1, 40, pinned=False, used=found[0].used),
        Holding("three", 4 * size, 3 * size, 4, 16, pinned=False, used=found[1].used),
        Holding("two", 4 * size, 3 * size, 4, 12, pinned=True, used=found[2].used),
        Holding("one", 5 * size, 2 * size, 5, 12, pinned=False, used=found[3].used),
    )
    assert [store.index.conversations(one.conversation) for one in found] == [(one,) for one in found]
    assert store.index.conversations("nobody") == ()
    assert store.index.stats().shared_bytes == 3 * size == store.index.stats().bytes - 5 * size
    assert store.index.stats().written_today == 8 * size
    store.index.touch("one", ["sb"])
    assert {one.conversation: one.tokens for one in store.index.conversations()} == {
        one.conversation: one.tokens for one in found
    }
    store.index.touch("one", ["tc"])
    assert store.index.conversations()[0].conversation == "one"
    store.forget("two")
    assert (store.index.stats().bytes, store.index.stats().shared_bytes) == (7 * size, 2 * size)


def test_the_roots_of_a_model_are_listed_longest_first(store: SegmentStore) -> None:
    """Segments that start at 0, have records and belong to this identity."""
    assert store.index.roots("model") == ()
    store.commit("one", new_chain("s", 2))
    store.commit("two", [NewSegment("long", None, "model", 0, 900, (new_record(),))])
    store.commit("three", [NewSegment("other", None, "another", 0, 50, (new_record(),))])
    store.commit("four", [NewSegment("empty", None, "model", 0, 70, ())])
    assert store.index.roots("model") == ((900, "long"), (4, "sa"))
    assert store.index.roots("another") == ((50, "other"),)


def test_unreachable_segments_are_damage_and_are_removed(root: Path) -> None:
    """A reconciliation erases files without a row, segments that no conversation holds, and segments without a chain of
    held ones to a root, though another conversation may hold them. A start counts such segments as damage, though none
    of their records is.
    """
    with opened_with_index(root) as (store, index):
        store.commit("chat", new_chain("s", 4))
        store.commit("lost", new_chain("l", 2))
        store.commit("gap", new_chain("g", 2))
        assert store.reconcile() == {}
        (root / "sa" / "saz.kv.safetensors").write_bytes(b"orphan")
        index.raw.execute("DELETE FROM hold WHERE conversation = 'lost'")
        index.raw.execute("DELETE FROM segment WHERE key = 'ga'")
        unreachable = dict.fromkeys(["gb", "la", "lb"], "out_of_reach")
        strays = dict.fromkeys(["ga/ga", "gb/gb", "la/la", "lb/lb", "sa/saz"], "no_row")
        assert store.reconcile() == unreachable | {f"{name}.kv.safetensors": cause for name, cause in strays.items()}
        assert set(files_of(root)) == {f"s{letter}.kv.safetensors" for letter in "abcd"}
        assert_agreement(store, root)
        index.raw.execute("DELETE FROM hold WHERE segment = 'sb'")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.damage_at_opening) == {"out_of_reach": 3}
        assert stored_keys(store, "sa", "sb", "sc", "sd") == ["sa"]
        assert_agreement(store, root)


def _lost(store: SegmentStore) -> dict[str, set[str]]:
    return {segment.key: set(segment.lost) for segment in store.index.lookup(["sa", "sb", "sc"]) if segment.lost}


def test_damage_is_remembered_until_the_record_is_stored_again(root: Path) -> None:
    """However it was found, and over any number of starts, so that a cache miss can name its cause; evicted and
    forgotten records do not count.
    """
    with closing(SegmentStore.open(root, MUCH)) as store:
        store.commit("chat", new_chain("s", 3, "kv", "state"))
        assert dict(store.damage_at_opening) == {}
    (root / "sa" / "sa.state.safetensors").unlink()
    (root / "sb" / "sb.kv.safetensors").write_bytes(b"cut")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.damage_at_opening) == {"missing": 1, "size": 1}
        flip(root / "sc" / "sc.kv.safetensors", -1)
        store.verify()
        store.drop([store.index.lookup(["sb"])[0].records["state"]])
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.damage_at_opening) == {}
        assert _lost(store) == {"sa": {"state"}, "sb": {"kv"}, "sc": {"kv"}}
        store.commit("chat", new_chain("s", 2, "kv", "state"))
        assert _lost(store) == {"sc": {"kv"}}
        store.forget("chat")
        store.commit("chat", new_chain("s", 3))
        assert _lost(store) == {}
        assert_agreement(store, root)


def test_a_start_costs_the_same_for_each_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times the records need the same number of statements and ten times the file names. (The benchmark measures
    seconds.)
    """
    names: list[str] = []
    name_of = RecordFiles.name

    def counted(files: RecordFiles, key: str, kind: str) -> str:
        names.append(key)
        return name_of(files, key, kind)

    monkeypatch.setattr(RecordFiles, "name", counted)
    needed = []
    for count in (20, 200):
        statements: list[str] = []
        with opened_with_index(tmp_path / "stores" / str(count)) as (store, index):
            record = (new_record(size=8),)
            store.commit("chat", [NewSegment(f"{i:02x}key", None, "m", 0, 4, record) for i in range(count)])
            index.raw.set_trace_callback(statements.append)
            names.clear()
            assert store.reconcile() == {}
        needed.append((len(statements), len(names)))
    assert needed == [(needed[0][0], 20), (needed[0][0], 200)]
