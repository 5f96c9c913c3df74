"""The way between memory and disk, with a real store on a real I/O thread."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest

from engine.cache.hot import HotTier
from engine.cache.io_thread import Failure, IoThread, Priority
from engine.cache.manager import CacheManager, Checkpoint, Found, Wish
from engine.cache.planner import MissCause, Needs
from engine.cache.segment import Segment, cut
from storage.segments.store import SegmentStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from engine.cache.codec import Arrays

HYBRID = Needs(kv=True, state=True)
QUOTA = 1 << 30
IDS = [*range(500)]


def record() -> Arrays:
    return {"a": mx.zeros((256,), dtype=mx.float32)}


class Rig:
    """A manager whose posts run on the test's thread, when the test looks."""

    def __init__(self, folder: Path) -> None:
        self.posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.io = IoThread(lambda: SegmentStore.open(folder, QUOTA))
        self.manager = CacheManager(self.io, HotTier(QUOTA), self.posts.put)

    def commit(self, segments: Sequence[Segment], new: int = 2) -> list[int | Failure]:
        """Commit the newest `new` segments of a chain as a turn does: its last state is to last, and the start's."""
        outcome: list[int | Failure] = []
        fresh = [
            Checkpoint(s, {"kv": record(), "state": record()}, durable=s.place == 0 or s is segments[-1])
            for s in segments[-new:]
        ]
        self.manager.commit("chat", "m", fresh, segments, outcome.append)
        return outcome

    def wait(self, outcome: list[Any]) -> Any:
        while not outcome:
            self.posts.get(timeout=10)()
        return outcome[0]

    def found(self, segments: Sequence[Segment], enough: int = 1 << 20) -> Found:
        outcome: list[Found] = []
        self.manager.look_up(Wish("chat", segments, HYBRID, 1 << 20, enough), outcome.append)
        found = self.wait(outcome)
        assert isinstance(found, Found)
        return found

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
    """A disk that is slower than the talk writes all keys and values, the shared start and the newest state."""
    segments = chain(3)
    gate = rig.hold_up()
    outcomes = [rig.commit(segments[:3], new=3), rig.commit(segments[:5]), rig.commit(segments)]
    assert len(rig.manager._waiting) == 2, "memory is free at once"
    gate.set()
    sizes = [rig.wait(outcome) for outcome in outcomes]
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "K", "K", "K", "K", "KS"]
    assert sizes[1] < sizes[2]
    assert len(rig.manager._waiting) == 0


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


def test_a_look_up_without_a_disk_is_a_plain_miss(tmp_path: Path) -> None:
    """Nothing is damaged where nothing can be opened: it is not there, and what memory has is used."""
    folder = tmp_path / "segments"
    folder.write_text("a file where the folder should be")
    rig = Rig(folder)
    segments = chain(3)
    missed = rig.found(segments)
    assert (missed.plan.length, missed.plan.cause) == (0, MissCause.ABSENT)
    assert isinstance(rig.wait(rig.commit(segments[:5], new=5)), Failure)
    assert len(rig.manager._waiting) == 0, "what could not be written waits for nothing"
    found = rig.found(segments)
    assert (found.source, found.plan.length, found.plan.cause) == ("hot", 50, MissCause.ABSENT)
    assert rig.manager.close(10)


def test_memory_and_disk_restore_together(rig: Rig) -> None:
    """The end of a chat is in memory, its start is not any more: only what is missing is read."""
    segments = chain(3)
    rig.wait(rig.commit(segments, new=7))
    rig.manager.hot.drop(s.key for s in segments[:3])
    found = rig.found(segments)
    assert (found.source, found.plan.length) == ("disk", 70)
    assert [set(piece.records) for piece in found.pieces] == [{"kv"}] * 6 + [{"kv", "state"}]
