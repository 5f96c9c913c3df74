"""The jobs of the I/O thread: reading what was planned, writing, and thinning old states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest

from engine.cache import retention
from engine.cache.disk.disk_tier import Write, new_segment, save, thin
from engine.cache.lookup import fetch, read_ahead
from engine.cache.retention import MOST, SPANS_A_TURN
from engine.cache.segment import STRIDE, MissCause, Needs, Segment, cut
from storage.segments.files import Reading
from storage.segments.records import NewSegment, StoredRecord
from storage.segments.store import SegmentStore

HYBRID = Needs(kv=True, state=True)
KV = {"a": mx.zeros((64,), dtype=mx.float32)}
STATE = {"a": mx.zeros((2048,), dtype=mx.float32)}
STATE_FILE = 8192 + 512
"""About what a state takes with its header."""


def chain(turns: int, others: str = "") -> list[Segment]:
    """A shared prefix and two segments a turn, ten tokens each. `others` names the content of the turns."""
    ids = [*range(10), *(ord((others or "t" * turns)[turn]) for turn in range(turns) for _ in range(20))]
    return list(cut("model", ids, range(10, len(ids) + 1, 10)))


def written(segments: Sequence[Segment]) -> list[NewSegment]:
    """Every segment's keys and values, and the durable states: the prefix's and those after replies."""
    return [new_segment(s, "m", {"kv": KV} | ({} if s.boundary % SPANS_A_TURN else {"state": STATE})) for s in segments]


def write_turns(store: SegmentStore, conversation: str, segments: Sequence[Segment], since: int = 0) -> None:
    """Write a chain turn by turn, or its turns since one."""
    for end in range(1, len(segments) + 1, SPANS_A_TURN)[since:]:
        save(store, Write(conversation, written(segments[:end][-SPANS_A_TURN:]), {}), segments[:end])


def states(store: SegmentStore, segments: Sequence[Segment]) -> list[int]:
    """The boundaries of the `segments` whose states are stored."""
    stored = {segment.key: segment.records for segment in store.index.lookup([s.key for s in segments])}
    return [s.boundary for s in segments if "state" in stored.get(s.key, ())]


def test_a_long_chat_holds_few_states(store: SegmentStore, tmp_path: Path) -> None:
    """After 40 turns, twelve states and all keys and values are on disk."""
    segments = chain(40)
    write_turns(store, "chat", segments)
    kept = [boundary // SPANS_A_TURN for boundary in states(store, segments)]
    assert kept == [0, 8, 16, 20, 24, 28, 32, 34, 36, 38, 39, 40]
    files = [path.stat().st_size for path in (tmp_path / "segments").glob("??/*")]
    assert sum(files) == store.index.stats().bytes < len(kept) * STATE_FILE + len(segments) * 1024
    assert all("kv" in segment.records for segment in store.index.lookup([s.key for s in segments]))


def test_a_small_quota_keeps_fewer_states(tmp_path: Path) -> None:
    """A conversation's states take at most a quarter of the quota. The newest turns stay."""
    segments = chain(20)
    with closing(SegmentStore.open(tmp_path / "segments", 4 * 5 * STATE_FILE)) as store:
        write_turns(store, "chat", segments)
        assert states(store, segments) == [0, 26, 34, 38, 40]


def test_another_model_thins_its_own_states_only(store: SegmentStore) -> None:
    """A chat that another model answered for long is still warm for the first one."""
    first, second = chain(6), [*cut("another", range(1210), range(10, 1211, 10))]
    write_turns(store, "chat", first)
    before = states(store, first)
    for end in range(3, len(second) + 1, 2):
        new = [replace(segment, identity="another") for segment in written(second[:end][-SPANS_A_TURN:])]
        save(store, Write("chat", new, {}), second[:end])
    assert states(store, first) == before
    assert len(states(store, second)) < 20


def test_a_state_that_a_fork_has_stays(store: SegmentStore) -> None:
    """The chat grows past the turn at which it was forked. The fork can still be restored there. When the fork is
    forgotten, the chat is thinned as usual.
    """
    segments = chain(30)
    write_turns(store, "chat", segments[:11])
    store.index.touch("fork", [s.key for s in segments[:11]])
    write_turns(store, "chat", segments, since=6)
    assert {0, 2, 4, 6, 8, 10} <= set(states(store, segments)), "all that the fork had"
    store.forget("fork")
    thin(store, "chat", "m", segments)
    kept = states(store, segments)
    assert len(kept) == 10
    assert {0, 56, 58, 60} <= set(kept)


def test_the_end_of_an_abandoned_branch_stays_for_four_turns(
    store: SegmentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit keeps the newest states of the branch that it abandons, and the next turns replace them. (All states
    count as large here.)
    """
    monkeypatch.setattr(retention, "MOST_BYTES", 0)
    old, new = chain(12), chain(16, "tttttt" + "e" * 10)
    write_turns(store, "chat", old)
    before = states(store, old)
    write_turns(store, "chat", new[:15], since=7)
    left = [boundary for boundary in states(store, old) if boundary > 12]
    assert left == before[-len(left) :], "the newest"
    assert left[-1] == 24
    write_turns(store, "chat", new, since=8)
    assert len(states(store, new)) == MOST
    assert [boundary for boundary in states(store, old) if boundary > 12] == []


@pytest.mark.parametrize(("branch", "opens"), [("tttttt", 0), ("tttt", 1), ("tttttte", 0), ("tttte", 3)])
def test_a_prefetch_leaves_only_other_branches_to_read(
    store: SegmentStore, monkeypatch: pytest.MonkeyPatch, branch: str, opens: int
) -> None:
    """A chat of six turns is read before its tokens are known. The same chat, an earlier turn of it and other branches
    are restored as without a prefetch. Another branch reads its own records, an earlier turn its state.
    """
    segments, wanted = chain(6), chain(len(branch), branch)
    write_turns(store, "chat", wanted)
    write_turns(store, "chat", segments)
    store.index.touch("chat", [s.key for s in segments])
    expected = fetch(store, wanted, HYBRID, 1 << 20, {})
    early = read_ahead(store, "chat", "m", HYBRID, 10)
    opened = set[tuple[str, str]]()

    def noted(record: StoredRecord, read: Callable[[StoredRecord], Reading] = store.reading) -> Reading:
        opened.add((record.segment, record.kind))
        return read(record)

    monkeypatch.setattr(store, "reading", noted)
    found = fetch(store, wanted, HYBRID, 1 << 20, {}, early)
    assert (found.plan, found.read.keys()) == (expected.plan, expected.read.keys())
    assert found.plan.length == wanted[-1].end
    assert len(opened) == opens


def test_a_prefetch_of_a_chain_with_a_gap_reads_nothing(store: SegmentStore) -> None:
    """Neither of a chat without records at its beginning, nor of one that was never stored."""
    segments = chain(2)
    write_turns(store, "chat", segments)
    assert read_ahead(store, "chat", "m", HYBRID, 0)
    store.drop([record for s in store.index.lookup([segments[0].key]) for record in s.records.values()])
    assert read_ahead(store, "chat", "m", HYBRID, 0) == {}
    assert read_ahead(store, "other", "m", HYBRID, 0) == read_ahead(store, "chat", "another", HYBRID, 0) == {}


def test_an_inner_state_is_dropped_when_its_span_is_complete(store: SegmentStore) -> None:
    """A prefill that was cancelled in a long message can resume there until the turn is complete."""
    ids = range(3 * STRIDE)
    segments = list(cut("model", ids, [10, 2 * STRIDE + 20, 2 * STRIDE + 50]))
    assert [s.inner for s in segments] == [False, True, True, False, False]
    both = {"kv": KV, "state": STATE}
    cancelled = [new_segment(segments[0], "m", both), new_segment(segments[1], "m", both)]
    save(store, Write("chat", cancelled, {}), segments[:2])
    assert fetch(store, segments, HYBRID, 1 << 20, {}).plan.length == STRIDE + 10
    rest = [new_segment(s, "m", {"kv": KV}) for s in segments[2:4]]
    save(store, Write("chat", [*rest, new_segment(segments[4], "m", both)], {}), segments)
    stored = [set(segment.records) for segment in store.index.lookup([s.key for s in segments])]
    assert [kinds - {"kv"} for kinds in stored] == [{"state"}, set(), set(), set(), {"state"}]


def test_states_without_a_boundary_are_left_to_eviction(store: SegmentStore) -> None:
    """Records of an earlier Hearth do not name their turn: eviction decides about them, not the retention rule."""
    segments = chain(20)
    plain = written(segments)
    for segment in plain:
        for record in segment.records:
            assert isinstance(record.meta, dict)
            record.meta.clear()
    store.commit("chat", plain)
    assert thin(store, "chat", "m", segments) == 0
    assert len(states(store, segments)) == 21


def test_damage_found_at_start_is_reported_until_the_segment_is_stored_again(tmp_path: Path) -> None:
    """A record that was removed at start as damaged is still reported to its chat. Other chats, and chats that lost
    records for other reasons, report nothing.
    """
    root, segments = tmp_path / "segments", chain(4)
    with closing(SegmentStore.open(root, 1 << 30)) as store:
        write_turns(store, "chat", segments)
    (bad,) = root.rglob(f"{segments[-1].key}.state.*")
    bad.write_bytes(b"rotten")
    with closing(SegmentStore.open(root, 1 << 30)) as store:
        found = fetch(store, segments, HYBRID, 1 << 20, {}).plan
        assert (found.length, found.cause) == (segments[-3].end, MissCause.DAMAGED)
        assert fetch(store, segments, HYBRID, segments[-1].end, {}).plan.cause is MissCause.NONE
        hot = {segments[-1].key: {"state"}}
        assert fetch(store, segments, HYBRID, 1 << 20, hot).plan.cause is MissCause.NONE
        save(store, Write("chat", written(segments[-1:]), {}), segments)
        store.drop([store.index.lookup([segments[-1].key])[0].records["state"]])
        assert fetch(store, segments, HYBRID, 1 << 20, {}).plan.cause is MissCause.NONE


def test_one_damaged_record_costs_one_reading_of_the_others(
    store: SegmentStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new plan is made without the damaged record, and no record is read twice."""
    segments = chain(4)
    write_turns(store, "chat", segments)
    (bad,) = (tmp_path / "segments").rglob(f"{segments[-1].key}.state.*")
    bad.write_bytes(b"rotten")
    reads = []
    opened = SegmentStore.reading

    def counted(self: SegmentStore, record: StoredRecord) -> Reading:
        reading = opened(self, record)
        reads.append(record.kind)
        return reading

    monkeypatch.setattr(SegmentStore, "reading", counted)
    found = fetch(store, segments, HYBRID, 1 << 20, {})
    assert (found.plan.length, found.plan.cause) == (segments[-3].end, MissCause.DAMAGED)
    assert len(found.read) == len(segments) - 2 + 1, "keys and values of the shorter prefix, and its state"
    assert sorted(reads) == ["kv"] * len(segments) + ["state"], "all keys and values once, and the good state"
