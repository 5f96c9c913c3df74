"""The way between memory and disk, with a real store on a real I/O thread."""

from __future__ import annotations

import math
import queue
import threading
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest

from engine.cache.codec import codec
from engine.cache.disk import dtypes, reader, reader_threads
from engine.cache.disk.io_thread import Failure, IoThread, Priority
from engine.cache.disk.tier import open_store
from engine.cache.in_use import NO_REQUEST
from engine.cache.lookup import LookupRequest, LookupResult, restore
from engine.cache.manager import NOT_A_NUMBER, CacheManager, Checkpoint
from engine.cache.memory.hot import HotTier
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
    """A manager whose posts run on the test's thread, when the test looks."""

    def __init__(self, folder: Path, hot_bytes: int = QUOTA) -> None:
        self.posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.io = IoThread(lambda: open_store(folder, QUOTA))
        self.manager = CacheManager(self.io, HotTier(hot_bytes), self.posts.put)

    def commit(
        self, segments: Sequence[Segment], new: int = 2, bad: Sequence[Segment] = (), chat: str = "chat"
    ) -> list[int | Failure]:
        """Commit the newest `new` segments of a chain as a turn does: its last state is to last, and the start's. The
        states of `bad` are not numbers."""
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
        told = self.wait(outcome)
        assert isinstance(told, StoreReport)
        return told

    def hold_up(self) -> threading.Event:
        """Keep the I/O thread busy until the event is set."""
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
    """K, S or KS for each segment, by the files there are."""
    here = {path.name for path in folder.glob("??/*")}
    kinds = [[k for k in ("kv", "state") if f"{s.key}.{k}.safetensors" in here] for s in segments]
    return ["".join(kind[0].upper() for kind in found) for found in kinds]


def test_a_state_that_is_superseded_while_it_waits_is_never_written(rig: Rig, tmp_path: Path) -> None:
    """A disk that is slower than the talk writes all keys and values; of states the shared start's, the oldest, which
    was next, and the two newest: where the next turn starts, and where the last one did.
    """
    segments = chain(4)
    gate = rig.hold_up()
    outcomes = [rig.commit(segments[:end], new=3 if end == 3 else 2) for end in (3, 5, 7, 9)]
    assert len(rig.manager._pending) == 4, "memory is free at once"
    gate.set()
    sizes = [rig.wait(outcome) for outcome in outcomes]
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "KS", "K", "K", "K", "KS", "K", "KS"]
    assert sizes[1] < sizes[2] == sizes[3]
    assert len(rig.manager._pending) == 0


def test_the_memory_of_a_superseded_state_is_free_at_once(tmp_path: Path) -> None:
    """However many turns wait for the disk, the states of three do, and nothing else holds the others."""
    rig = Rig(tmp_path / "segments", hot_bytes=0)
    gate, states = rig.hold_up(), list[int]()
    segments = chain(12)
    for turn in range(1, 13):
        state = {"a": mx.zeros((1 << 18,))}
        mx.eval(state["a"])
        upto = segments[: 2 * turn + 1]
        rig.manager.commit("chat", "m", [Checkpoint(upto[-1], {"state": state}, durable=True)], upto, lambda _: None)
        del state
        mx.clear_cache()
        states.append(mx.get_active_memory())
    assert len(rig.manager._pending) == 3
    assert states[-1] <= states[2] + 1000
    gate.set()
    assert rig.manager.close(10)


def test_an_alternative_supersedes_nothing(rig: Rig, tmp_path: Path) -> None:
    """Two answers to one question that end together are both places to go on from."""
    first = chain(2)
    second = [*first[:-1], *cut("model", [*IDS[:40], *range(900, 920)], [10, 20, 30, 40, 60])[4:]]
    gate = rig.hold_up()
    outcomes = [rig.commit(first[:-1], new=4), rig.commit(first, new=1), rig.commit(second, new=1)]
    gate.set()
    for outcome in outcomes:
        rig.wait(outcome)
    assert stored(tmp_path / "segments", [first[-1], second[-1]]) == ["KS", "KS"]


def test_turns_that_the_disk_keeps_up_with_are_all_kept(rig: Rig, tmp_path: Path) -> None:
    """One state a turn is durable; those before the replies stay in memory alone."""
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
    """Nothing is damaged if nothing can be opened, and nothing is said to be absent. What memory has is used."""
    folder = tmp_path / "segments"
    folder.write_text("a file where the folder should be")
    rig = Rig(folder)
    segments = chain(3)
    missed = rig.found(segments)
    assert (missed.plan.length, missed.plan.cause) == (0, MissCause.UNREADABLE)
    assert isinstance(rig.wait(rig.commit(segments[:5], new=5)), Failure)
    assert len(rig.manager._pending) == 0, "what could not be written waits for nothing"
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
    """The miss has a cause of its own, the report counts it, and no record is put aside: the next look-up has all."""
    segments = chain(3)
    rig.wait(rig.commit(segments, new=7))
    rig.manager.hot.clear()

    def failing(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(*where, failing)
        missed = rig.found(segments)
    assert (missed.plan.length, missed.plan.cause, missed.source) == (0, MissCause.UNREADABLE, "none")
    told = rig.report()
    assert (told.failures, told.damaged) == ({code: 1}, {})
    assert rig.found(segments).plan.length == 70


@pytest.mark.parametrize("error", [RuntimeError("[malloc] Unable to allocate"), MemoryError(), TypeError()], ids=repr)
def test_good_bytes_that_become_no_arrays_are_no_damage(
    rig: Rig, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory may be short while records get their types: the look-up is a counted miss, and the records stay."""
    segments = chain(3)
    rig.wait(rig.commit(segments, new=7))
    rig.manager.hot.clear()

    def failing(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(dtypes, "to_arrays", failing)
        missed = rig.found(segments)
    assert (missed.plan.length, missed.plan.cause) == (0, MissCause.UNREADABLE)
    told = rig.report()
    assert (told.failures, told.damaged) == ({"internal": 1}, {})
    assert rig.found(segments).plan.length == 70


def test_what_fails_behind_an_answer_is_counted_too(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer waits for these jobs, but the report tells that they failed."""
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
    """The end of a chat is in memory, its start is not any more: only what is missing is read."""
    segments = chain(3)
    rig.wait(rig.commit(segments, new=7))
    rig.manager.hot.drop(s.key for s in segments[:3])
    found = rig.found(segments)
    assert (found.source, found.plan.length) == ("disk", 70)
    assert [set(piece.records) for piece in found.pieces] == [{"kv"}] * 6 + [{"kv", "state"}]


# --- what is not a number


def test_a_turn_that_went_wrong_is_not_kept(rig: Rig, tmp_path: Path) -> None:
    """From the first NaN on nothing is hot or on disk, what came before it is, and it is said and counted."""
    segments = chain(2)
    assert rig.wait(rig.commit(segments, new=5, bad=segments[3:4])) == NOT_A_NUMBER
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "KS", "", ""]
    assert rig.found(segments).plan.length == 30
    rig.manager.hot.clear()
    assert rig.found(segments).plan.length == 30
    assert rig.report().damaged == {"nan": 1}


def test_a_turn_of_which_nothing_is_right_leaves_nothing(rig: Rig, tmp_path: Path) -> None:
    """The chat goes on from what it had, and the next good turn is kept as ever."""
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
    """Neither to memory nor among those who hold what others share; who asked is told that there is nothing."""
    segments = chain(2)
    rig.wait(rig.commit(segments, new=5))
    rig.wait(rig.commit(segments[:3], new=3, chat="fork"))
    rig.manager.hot.clear()
    gate, found, freed = rig.hold_up(), list[LookupResult](), list[int | Failure]()
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
    """Where the disk has lost the start of a chat, and the chat goes before that is told, others hold their own."""
    segments = chain(2)
    rig.wait(rig.commit(segments[:4], new=4))
    rig.io.submit(Priority.WRITE, lambda store: store.forget("chat"), lambda _: None)
    rig.wait(rig.commit(segments[:3], new=3, chat="fork"))
    told, freed, holding = rig.commit(segments, new=1), list[int | Failure](), list[Any]()
    rig.manager.forget("chat", freed.append)
    rig.wait(told)
    rig.manager.ask(Priority.WRITE, lambda store: store.holding(), holding.append)
    assert rig.wait(holding) == ("fork",)


# --- budget and figures


def test_the_report_says_what_there_is(rig: Rig) -> None:
    """Bytes, conversations and records of the disk, and nothing wrong with it."""
    size = rig.wait(rig.commit(chain(2), new=5))
    told = rig.report()
    assert (told.held_bytes, told.quota_bytes, told.conversations, told.records) == (size, QUOTA, 1, 7)
    assert (told.written_today, told.damaged, told.trouble, told.code) == (size, {}, "", "")


def test_the_budget_is_kept_and_survives_a_new_store(tmp_path: Path) -> None:
    """What is too much goes at once, never of a pinned chat; a store that has to be opened anew knows both again."""
    rig = Rig(tmp_path / "segments")
    mine, other = chain(2), list(cut("model", range(900, 1400), range(10, 51, 10)))
    rig.wait(rig.commit(mine, new=5))
    rig.wait(rig.commit(other, new=5, chat="other"))
    rig.manager.budget(1, ["chat"])
    told = rig.report()
    assert (told.quota_bytes, told.conversations) == (1, 1)
    assert all(stored(tmp_path / "segments", mine))
    assert not any(stored(tmp_path / "segments", other))
    rig.io.submit(Priority.WRITE, lambda _: _damaged(), lambda _: None)
    assert rig.report().quota_bytes == 1
    assert all(stored(tmp_path / "segments", mine))
    assert rig.manager.close(10)


def _damaged() -> None:
    raise DamagedDatabase("as if the index were")


def test_trouble_is_told_until_it_is_over(tmp_path: Path) -> None:
    """A disk that cannot be used says why, and nothing once it can."""
    folder = tmp_path / "segments"
    folder.write_text("a file where the folder should be")
    rig = Rig(folder)
    rig.manager.budget(12345, ())
    told = rig.report()
    assert (told.code, told.quota_bytes, told.records) == ("vanished", 12345, 0)
    assert told.trouble
    folder.unlink()
    assert rig.report().trouble == ""
    assert rig.manager.close(10)


def test_a_full_disk_is_told_until_something_was_written(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """That what is there can be read says nothing about it."""

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
    """From its look-up to its commit its segments stay, however small the quota."""
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
    """Where the disk has lost the start of another chat, it gets no room from what is in use now."""
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
    """Beside what stays, hot and live, a restore takes less than a tenth of the cache; and going on changes nothing of
    what the next one begins with."""
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


def test_a_chat_goes_on_in_the_memory_that_it_was_read_into(tmp_path: Path) -> None:
    """From the disk to the next answer and the one after it, no key and no value is held twice, nor copied."""
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
            live = gone_on(at, shape, turn)
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


def gone_on(at: Desk, shape: Shape, chain: Sequence[Segment]) -> list[Any]:
    """Live caches of a chat, as an answer has them."""
    found, live = at.found(chain, shape.layout().needs), shape.fresh()
    at.manager.hot.lease("chat", chain)
    assert restore(shape.layout(), found, live) == chain[-1].end
    return live
