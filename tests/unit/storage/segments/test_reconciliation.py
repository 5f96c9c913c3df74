"""Statistics of the whole store, and reconciling rows with files."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from storage.segments.files import Disk, RecordFiles
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

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from storage.segments.index import Index


def test_every_conversation_is_listed_with_its_holdings(store: SegmentStore, root: Path) -> None:
    """Bytes, shared bytes, segments, tokens of the newest branch and pin, most recently used first."""
    assert store.index.conversations() == ()
    store.commit("one", new_chain("s", 2))
    store.commit("two", [new_segment("xc", "sb"), new_segment("yc", "sb")])
    store.commit("three", [NewSegment("za", None, "model", 0, 40, ())])
    store.index.pin(["two"])
    size = (root / "sa" / "sa.kv.safetensors").stat().st_size
    found = store.index.conversations()
    assert [holding.used for holding in found] == sorted((holding.used for holding in found), reverse=True)
    assert found == (
        Holding("three", 0, 0, 1, 40, pinned=False, used=found[0].used),
        Holding("two", 4 * size, 2 * size, 4, 12, pinned=True, used=found[1].used),
        Holding("one", 2 * size, 2 * size, 2, 8, pinned=False, used=found[2].used),
    )
    store.index.touch("one", ["sb"])
    assert store.index.conversations()[0].conversation in {"one", "two"}


def test_a_conversation_is_as_long_as_the_branch_that_was_used_last(store: SegmentStore) -> None:
    """Not as a longer one that it left. The use of a segment that several branches have says nothing about them."""
    store.commit("one", new_chain("s", 5))
    store.commit("one", [new_segment("xc", "sb")])
    store.commit("two", [new_segment("yc", "sb"), new_segment("yd", "yc")])
    store.index.touch("one", ["sb"])
    assert {one.conversation: one.tokens for one in store.index.conversations()} == {"one": 12, "two": 16}
    assert [held.tokens for name in ("one", "two") for held in store.index.conversations(name)] == [12, 16]


def test_what_one_conversation_alone_holds_is_freed_with_it(store: SegmentStore, root: Path) -> None:
    """What several hold is counted once, and with what each alone holds it is all there is. Forgetting a conversation
    frees what it alone holds.
    """
    store.commit("one", [*new_chain("s", 2), new_segment("tc", "sb")])
    store.commit("two", [new_segment("xc", "sb"), new_segment("yc", "sb")])
    store.commit("three", [new_segment("zd", "xc")])
    size = (root / "sa" / "sa.kv.safetensors").stat().st_size
    alone = {one.conversation: one.bytes - one.shared_bytes for one in store.index.conversations()}
    assert alone == {"one": size, "two": size, "three": size}
    assert store.index.shared_bytes() == 3 * size == store.index.stats().bytes - 3 * size
    store.forget("two")
    assert (store.index.stats().bytes, store.index.shared_bytes()) == (5 * size, 2 * size)


def test_the_roots_of_a_model_are_listed_longest_first(store: SegmentStore) -> None:
    """Segments that start at 0, have records and belong to this identity."""
    assert store.index.roots("model") == ()
    store.commit("one", new_chain("s", 2))
    store.commit("two", [NewSegment("long", None, "model", 0, 900, (new_record(),))])
    store.commit("three", [NewSegment("other", None, "another", 0, 50, (new_record(),))])
    store.commit("four", [NewSegment("empty", None, "model", 0, 70, ())])
    assert store.index.roots("model") == ((900, "long"), (4, "sa"))
    assert store.index.roots("another") == ((50, "other"),)


def test_a_reconciliation_erases_everything_unneeded(store: SegmentStore, index: Index, root: Path) -> None:
    """Files without a row, and unreachable and unheld segments."""
    store.commit("chat", new_chain("s", 3))
    store.commit("lost", new_chain("l", 2))
    store.commit("gap", new_chain("g", 2))
    assert store.reconcile() == {}
    (root / "sa" / "zz.kv.safetensors").write_bytes(b"orphan")
    index.raw.execute("DELETE FROM hold WHERE conversation = 'lost'")
    index.raw.execute("DELETE FROM segment WHERE key = 'ga'")
    unreachable = dict.fromkeys(["gb", "la", "lb"], "out_of_reach")
    strays = dict.fromkeys(["ga/ga", "gb/gb", "la/la", "lb/lb", "sa/zz"], "no_row")
    assert store.reconcile() == unreachable | {f"{name}.kv.safetensors": cause for name, cause in strays.items()}
    assert set(files_of(root)) == {"sa.kv.safetensors", "sb.kv.safetensors", "sc.kv.safetensors"}
    assert_agreement(store, root)


def test_a_reconciliation_counts_lost_records(store: SegmentStore, root: Path) -> None:
    """A row without its file is removed and counted; a folder or a link is not a record."""
    store.commit("chat", new_chain("s", 4))
    (root / "sa" / "sa.kv.safetensors").unlink()
    (root / "sb" / "sb.kv.safetensors").unlink()
    (root / "sb" / "sb.kv.safetensors").mkdir()
    (root / "sb" / "sb.kv.safetensors" / "inside").write_text("x")
    (root / "sc").rename(root / "elsewhere")
    (root / "sc").symlink_to("elsewhere")
    store.reconcile()
    assert dict(store.index.stats().causes) == {"missing": 2, "not_a_file": 1}
    assert stored_keys(store, "sa", "sb", "sc", "sd") == ["sa", "sb", "sc", "sd"]
    assert [len(segment.records) for segment in store.index.lookup(["sa", "sb", "sc", "sd"])] == [0, 0, 0, 1]
    assert (root / "elsewhere" / "sc.kv.safetensors").is_file()
    assert_agreement(store, root)
    store.commit("chat", new_chain("s", 4))
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


def test_children_of_an_unheld_segment_are_removed(root: Path) -> None:
    """Even if a conversation holds them: without their parent they are useless."""
    with opened_with_index(root) as (store, index):
        store.commit("chat", new_chain("s", 4))
        index.raw.execute("DELETE FROM hold WHERE segment = 'sb'")
    with closing(SegmentStore.open(root, MUCH)) as store:
        assert dict(store.damage_at_opening) == {"out_of_reach": 3}
        assert stored_keys(store, "sa", "sb", "sc", "sd") == ["sa"]
        assert_agreement(store, root)


def test_a_start_costs_the_same_for_each_record(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times the records need the same number of statements and ten times the file names. (The benchmark measures
    seconds.)
    """
    monkeypatch.setattr("os.fsync", lambda _: None)
    few, many = (_cost(root / str(number), number) for number in (20, 200))
    assert few[0] == many[0]
    assert (few[1], many[1]) == (20, 200)


def _cost(root: Path, number: int) -> tuple[int, int]:
    """The statements of a reconciliation of `number` records, and the file names that it looks up."""
    statements: list[str] = []
    names: list[str] = []
    with opened_with_index(root, _Counting(root, Disk(), names)) as (store, index):
        record = (new_record(size=8),)
        store.commit("chat", [NewSegment(f"{i:02x}key", None, "m", 0, 4, record) for i in range(number)])
        index.raw.set_trace_callback(statements.append)
        names.clear()
        assert store.reconcile() == {}
    return len(statements), len(names)


class _Counting(RecordFiles):
    def __init__(self, root: Path, disk: Disk, names: list[str]) -> None:
        super().__init__(root, disk)
        self._names = names

    def name(self, key: str, kind: str) -> str:
        self._names.append(key)
        return super().name(key, kind)
