"""What goes wrong with the cache is counted and reported, and never keeps an answer from coming."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.cache import lookup, manager
from engine.cache.disk.io_thread import Failure
from engine.cache.manager import NOT_A_NUMBER
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import MissCause, Segment
from engine.protocol.cache_messages import UNFREED, SetBudget
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem
from storage.segments.files import Reading
from storage.segments.index import Index
from storage.segments.store import SegmentStore
from tests.fakes.cache_rig import QUOTA, Rig, chain, stored, waiting_states
from tests.fakes.problems import raising


@pytest.fixture
def on_disk(cache: Rig) -> list[Segment]:
    """A chat of three turns that is on disk alone."""
    segments = chain(3)
    cache.wait(cache.commit(segments, new=7))
    cache.manager.hot.clear()
    return segments


def test_a_look_up_without_a_disk_is_a_miss_of_its_own(tmp_path: Path) -> None:
    """If the store cannot be opened, nothing counts as damaged or absent. Memory is still used. The report names the
    trouble until the disk works again.
    """
    folder = tmp_path / "segments"
    folder.write_text("a file where the folder should be")
    cache = Rig(folder)
    segments = chain(3)
    missed = cache.found(segments)
    assert (missed.plan.length, missed.plan.cause) == (0, MissCause.UNREADABLE)
    assert isinstance(cache.wait(cache.commit(segments[:5], new=5)), Failure)
    assert waiting_states(cache.manager) == 0, "what could not be written waits for nothing"
    found = cache.found(segments)
    assert (found.source, found.plan.length, found.plan.cause) == ("hot", 50, MissCause.UNREADABLE)
    assert cache.report().failures == {"vanished": 4}, "two look-ups, a commit, and the report itself"
    cache.manager.budget(SetBudget(12345))
    report = cache.report()
    assert (report.code, report.quota_bytes, report.records) == ("vanished", 12345, 0)
    assert report.trouble
    folder.unlink()
    assert cache.report().trouble == ""
    assert cache.manager.close(10)


READ = [(lookup, "read_records"), (lookup, "_Buffers"), (Reading, "finish"), (Index, "lookup")]
KEPT = [(HotTier, "put"), (HotTier, "_apply_retention"), (manager, "chosen_result")]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValueError("cannot reshape array of size 0"), "internal"),
        (MemoryError(), "internal"),
        (RuntimeError("[malloc] Unable to allocate"), "internal"),
        (EnvironmentProblem(Problem.IO), "io_error"),
        (DamagedDatabase("rotten"), "damaged_database"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("where", [*READ, *KEPT], ids=str)
def test_whatever_fails_in_a_lookup_is_counted(
    cache: Rig,
    on_disk: list[Segment],
    where: tuple[Any, str],
    error: Exception,
    code: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While records are read, or while what was read is kept and joined, when memory may be short. The miss has a cause
    of its own, the report counts it, and no record is erased: the next lookup restores everything.
    """
    with monkeypatch.context() as patch:
        patch.setattr(*where, raising(error))
        missed = cache.found(on_disk)
    assert (missed.plan.length, missed.plan.cause, missed.source) == (0, MissCause.UNREADABLE, "none")
    report = cache.report()
    assert (report.failures, report.damaged) == ({code if where in READ else "internal": 1}, {})
    assert cache.found(on_disk).plan.length == 70


def test_failures_of_background_jobs_are_counted(cache: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer waits for these jobs, but the report counts their failures."""
    segments = chain(2)
    cache.wait(cache.commit(segments, new=5))
    for owner, name in ((Index, "touch"), (SegmentStore, "set_quota"), (SegmentStore, "forget")):
        monkeypatch.setattr(owner, name, raising(EnvironmentProblem(Problem.IO)))
    cache.manager.claim("chat", segments)
    cache.manager.budget(SetBudget(QUOTA, ("chat",)))
    freed: list[int | Failure] = []
    cache.manager.forget("chat", freed.append)
    cache.wait(freed)
    assert cache.report().failures == {"io_error": 3}


def test_a_turn_that_went_wrong_is_not_kept(cache: Rig, tmp_path: Path) -> None:
    """Nothing from the first NaN on is kept, in memory or on disk. Everything before it is, and the failure is reported
    and counted. If nothing of a turn is right, the chat continues from its earlier state, and the next good turn is
    kept as usual.
    """
    segments = chain(2)
    assert cache.wait(cache.commit(segments, new=5, bad=segments[3:4])) == NOT_A_NUMBER
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "KS", "", ""]
    assert cache.found(segments).plan.length == 30
    cache.manager.hot.clear()
    assert cache.found(segments).plan.length == 30
    assert cache.report().damaged == {"nan": 1}
    assert cache.wait(cache.commit(segments, bad=segments)) == NOT_A_NUMBER
    assert cache.found(segments).plan.length == 30
    cache.wait(cache.commit(segments))
    assert stored(tmp_path / "segments", segments)[-1] == "KS"
    assert cache.report().trouble == ""


@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize("problem", [Problem.DISK_FULL, Problem.IO])
def test_caches_that_cannot_be_erased_are_reported_until_some_are(
    cache: Rig, monkeypatch: pytest.MonkeyPatch, problem: Problem
) -> None:
    """Neither a later report nor a limit that evicts nothing ends this trouble. A store that is away has none."""
    refused = EnvironmentProblem(problem)
    with monkeypatch.context() as patch:
        patch.setattr(Index, "cut", raising(refused))
        cache.manager.budget(SetBudget(0))
        cache.manager.budget(SetBudget(QUOTA))
        assert [cache.report().code for _ in range(2)] == [UNFREED] * 2
    assert cache.report().trouble == str(refused)
    cache.manager.budget(SetBudget(0))
    report = cache.report()
    assert (report.held_bytes, report.trouble) == (0, "")
    with monkeypatch.context() as patch:
        patch.setattr(SegmentStore, "forget", raising(EnvironmentProblem(Problem.VANISHED)))
        freed: list[int | Failure] = []
        cache.manager.forget("chat", freed.append)
        cache.wait(freed)
    assert cache.report().trouble == ""


def test_a_full_disk_is_reported_until_a_write_succeeds(cache: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A successful read does not end this trouble."""
    segments = chain(2)
    with monkeypatch.context() as patch:
        patch.setattr(SegmentStore, "commit", raising(EnvironmentProblem(Problem.DISK_FULL)))
        assert isinstance(cache.wait(cache.commit(segments[:3], new=3)), Failure)
        assert cache.report().code == "disk_full"
    assert cache.report().code == "disk_full"
    cache.wait(cache.commit(segments))
    assert cache.report().code == ""


def test_what_was_put_into_memory_before_a_failure_is_dropped_with_its_chat(
    cache: Rig, on_disk: list[Segment], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It belongs to the chat that was looked up, although the lookup is a miss."""
    put, failures = HotTier.put, iter([None, MemoryError()])

    def failing(*arguments: Any) -> None:
        if error := next(failures, None):
            raise error
        put(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(HotTier, "put", failing)
        assert cache.found(on_disk).plan.cause is MissCause.UNREADABLE
    assert cache.manager.hot.bytes > 0
    cache.manager.hot.forget("chat")
    assert cache.manager.hot.bytes == 0
