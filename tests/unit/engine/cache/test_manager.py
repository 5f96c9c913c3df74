"""The cache manager between memory and disk, with a real store on a real I/O thread."""

from __future__ import annotations

import math
import queue
import threading
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest

from engine.cache.codec import codec
from engine.cache.disk import dtypes, reader, reader_threads
from engine.cache.disk.disk_tier import open_store
from engine.cache.disk.io_thread import Failure, IoThread, Priority
from engine.cache.in_use import NO_REQUEST
from engine.cache.lookup import LookupRequest, LookupResult, restore
from engine.cache.manager import NOT_A_NUMBER, CacheManager, Checkpoint
from engine.cache.memory.hot_tier import HotTier
from engine.cache.planner import MissCause, Needs
from engine.cache.segment import Segment, cut
from engine.protocol.messages import StoreReport
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem
from storage.segments.store import SegmentStore
from tests.fakes.long_chat import Desk, Shape, desk, talk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from engine.cache.codec.codec import Arrays

HYBRID = Needs(kv=True, state=True)
QUOTA = 1 << 30
IDS = [*range(500)]


def record(value: float = 0.0) -> Arrays:
    return {"a": mx.full((256,), value, dtype=mx.float32)}


class Rig:
    """A manager whose posted calls run on the test's thread, when the test waits."""

    def __init__(self, folder: Path, hot_bytes: int = QUOTA) -> None:
        self.posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.io = IoThread(lambda: open_store(folder, QUOTA))
        self.manager = CacheManager(self.io, HotTier(hot_bytes), self.posts.put)

    def commit(
        self, segments: Sequence[Segment], new: int = 2, bad: Sequence[Segment] = (), chat: str = "chat"
    ) -> list[int | Failure]:
        """Commit the newest `new` segments of a chain like a turn: its last state and the prefix's are durable. The
        states of `bad` segments are NaNs.
        """
        outcome: list[int | Failure] = []
        fresh = [
            Checkpoint(
                s,
                {"kv": record(), "state": record(math.nan if s in bad else 0.0)},
                durable=s.boundary == 0 or s is segments[-1],
            )
            for s in segments[-new:]
        ]
        self.manager.commit(chat, "m", fresh, segments, outcome.append)
        return outcome

    def wait(self, outcome: list[Any]) -> Any:
        while not outcome:
            self.posts.get(timeout=10)()
        return outcome[0]

    def found(self, segments: Sequence[Segment], enough: int = 1 << 20) -> LookupResult:
        outcome: list[LookupResult] = []
        self.manager.look_up(LookupRequest("chat", segments, HYBRID, 1 << 20, enough), outcome.append)
        found = self.wait(outcome)
        assert isinstance(found, LookupResult)
        return found

    def report(self) -> StoreReport:
        outcome: list[StoreReport] = []
        self.manager.report(outcome.append)
        report = self.wait(outcome)
        assert isinstance(report, StoreReport)
        return report

    def block_io(self) -> threading.Event:
        """Block the I/O thread until the event is set."""
        gate = threading.Event()
        self.io.submit(Priority.RESTORE, lambda _: gate.wait(10), lambda _: None)
        return gate


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path / "segments")
    yield made
    assert made.manager.close(10)


def chain(turns: int) -> list[Segment]:
    return list(cut("model", IDS, range(10, 20 * turns + 11, 10)))


def stored(folder: Path, segments: Sequence[Segment]) -> list[str]:
    """K, S or KS for each segment, by the files on disk."""
    here = {path.name for path in folder.glob("??/*")}
    kinds = [[k for k in ("kv", "state") if f"{s.key}.{k}.safetensors" in here] for s in segments]
    return ["".join(kind[0].upper() for kind in found) for found in kinds]


def test_a_state_that_is_superseded_while_it_waits_is_never_written(rig: Rig, tmp_path: Path) -> None:
    """A disk slower than the conversation writes all keys and values. Of the states it writes the prefix's, the oldest,
    which was next, and the two newest: where the next turn starts, and where the last one did.
    """
    segments = chain(4)
    gate = rig.block_io()
    outcomes = [rig.commit(segments[:end], new=3 if end == 3 else 2) for end in (3, 5, 7, 9)]
    assert rig.manager.pending_states == 4, "memory is free at once"
    gate.set()
    sizes = [rig.wait(outcome) for outcome in outcomes]
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "KS", "K", "K", "K", "KS", "K", "KS"]
    assert sizes[1] < sizes[2] == sizes[3]
    assert rig.manager.pending_states == 0


def test_the_memory_of_a_superseded_state_is_free_at_once(tmp_path: Path) -> None:
    """However many turns wait for the disk, only three of their states are in memory."""
    rig = Rig(tmp_path / "segments", hot_bytes=0)
    gate, states = rig.block_io(), list[int]()
    segments = chain(12)
    for turn in range(1, 13):
        state = {"a": mx.zeros((1 << 18,))}
        mx.eval(state["a"])
        upto = segments[: 2 * turn + 1]
        rig.manager.commit("chat", "m", [Checkpoint(upto[-1], {"state": state}, durable=True)], upto, lambda _: None)
        del state
        mx.clear_cache()
        states.append(mx.get_active_memory())
    assert rig.manager.pending_states == 3
    assert states[-1] <= states[2] + 1000
    gate.set()
    assert rig.manager.close(10)


def test_an_alternative_supersedes_nothing(rig: Rig, tmp_path: Path) -> None:
    """A chat can continue from either of two answers that end together."""
    first = chain(2)
    second = [*first[:-1], *cut("model", [*IDS[:40], *range(900, 920)], [10, 20, 30, 40, 60])[4:]]
    gate = rig.block_io()
    outcomes = [rig.commit(first[:-1], new=4), rig.commit(first, new=1), rig.commit(second, new=1)]
    gate.set()
    for outcome in outcomes:
        rig.wait(outcome)
    assert stored(tmp_path / "segments", [first[-1], second[-1]]) == ["KS", "KS"]


def test_of_many_answers_to_one_question_a_slow_disk_gets_the_newest_four(rig: Rig, tmp_path: Path) -> None:
    """All other states are superseded before their write begins. All keys and values are written."""
    asked = chain(2)[:-1]
    answers = [cut("model", [*IDS[:40], *range(900 + n, 920 + n)], [10, 20, 30, 40, 60]) for n in range(10)]
    gate = rig.block_io()
    outcomes = [rig.commit(asked, new=4), *(rig.commit(answer, new=1) for answer in answers)]
    assert rig.manager.pending_states == 1 + 1 + 4, "the prefix's, the question's, and those of four answers"
    gate.set()
    sizes = [rig.wait(outcome) for outcome in outcomes]
    assert stored(tmp_path / "segments", [answer[-1] for answer in answers]) == ["K"] * 6 + ["KS"] * 4
    assert len({*sizes[1:7]}) == len({*sizes[7:]}) == 1
    assert sizes[1] < sizes[7]


def test_turns_that_the_disk_keeps_up_with_are_all_kept(rig: Rig, tmp_path: Path) -> None:
    """One state a turn is durable. The states before replies stay in memory alone."""
    segments = chain(3)
    for end in (3, 5, 7):
        rig.wait(rig.commit(segments[:end], new=3 if end == 3 else 2))
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "KS", "K", "KS", "K", "KS"]
    assert rig.found(segments, enough=0).source == "hot"
    rig.manager.hot.clear()
    again = rig.found(segments)
    assert (again.source, again.plan.length, again.plan.cause) == ("disk", 70, MissCause.NONE)
    assert rig.found(segments).source == "hot", "what was read is in memory now"


def test_a_look_up_without_a_disk_is_a_miss_of_its_own(tmp_path: Path) -> None:
    """If the store cannot be opened, nothing counts as damaged or absent. Memory is still used."""
    folder = tmp_path / "segments"
    folder.write_text("a file where the folder should be")
    rig = Rig(folder)
    segments = chain(3)
    missed = rig.found(segments)
    assert (missed.plan.length, missed.plan.cause) == (0, MissCause.UNREADABLE)
    assert isinstance(rig.wait(rig.commit(segments[:5], new=5)), Failure)
    assert rig.manager.pending_states == 0, "what could not be written waits for nothing"
    found = rig.found(segments)
    assert (found.source, found.plan.length, found.plan.cause) == ("hot", 50, MissCause.UNREADABLE)
    assert rig.report().failures == {"vanished": 4}, "two look-ups, a commit, and the report itself"
    assert rig.manager.close(10)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValueError("cannot reshape array of size 0"), "internal"),
        (MemoryError(), "internal"),
        (KeyError("0.keys"), "internal"),
        (EnvironmentProblem(Problem.IO), "io_error"),
        (DamagedDatabase("rotten"), "damaged_database"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("where", [(reader, "read"), (reader_threads, "fill"), (SegmentStore, "lookup")], ids=str)
def test_whatever_fails_while_records_are_read_is_counted(
    rig: Rig, where: tuple[Any, str], error: Exception, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The miss has a cause of its own, the report counts it, and no record is quarantined: the next lookup restores
    everything.
    """
    segments = chain(3)
    rig.wait(rig.commit(segments, new=7))
    rig.manager.hot.clear()

    def failing(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(*where, failing)
        missed = rig.found(segments)
    assert (missed.plan.length, missed.plan.cause, missed.source) == (0, MissCause.UNREADABLE, "none")
    report = rig.report()
    assert (report.failures, report.damaged) == ({code: 1}, {})
    assert rig.found(segments).plan.length == 70


@pytest.mark.parametrize("error", [RuntimeError("[malloc] Unable to allocate"), MemoryError(), TypeError()], ids=repr)
def test_good_bytes_that_become_no_arrays_are_no_damage(
    rig: Rig, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory may be short while records get their types. The lookup is a counted miss, and the records stay."""
    segments = chain(3)
    rig.wait(rig.commit(segments, new=7))
    rig.manager.hot.clear()

    def failing(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(dtypes, "to_arrays", failing)
        missed = rig.found(segments)
    assert (missed.plan.length, missed.plan.cause) == (0, MissCause.UNREADABLE)
    report = rig.report()
    assert (report.failures, report.damaged) == ({"internal": 1}, {})
    assert rig.found(segments).plan.length == 70


def test_failures_of_background_jobs_are_counted(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer waits for these jobs, but the report counts their failures."""
    segments = chain(2)
    rig.wait(rig.commit(segments, new=5))

    def failing(*_: object) -> None:
        raise EnvironmentProblem(Problem.IO)

    for name in ("touch", "pin", "forget"):
        monkeypatch.setattr(SegmentStore, name, failing)
    rig.manager.claim("chat", segments)
    rig.manager.budget(QUOTA, ["chat"])
    freed: list[int | Failure] = []
    rig.manager.forget("chat", freed.append)
    rig.wait(freed)
    assert rig.report().failures == {"io_error": 3}


def test_memory_and_disk_restore_together(rig: Rig) -> None:
    """If only the end of a chat is in memory, only its start is read from disk."""
    segments = chain(3)
    rig.wait(rig.commit(segments, new=7))
    rig.manager.hot.drop(s.key for s in segments[:3])
    found = rig.found(segments)
    assert (found.source, found.plan.length) == ("disk", 70)
    assert [set(piece.records) for piece in found.pieces] == [{"kv"}] * 6 + [{"kv", "state"}]


# --- what is not a number


def test_a_turn_that_went_wrong_is_not_kept(rig: Rig, tmp_path: Path) -> None:
    """Nothing from the first NaN on is kept, in memory or on disk. Everything before it is, and the failure is reported
    and counted.
    """
    segments = chain(2)
    assert rig.wait(rig.commit(segments, new=5, bad=segments[3:4])) == NOT_A_NUMBER
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "KS", "", ""]
    assert rig.found(segments).plan.length == 30
    rig.manager.hot.clear()
    assert rig.found(segments).plan.length == 30
    assert rig.report().damaged == {"nan": 1}


def test_a_turn_of_which_nothing_is_right_leaves_nothing(rig: Rig, tmp_path: Path) -> None:
    """The chat continues from its earlier state, and the next good turn is kept as usual."""
    segments = chain(2)
    rig.wait(rig.commit(segments[:3], new=3))
    assert rig.wait(rig.commit(segments, bad=segments)) == NOT_A_NUMBER
    assert rig.found(segments).plan.length == 30
    rig.wait(rig.commit(segments))
    assert stored(tmp_path / "segments", segments)[-1] == "KS"
    assert rig.report().trouble == ""


# --- forgotten meanwhile


@pytest.mark.parametrize(("requests", "answers"), [(["r"], [0]), ([NO_REQUEST], [])])
def test_what_is_forgotten_while_it_is_looked_up_does_not_come_back(
    rig: Rig, requests: list[str], answers: list[int]
) -> None:
    """Neither to memory nor as a holder of shared segments. The request gets a miss."""
    segments = chain(2)
    rig.wait(rig.commit(segments, new=5))
    rig.wait(rig.commit(segments[:3], new=3, chat="fork"))
    rig.manager.hot.clear()
    gate, found, freed = rig.block_io(), list[LookupResult](), list[int | Failure]()
    rig.manager.look_up(LookupRequest("chat", segments, HYBRID, 1 << 20, 1 << 20, requests), found.append)
    rig.manager.forget("chat", freed.append)
    gate.set()
    rig.wait(freed)
    holding = list[Any]()
    rig.manager.ask(Priority.WRITE, lambda store: store.holding(), holding.append)
    assert rig.wait(holding) == ("fork",)
    assert rig.manager.hot.bytes == 0
    assert [one.plan.length for one in found] == answers


def test_what_is_forgotten_is_not_written_again(rig: Rig) -> None:
    """If the disk has lost the start of a chat, and the chat is forgotten before that is reported, other chats keep
    what they hold.
    """
    segments = chain(2)
    rig.wait(rig.commit(segments[:4], new=4))
    rig.io.submit(Priority.WRITE, lambda store: store.forget("chat"), lambda _: None)
    rig.wait(rig.commit(segments[:3], new=3, chat="fork"))
    saved, freed, holding = rig.commit(segments, new=1), list[int | Failure](), list[Any]()
    rig.manager.forget("chat", freed.append)
    rig.wait(saved)
    rig.manager.ask(Priority.WRITE, lambda store: store.holding(), holding.append)
    assert rig.wait(holding) == ("fork",)


# --- budget and figures


def test_the_report_has_the_stores_figures(rig: Rig) -> None:
    """Bytes, conversations and records of the disk, and no trouble."""
    size = rig.wait(rig.commit(chain(2), new=5))
    report = rig.report()
    assert (report.held_bytes, report.quota_bytes, report.conversations, report.records) == (size, QUOTA, 1, 7)
    assert (report.written_today, report.damaged, report.trouble, report.code) == (size, {}, "", "")


def test_the_budget_is_kept_and_survives_a_new_store(tmp_path: Path) -> None:
    """The excess is evicted at once, but never a pinned chat's. A store that is opened anew gets the same quota and
    pins.
    """
    rig = Rig(tmp_path / "segments")
    mine, other = chain(2), list(cut("model", range(900, 1400), range(10, 51, 10)))
    rig.wait(rig.commit(mine, new=5))
    rig.wait(rig.commit(other, new=5, chat="other"))
    rig.manager.budget(1, ["chat"])
    report = rig.report()
    assert (report.quota_bytes, report.conversations) == (1, 1)
    assert all(stored(tmp_path / "segments", mine))
    assert not any(stored(tmp_path / "segments", other))
    rig.io.submit(Priority.WRITE, lambda _: _damaged(), lambda _: None)
    assert rig.report().quota_bytes == 1
    assert all(stored(tmp_path / "segments", mine))
    assert rig.manager.close(10)


def _damaged() -> None:
    raise DamagedDatabase("as if the index were")


def test_trouble_is_reported_until_it_is_over(tmp_path: Path) -> None:
    """The report names a disk's trouble until the disk works again."""
    folder = tmp_path / "segments"
    folder.write_text("a file where the folder should be")
    rig = Rig(folder)
    rig.manager.budget(12345, ())
    report = rig.report()
    assert (report.code, report.quota_bytes, report.records) == ("vanished", 12345, 0)
    assert report.trouble
    folder.unlink()
    assert rig.report().trouble == ""
    assert rig.manager.close(10)


def test_a_full_disk_is_reported_until_a_write_succeeds(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A successful read does not end this trouble."""

    def full(*_: object) -> None:
        raise EnvironmentProblem(Problem.DISK_FULL)

    segments = chain(2)
    with monkeypatch.context() as patch:
        patch.setattr(SegmentStore, "commit", full)
        assert isinstance(rig.wait(rig.commit(segments[:3], new=3)), Failure)
        assert rig.report().code == "disk_full"
    assert rig.report().code == "disk_full"
    rig.wait(rig.commit(segments))
    assert rig.report().code == ""


def test_a_chat_that_is_being_answered_is_not_evicted_for_another(tmp_path: Path) -> None:
    """From its lookup to its commit its segments stay, however small the quota."""
    rig = Rig(tmp_path / "segments")
    mine, other = chain(2), list(cut("model", range(900, 1400), range(10, 51, 10)))
    size = rig.wait(rig.commit(mine, new=5))
    rig.manager.hot.clear()
    rig.found(mine)
    rig.manager.budget(size + 1000, ())
    assert rig.wait(rig.commit(other, new=5, chat="other")).code == "over_budget"
    assert all(stored(tmp_path / "segments", mine))
    rig.manager.claim("chat", mine)
    rig.wait(rig.commit(other, new=5, chat="other"))
    assert all(stored(tmp_path / "segments", other))
    assert rig.manager.close(10)


def test_a_chat_that_is_being_answered_is_not_evicted_for_what_is_written_again(rig: Rig, tmp_path: Path) -> None:
    """If another chat's lost start is written again, it gets no room from segments in use."""
    mine, other = chain(2), list(cut("model", range(900, 1400), range(10, 51, 10)))
    size = rig.wait(rig.commit(mine, new=5))
    rig.found(mine)
    rig.wait(rig.commit(other[:4], new=4, chat="other"))
    rig.io.submit(Priority.WRITE, lambda store: store.forget("other"), lambda _: None)
    rig.manager.budget(size * 3 // 2, ())
    rig.wait(rig.commit(other, new=1, chat="other"))
    rig.report()
    assert all(stored(tmp_path / "segments", mine))
    assert stored(tmp_path / "segments", other) == ["", "", "", "", "KS"]


# --- live caches made of what was read


def test_a_chat_is_restored_in_little_more_memory_than_it_keeps(tmp_path: Path) -> None:
    """A restore takes less than a tenth of the cache beside the hot and live arrays. Continuing does not change the
    records that the next turn starts from.
    """
    shape = Shape(layers=8, heads=8)
    with desk(tmp_path / "segments") as at:
        size = talk(at, shape, 20).whole[-1]
        layout = shape.layout()
        ids = [number * 7 % 250 for number in range(20 * 200)]
        segments = cut("m", ids, sorted({*range(60, 4001, 200), *range(200, 4001, 200)}))
        at.manager.hot.clear()
        mx.clear_cache()
        mx.reset_peak_memory()
        found, live = at.found(segments, layout.needs), shape.fresh()
        assert (found.source, len(found.pieces)) == ("disk", 1), "read as one, nothing has to be joined"
        assert restore(layout, found, live) == 4000
        assert mx.get_peak_memory() - mx.get_active_memory() <= size / 10
        kept = [mx.array(leaf.keys[..., :4000, :]) for leaf in live[: shape.layers]]
        shape.feed(live, 5)
        again = shape.fresh()
        assert restore(layout, at.found(segments, layout.needs), again) == 4000
        assert all(mx.array_equal(leaf.keys[..., :4000, :], one).item() for leaf, one in zip(again, kept, strict=False))


def test_a_chat_continues_in_the_memory_that_it_was_read_into(tmp_path: Path) -> None:
    """From the disk through the next two answers, no key and no value is held twice or copied."""
    shape = Shape(layers=8, heads=8)
    with desk(tmp_path / "segments") as at:
        size = talk(at, shape, 20).whole[-1]
        layout = shape.layout()
        ids = [number * 7 % 250 for number in range(20 * 200 + 30)]
        segments = cut("m", ids, sorted({*range(60, 4001, 200), *range(200, 4001, 200), 4010, 4030}))
        at.manager.hot.clear()
        mx.clear_cache()
        before, reached = mx.get_active_memory(), 4000
        for turn in (segments[:-2], segments[:-1]):
            mx.reset_peak_memory()
            live = live_caches(at, shape, turn)
            assert mx.get_peak_memory() - before <= size * 1.15, "once, with room for the next tokens"
            shape.feed(live, segments[len(turn)].end - reached)
            reached = segments[len(turn)].end
            assert mx.get_peak_memory() - before <= size * 1.15, "written into where it lies"
            new = segments[: len(turn) + 1]
            take = codec.take(live, new[-1].start, reached)
            at.manager.commit("chat", "m", [Checkpoint(new[-1], take, durable=True)], new, lambda _: None)
            at.manager.adopt("chat", new, codec.buffers(live))
            del live
        assert layout.footprint.token_bytes * reached <= at.manager.hot.bytes <= size * 1.2


def live_caches(at: Desk, shape: Shape, chain: Sequence[Segment]) -> list[Any]:
    """The live caches of a chat after an answer."""
    found, live = at.found(chain, shape.layout().needs), shape.fresh()
    at.manager.hot.lease("chat", chain)
    assert restore(shape.layout(), found, live) == chain[-1].end
    return live
