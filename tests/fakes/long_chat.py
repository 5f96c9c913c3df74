"""A long chat with a hybrid model that computes nothing: caches of realistic size, committed turn by turn."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
from mlx_lm.models.cache import ArraysCache, KVCache

from engine.cache.codec import codec
from engine.cache.disk.io_thread import IoThread
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import CacheManager, Checkpoint
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import Needs, Segment, cut
from storage.segments.store import SegmentStore

QUOTA = 1 << 36

_DICE = np.random.default_rng(1)
_TWO = 0x4000
"""The bits of 2 in bfloat16. Smaller numbers have smaller bits."""


@dataclass
class Desk:
    """A manager with a real store. Its calls wait for their outcomes."""

    manager: CacheManager
    posts: queue.SimpleQueue[Callable[[], None]]

    def wait(self, outcome: list[Any]) -> Any:
        while not outcome:
            self.posts.get(timeout=60)()
        return outcome[0]

    def found(self, chain: Sequence[Segment], needs: Needs) -> LookupResult:
        """A whole chain, from the disk if it is not hot."""
        outcome: list[LookupResult] = []
        whole = chain[-1].end + 1
        self.manager.look_up(LookupRequest("chat", chain, needs, whole, whole), outcome.append)
        found = self.wait(outcome)
        assert isinstance(found, LookupResult)
        return found


@contextmanager
def desk(folder: Path, hot_bytes: int = QUOTA) -> Iterator[Desk]:
    posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    manager = CacheManager(IoThread(lambda: SegmentStore.open(folder, QUOTA)), HotTier(hot_bytes), posts.put)
    yield Desk(manager, posts)
    assert manager.close(60)


@dataclass
class Shape:
    """The caches of a model: twice (1, heads, tokens, size) of bfloat16 in each growing layer, and states."""

    layers: int = 4
    heads: int = 4
    size: int = 64
    states: int = 2
    state_bytes: int = 1 << 18

    def fresh(self) -> list[Any]:
        return [*(KVCache() for _ in range(self.layers)), *(ArraysCache(1) for _ in range(self.states))]

    def layout(self) -> codec.Layout:
        caches = self.fresh()
        self.feed(caches, 16)
        layout = codec.Layout.of(caches)
        assert layout
        return layout

    def feed(self, caches: list[Any], tokens: int) -> None:
        """Grow by this number of tokens."""
        for leaf in caches[: self.layers]:
            shape = (1, self.heads, tokens, self.size)
            leaf.update_and_fetch(*(_noise(shape) for _ in "kv"))
        for leaf in caches[self.layers :]:
            leaf[0] = mx.random.normal((1, self.state_bytes // 4))
        mx.eval([leaf.state for leaf in caches])


def _noise(shape: tuple[int, ...]) -> mx.array:
    """Finite numbers. Not MLX's random numbers: a gigabyte of those takes longer than everything that is measured."""
    return mx.array(_DICE.integers(0, _TWO, shape, np.uint16)).view(mx.bfloat16)


@dataclass
class Written:
    """Bytes for each turn: the new ones, the written ones, and the size of the whole cache."""

    new: list[int] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)


def talk(desk: Desk, shape: Shape, turns: int, said: int = 60, answered: int = 140) -> Written:
    """A chat of `turns` turns, `said` and `answered` tokens long, each committed as at the end of an answer."""
    sizes, caches = Written(), shape.fresh()
    turn = said + answered
    ids = [at * 7 % 250 for at in range(turns * turn)]
    chain = cut("m", ids, sorted({*range(said, len(ids) + 1, turn), *range(turn, len(ids) + 1, turn)}))
    for number in range(turns):
        checkpoints = []
        for segment in chain[2 * number : 2 * number + 2]:
            shape.feed(caches, segment.end - segment.start)
            last = segment.end == (number + 1) * turn
            checkpoints.append(Checkpoint(segment, codec.take(caches, segment.start, segment.end), durable=last))
        outcome: list[Any] = []
        desk.manager.commit("chat", "m", checkpoints, chain[: 2 * number + 2], outcome.append)
        sizes.written.append(desk.wait(outcome))
        kept = [codec.size_of(arrays) for c in checkpoints for kind, arrays in c.records.items() if kind != "state"]
        state = codec.size_of(checkpoints[-1].records.get("state", {}))
        sizes.new.append(sum(kept) + state)
        sizes.whole.append(sum(leaf.nbytes for leaf in caches))
    return sizes
