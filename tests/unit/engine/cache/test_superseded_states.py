"""States that are superseded while they wait for a slow disk: the newest are written."""

from __future__ import annotations

from pathlib import Path

import mlx.core as mx

from engine.cache.manager import Checkpoint
from engine.cache.segment import cut
from tests.fakes.cache_rig import IDS, Rig, chain, stored, waiting_states


def test_a_state_that_is_superseded_while_it_waits_is_never_written(cache: Rig, tmp_path: Path) -> None:
    """A disk slower than the conversation writes all keys and values. Of the states it writes the prefix's, the oldest,
    which was next, and the two newest: where the next turn starts, and where the last one did.
    """
    segments = chain(4)
    gate = cache.block_io()
    outcomes = [cache.commit(segments[:end], new=3 if end == 3 else 2) for end in (3, 5, 7, 9)]
    assert waiting_states(cache.manager) == 4, "memory is free at once"
    gate.set()
    sizes = [cache.wait(outcome) for outcome in outcomes]
    assert stored(tmp_path / "segments", segments) == ["KS", "K", "KS", "K", "K", "K", "KS", "K", "KS"]
    assert sizes[1] < sizes[2] == sizes[3]
    assert waiting_states(cache.manager) == 0


def test_the_memory_of_a_superseded_state_is_free_at_once(tmp_path: Path) -> None:
    """However many turns wait for the disk, only three of their states are in memory."""
    cache = Rig(tmp_path / "segments", hot_bytes=0)
    gate, states = cache.block_io(), list[int]()
    segments = chain(12)
    for turn in range(1, 13):
        state = {"a": mx.zeros((1 << 18,))}
        mx.eval(state["a"])
        upto = segments[: 2 * turn + 1]
        cache.manager.commit("chat", "m", [Checkpoint(upto[-1], {"state": state}, durable=True)], upto, lambda _: None)
        del state
        mx.clear_cache()
        states.append(mx.get_active_memory())
    assert waiting_states(cache.manager) == 3
    assert states[-1] <= states[2] + 1000
    gate.set()
    assert cache.manager.close(10)


def test_an_alternative_supersedes_nothing(cache: Rig, tmp_path: Path) -> None:
    """A chat can continue from either of two answers that end together."""
    first = chain(2)
    second = [*first[:-1], *cut("model", [*IDS[:40], *range(900, 920)], [10, 20, 30, 40, 60])[4:]]
    gate = cache.block_io()
    outcomes = [cache.commit(first[:-1], new=4), cache.commit(first, new=1), cache.commit(second, new=1)]
    gate.set()
    for outcome in outcomes:
        cache.wait(outcome)
    assert stored(tmp_path / "segments", [first[-1], second[-1]]) == ["KS", "KS"]
