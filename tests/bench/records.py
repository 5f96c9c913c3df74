"""Records: the bytes that a chat writes, compared with mlx-lm's prompt cache file of each turn, and holds, compared
with all that was written; how soon a turn is on disk; and the time to read its cache back.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import load_prompt_cache, save_prompt_cache

from engine.cache.codec import codec
from engine.cache.disk.io_thread import Priority
from engine.cache.manager import Checkpoint
from engine.cache.retention import SPANS_A_TURN
from engine.cache.segment import Segment, cut
from engine.model.loader import LoadedModel
from storage.segments.records import RecordKind
from storage.segments.store import SegmentStore
from tests.bench.figures import Figure, faster, median_ms
from tests.fakes.long_chat import Desk, desk

TITLE = "Cache records of a 3,000-token chat of 30 turns (baseline: mlx-lm's prompt cache file)"
TURNS, TOKENS = 30, 100
RUNS = 7
IDENTITY = "m"


def measure(model: LoadedModel) -> list[Figure]:
    """The bytes written over the whole chat and held after it, and the time to restore the cache to memory."""
    caches = model.fresh_caches()
    ids = [i * 7 % 250 for i in range(TURNS * TOKENS)]
    chain = _chain(model.identity.model, ids)
    with tempfile.TemporaryDirectory() as home, desk(Path(home) / "segments") as at:
        theirs = Path(home) / "cache.safetensors"
        written = whole = 0
        durable: list[float] = []
        for number, segment in enumerate(chain, start=1):
            model.model(mx.array([ids[segment.start : segment.end]]), cache=caches)
            mx.eval([leaf.state for _, leaf in codec.leaves(caches)])
            began = time.perf_counter()
            written += _commit(at, caches, chain[:number])
            durable.append((time.perf_counter() - began) * 1000)
            save_prompt_cache(str(theirs), caches)
            whole += theirs.stat().st_size
        return [
            Figure("bytes written", written / 1e6, "MB", whole / 1e6, whole / written),
            *_held(at, written),
            faster("slowest turn on disk, against a second", max(durable), 1000),
            faster(
                "restore",
                median_ms(lambda: _restore(model, at, chain), RUNS),
                median_ms(lambda: _load(theirs), RUNS),
            ),
        ]


def _chain(identity: str, ids: Sequence[int]) -> list[Segment]:
    """A segment a turn."""
    segments = cut(identity, ids, range(TOKENS, len(ids) + 1, TOKENS))
    return [replace(segment, boundary=SPANS_A_TURN * segment.boundary) for segment in segments]


def _held(at: Desk, written: int) -> list[Figure]:
    """The bytes and states on disk after the chat, compared with all that was ever written."""

    def counted(store: SegmentStore) -> tuple[int, int]:
        return store.index.stats().bytes, len(store.index.records("chat", RecordKind.STATE, IDENTITY))

    outcome: list[Any] = []
    at.manager.ask(Priority.WRITE, counted, outcome.append)
    held, states = at.wait(outcome)
    figures = [Figure("bytes held, against all that was written", held / 1e6, "MB", written / 1e6, written / held)]
    if states:
        figures.append(Figure("states held, against one a turn", states, "", TURNS, TURNS / states))
    return figures


def _commit(at: Desk, caches: Sequence[Any], chain: Sequence[Segment]) -> int:
    newest = chain[-1]
    taken = Checkpoint(newest, codec.take(caches, newest.start, newest.end), durable=True)
    outcome: list[Any] = []
    at.manager.commit("chat", IDENTITY, [taken], chain, outcome.append)
    size = at.wait(outcome)
    assert isinstance(size, int), size
    return size


def _restore(model: LoadedModel, at: Desk, chain: Sequence[Segment]) -> None:
    assert model.layout is not None
    at.manager.hot.clear()
    fresh = model.fresh_caches()
    assert codec.restore(model.layout, fresh, at.found(chain, model.layout.needs).pieces) == chain[-1].end
    mx.eval([leaf.state for _, leaf in codec.leaves(fresh)])


def _load(file: Path) -> None:
    mx.eval([cache.state for cache in load_prompt_cache(str(file))])
