"""The cache manager between memory and disk, with a real store on a real I/O thread."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mlx.core as mx
import pytest

from engine.cache.codec import codec
from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import CacheManager, Checkpoint
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import NO_REQUEST, Segment, cut, in_memory
from engine.protocol.cache_messages import KeepCached, SetBudget
from storage.errors import DamagedDatabase
from tests.fakes.cache_rig import HYBRID, IDS, QUOTA, Rig, chain, stored
from tests.fakes.long_chat import Desk, Shape, desk, talk
from tests.fakes.problems import raising


def test_memory_and_disk_restore_together(cache: Rig) -> None:
    """If only the end of a chat is in memory, only its start is read from disk. Then all of it is in memory again."""
    segments = chain(3)
    cache.wait(cache.commit(segments, new=7))
    assert cache.found(segments, enough=0).source == "hot"
    cache.manager.hot.drop(s.key for s in segments[:3])
    found = cache.found(segments)
    assert (found.source, found.plan.length) == ("disk", 70)
    assert [set(piece.records) for piece in found.pieces] == [{"kv"}] * 7 + [{"state"}]
    assert cache.found(segments).source == "hot"


# --- forgotten meanwhile


def holders(cache: Rig) -> list[str]:
    """The conversations that the store knows."""
    found = list[Any]()
    cache.manager.ask(Priority.WRITE, lambda store: store.index.conversations(), found.append)
    return [one.conversation for one in cache.wait(found)]


@pytest.mark.parametrize(("requests", "answers"), [(["r"], [0]), ([NO_REQUEST], [])])
def test_what_is_forgotten_while_it_is_looked_up_does_not_come_back(
    cache: Rig, requests: list[str], answers: list[int]
) -> None:
    """Neither to memory nor as a holder of shared segments. The request gets a miss."""
    segments = chain(2)
    cache.wait(cache.commit(segments, new=5))
    cache.wait(cache.commit(segments[:3], new=3, chat="fork"))
    cache.manager.hot.clear()
    gate, found, freed = cache.block_io(), list[LookupResult](), list[int | Failure]()
    cache.manager.look_up(LookupRequest("chat", segments, HYBRID, 1 << 20, 1 << 20, requests), found.append)
    cache.manager.forget("chat", freed.append)
    gate.set()
    cache.wait(freed)
    assert holders(cache) == ["fork"]
    assert cache.manager.hot.bytes == 0
    assert [one.plan.length for one in found] == answers


def test_what_is_forgotten_is_not_written_again(cache: Rig) -> None:
    """If the disk has lost the start of a chat, and the chat is forgotten before that is reported, other chats keep
    what they hold.
    """
    segments = chain(2)
    cache.wait(cache.commit(segments[:4], new=4))
    cache.io.submit(Priority.WRITE, lambda store: store.forget("chat"), lambda _: None)
    cache.wait(cache.commit(segments[:3], new=3, chat="fork"))
    saved = cache.commit(segments, new=1)
    cache.manager.forget("chat", lambda _: None)
    cache.wait(saved)
    assert holders(cache) == ["fork"]


def test_what_stays_in_memory_gives_the_disk_nothing_to_do(cache: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A private chat that is committed, looked up, continued, opened, evicted in part and refused."""
    segments, jobs = list(cut(in_memory("model"), IDS, range(10, 51, 10))), list[object]()
    monkeypatch.setattr(cache.io, "submit", lambda *job: jobs.append(job))
    assert cache.wait(cache.commit(segments, new=5, chat="private")) == 0
    found = cache.found(segments)
    assert (found.source, found.plan.length) == ("hot", 50)
    cache.manager.claim("private", segments[:3])
    cache.manager.refuse(segments[3:])
    assert cache.found(segments).plan.length == 30
    cache.manager.hot.clear()
    assert cache.found(segments).plan.length == 0
    assert jobs == []


# --- budget and figures


def test_the_budget_is_kept_and_survives_a_new_store(tmp_path: Path) -> None:
    """The report has the store's figures. The excess is evicted at once, but never a pinned chat's. A store that is
    opened anew gets the same quota and pins.
    """
    cache = Rig(tmp_path / "segments")
    mine, other = chain(2), list(cut("model", range(900, 1400), range(10, 51, 10)))
    size = cache.wait(cache.commit(mine, new=5))
    report = cache.report()
    assert (report.held_bytes, report.quota_bytes, report.conversations, report.records) == (size, QUOTA, 1, 7)
    assert (report.damaged, report.trouble, report.code) == ({}, "", "")
    cache.wait(cache.commit(other, new=5, chat="other"))
    cache.manager.budget(SetBudget(1, ("chat",)))
    report = cache.report()
    assert (report.quota_bytes, report.conversations) == (1, 1)
    assert all(stored(tmp_path / "segments", mine))
    assert not any(stored(tmp_path / "segments", other))
    cache.io.submit(Priority.WRITE, raising(DamagedDatabase("as if the index were")), lambda _: None)
    assert cache.report().quota_bytes == 1
    assert all(stored(tmp_path / "segments", mine))
    assert cache.manager.close(10)


def test_a_limit_is_kept_to_even_if_a_larger_one_waits_behind_it(cache: Rig, tmp_path: Path) -> None:
    """So everything is freed if the disk is busy: the limit of nothing is followed by the usual one."""
    segments = chain(2)
    cache.wait(cache.commit(segments, new=5))
    gate = cache.block_io()
    cache.manager.budget(SetBudget(0))
    cache.manager.budget(SetBudget(QUOTA))
    gate.set()
    assert (cache.report().quota_bytes, stored(tmp_path / "segments", segments)) == (QUOTA, [""] * 5)


def test_a_chat_that_is_being_answered_is_not_evicted_for_another(tmp_path: Path) -> None:
    """From its lookup to its commit its segments stay, however small the quota."""
    cache = Rig(tmp_path / "segments")
    mine, other = chain(2), list(cut("model", range(900, 1400), range(10, 51, 10)))
    size = cache.wait(cache.commit(mine, new=5))
    cache.manager.hot.clear()
    cache.found(mine)
    cache.manager.budget(SetBudget(size + 1000))
    assert cache.wait(cache.commit(other, new=5, chat="other")).code == "over_budget"
    assert all(stored(tmp_path / "segments", mine))
    cache.manager.claim("chat", mine)
    cache.wait(cache.commit(other, new=5, chat="other"))
    assert all(stored(tmp_path / "segments", other))
    assert cache.manager.close(10)


def test_a_chat_that_is_being_answered_is_not_evicted_for_what_is_written_again(cache: Rig, tmp_path: Path) -> None:
    """If another chat's lost start is written again, it gets no room from segments in use."""
    mine, other = chain(2), list(cut("model", range(900, 1400), range(10, 51, 10)))
    size = cache.wait(cache.commit(mine, new=5))
    cache.found(mine)
    cache.wait(cache.commit(other[:4], new=4, chat="other"))
    cache.io.submit(Priority.WRITE, lambda store: store.forget("other"), lambda _: None)
    cache.manager.budget(SetBudget(size * 3 // 2))
    cache.wait(cache.commit(other, new=1, chat="other"))
    cache.report()
    assert all(stored(tmp_path / "segments", mine))
    assert stored(tmp_path / "segments", other) == ["", "", "", "", "KS"]


# --- live caches made of what was read


def test_a_chat_is_restored_and_continues_in_little_more_memory_than_it_keeps(tmp_path: Path) -> None:
    """A restore takes less than a tenth of the cache beside the hot and live arrays. Continuing does not change the
    records that the next turn starts from. A chat that leases its memory continues in it: from the disk through the
    next two answers, no key and no value is held twice or copied.
    """
    shape = Shape(layers=8, heads=4)
    with desk(tmp_path / "segments") as at:
        size = talk(at, shape, 20).whole[-1]
        layout = shape.layout()
        ids = [number * 7 % 250 for number in range(20 * 200 + 30)]
        segments = cut("m", ids, sorted({*range(60, 4001, 200), *range(200, 4001, 200), 4010, 4030}))
        at.manager.hot.clear()
        mx.clear_cache()
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        found, live = at.found(segments[:-2], layout.needs), shape.fresh()
        assert (found.source, [[*piece.records] for piece in found.pieces]) == ("disk", [["kv"], ["state"]]), (
            "read as one, nothing has to be joined"
        )
        assert codec.restore(layout, live, found.pieces) == 4000
        assert mx.get_peak_memory() - mx.get_active_memory() <= size / 10
        kept = [mx.array(leaf.keys[..., :4000, :]) for leaf in live[: shape.layers]]
        shape.feed(live, 5)
        again = shape.fresh()
        assert codec.restore(layout, again, at.found(segments[:-2], layout.needs).pieces) == 4000
        assert all(mx.array_equal(leaf.keys[..., :4000, :], one).item() for leaf, one in zip(again, kept, strict=False))
        del found, live, again, kept
        at.manager.hot.clear()
        mx.clear_cache()
        reached = 4000
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
    assert codec.restore(shape.layout(), live, found.pieces) == chain[-1].end
    return live


def test_a_command_for_the_disk_lives_until_its_job_is_done() -> None:
    """A rank that another Mac leads counts the memory of a command until then: a slow disk makes no room for more."""
    jobs = list[object]()
    io: Any = SimpleNamespace(submit=lambda *job: jobs.append(job))
    manager = CacheManager(io, HotTier(0), lambda _: None)
    kept, wanted = KeepCached(("chat",)), SetBudget(0, ("chat",))
    alive: list[Any] = [weakref.ref(kept), weakref.ref(wanted)]
    manager.keep(kept)
    manager.budget(wanted)
    manager.budget(SetBudget(1))
    del kept, wanted
    assert all(one() for one in alive)
    jobs.clear()
    assert not any(one() for one in alive)
