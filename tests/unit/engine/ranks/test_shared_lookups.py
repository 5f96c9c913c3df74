"""Lookups of several ranks, each with a real store of its own: all restore the same length, and none waits forever."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.cache.disk.io_thread import IoThread, Priority
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import Checkpoint
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import Segment, cut, in_memory
from engine.protocol.cache_messages import SetBudget
from engine.ranks.inputs import Outcome
from engine.ranks.shared_lookups import RankManager
from storage.segments.store import SegmentStore
from tests.fakes.cache_rig import HYBRID, chain, record
from tests.fakes.lockstep_rig import WAIT, Group, inputs
from tests.fakes.rank_caches import RankCaches

FAR = 1 << 20


class Caches(RankCaches):
    """The caches of a group, and one chat."""

    def commit(self, segments: Sequence[Segment], *ranks: int) -> None:
        """Commit a chain, in memory, on these ranks."""

        def work(rank: int, manager: Any, then: Callable[[Any], None]) -> None:
            if rank in ranks:
                fresh = [Checkpoint(one, {"kv": record(), "state": record()}, durable=True) for one in segments]
                manager.commit("chat", "m", fresh, segments, lambda _: None)
            then(None)

        self.on_each(work)

    def found(self, segments: Sequence[Segment], limit: int = FAR) -> list[LookupResult]:
        """What each rank restores."""
        request = LookupRequest("chat", segments, HYBRID, limit, FAR)
        return self.on_each(lambda _, manager, then: manager.look_up(request, then))

    def lengths(self, segments: Sequence[Segment], limit: int = FAR) -> list[int]:
        """How much each rank restores."""
        return [one.plan.length for one in self.found(segments, limit)]


@pytest.fixture(params=[1, 2])
def caches(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Caches]:
    """The caches of two ranks, and of three."""
    made = Caches(tmp_path, request.param + 1)
    yield made
    made.close()


def test_what_all_ranks_have_is_restored_whole(caches: Caches) -> None:
    """In one round: nothing is looked up again. A limit holds on all ranks, also for those that have more."""
    segments = chain(3)
    caches.commit(segments, 0, 1, 2)
    assert set(caches.lengths(segments)) == {segments[-1].end}
    assert len(inputs(caches.group.told[1].sent, Outcome)) == 1
    assert set(caches.lengths(segments, segments[2].end)) == {segments[1].end}


@pytest.mark.parametrize("poor", [0, 1])
@pytest.mark.parametrize("held", [3, 0])
def test_ranks_settle_on_the_least_that_one_has(caches: Caches, poor: int, held: int) -> None:
    """Whether that is the leader or a follower. If it has nothing, all prefill the chat from its start."""
    segments = chain(3)
    caches.commit(segments, *(rank for rank in range(len(caches.managers)) if rank != poor))
    if held:
        caches.commit(segments[:held], poor)
    assert set(caches.lengths(segments)) == {segments[held - 1].end if held else 0}


def test_ranks_that_each_lack_something_else_settle(caches: Caches) -> None:
    """After several rounds: one lacks the end, another a state in the middle."""
    segments = chain(3)
    caches.commit(segments, 0)
    caches.commit(segments[:4], 1)
    if len(caches.managers) > 2:
        caches.commit(segments[:2], 2)
    lengths = caches.lengths(segments)
    assert set(lengths) == {segments[1 if len(lengths) > 2 else 3].end}


@pytest.mark.parametrize("rich", [0, 1])
def test_a_rank_may_have_the_end_of_a_prompt_that_others_have_dropped(caches: Caches, rich: int) -> None:
    """It asks for one token more than they do. Machines with less memory drop the end earlier."""
    segments = chain(3)
    caches.commit(segments, 0, 1, 2)
    limits = [segments[-1].end + (rank == rich) for rank in range(len(caches.managers))]
    requests = [LookupRequest("chat", segments, HYBRID, limit, FAR) for limit in limits]
    found = caches.on_each(lambda rank, manager, then: manager.look_up(requests[rank], then))
    assert {one.plan.length for one in found} == {segments[-2].end}


def test_refused_records_of_one_rank_are_restored_by_none(caches: Caches) -> None:
    """A rank whose records do not fit drops them, and the next lookup settles on what is left."""
    segments = chain(3)
    caches.commit(segments, 0, 1, 2)

    def refuse(rank: int, manager: Any, then: Callable[[Any], None]) -> None:
        if rank == 1:
            manager.refuse(segments[2:])
        manager.ask(Priority.WRITE, lambda _: None, then)

    caches.on_each(refuse)
    assert set(caches.lengths(segments)) == {segments[1].end}


def test_what_stays_in_memory_is_restored_as_far_as_all_ranks_have_it(caches: Caches, tmp_path: Path) -> None:
    """Each rank keeps its share of a private chat in memory. One whose share was evicted in part makes all restore what
    it has, and none writes anything.
    """
    segments = cut(in_memory("m"), range(40), [10, 20, 30, 40])
    caches.commit(segments, 0, 1, 2)
    caches.managers[1].hot.drop([segments[-1].key])
    found = caches.found(segments)
    assert {(one.plan.length, one.source) for one in found} == {(segments[-2].end, "hot")}
    assert not list(tmp_path.rglob("*.safetensors"))


def test_lookups_go_on_after_a_forget_and_a_clear(caches: Caches) -> None:
    """What was looked up for a chat that is forgotten meanwhile, and for a model that is gone, gets no answer, and the
    tickets of later lookups still agree.
    """
    segments, answers = chain(2), list[Any]()
    caches.commit(segments, 0, 1, 2)
    request = LookupRequest("chat", segments, HYBRID, FAR, FAR)

    def look_up_and_forget(_: int, manager: Any, then: Callable[[Any], None]) -> None:
        manager.look_up(request, answers.append)
        manager.forget("chat", then)

    def look_up_and_clear(_: int, manager: Any, then: Callable[[Any], None]) -> None:
        manager.look_up(request, answers.append)
        manager.clear()
        then(None)

    caches.on_each(look_up_and_forget)
    assert set(caches.lengths(segments)) == {0}
    caches.commit(segments, 0, 1, 2)
    caches.on_each(look_up_and_clear)
    assert len(set(caches.lengths(segments))) == 1
    assert answers == []


@pytest.mark.parametrize("told", [0, 10, 1 << 60])
def test_a_leader_does_not_decide_how_much_of_the_disk_a_rank_takes(tmp_path: Path, told: int) -> None:
    """A larger limit of the leader would fill the disk, and a smaller one would evict what other leaders have there."""
    group = Group(1)
    io = IoThread(partial(SegmentStore.open, tmp_path, 1000))
    manager = RankManager(io, HotTier(1000), group.followers[1], most=1000)
    quotas: queue.SimpleQueue[int] = queue.SimpleQueue()
    manager.budget(SetBudget(told))
    io.submit(Priority.WRITE, lambda store: store.quota_bytes, quotas.put)
    assert quotas.get(timeout=WAIT) == 1000
    assert manager.close(WAIT)
