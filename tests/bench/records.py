"""Records: what a turn writes beside the whole cache, and reading them beside mlx-lm's own prompt cache file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import load_prompt_cache, save_prompt_cache

from engine.cache import codec, planner, wire
from engine.cache.segment import cut
from storage.segments.records import NewRecord, NewSegment
from storage.segments.store import SegmentStore
from tests.bench.figures import Figure, faster, median_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.segment import Segment
    from engine.loader import LoadedModel

TITLE = "Cache records of a 3,000-token chat of 30 turns (baseline: mlx-lm's prompt cache file)"
TURNS, TOKENS = 30, 100
RUNS = 7


def measure(model: LoadedModel) -> list[Figure]:
    """Bytes written over the whole chat, and the time to have the cache back in memory."""
    assert model.layout is not None
    caches = model.fresh_caches()
    ids = [i * 7 % 250 for i in range(TURNS * TOKENS)]
    chain = cut(model.identity.model, ids, range(TOKENS, len(ids) + 1, TOKENS))
    with tempfile.TemporaryDirectory() as home:
        store, theirs = SegmentStore.open(Path(home) / "segments", 1 << 34), Path(home) / "cache.safetensors"
        written = whole = 0
        for segment in chain:
            model.model(mx.array([ids[segment.start : segment.end]]), cache=caches)
            records = _records(caches, segment.start, segment.end)
            written += store.commit(
                "chat", [NewSegment(segment.key, segment.parent, "m", segment.start, segment.end, records)]
            )
            save_prompt_cache(str(theirs), caches)
            whole += theirs.stat().st_size
        figures = [
            Figure("bytes written", written / 1e6, "MB", whole / 1e6, whole / written),
            faster(
                "restore",
                median_ms(lambda: _restore(model, store, chain), RUNS),
                median_ms(lambda: _load(theirs), RUNS),
            ),
        ]
        store.close()
    return figures


def _records(caches: list[Any], start: int, end: int) -> tuple[NewRecord, ...]:
    taken = codec.take(caches, start, end)
    return tuple(NewRecord(kind, wire.down(arrays), {}) for kind, arrays in taken.items())


def _restore(model: LoadedModel, store: SegmentStore, chain: Sequence[Segment]) -> None:
    assert model.layout is not None
    stored = {s.key: s for s in store.lookup([segment.key for segment in chain])}
    taken: dict[str, dict[str, codec.Arrays]] = {segment.key: {} for segment in chain}
    for segment, kind in planner.records(chain, model.layout.needs):
        taken[segment.key][kind] = wire.typed(wire.up(store.read(stored[segment.key].records[kind]).tensors))
    fresh = model.fresh_caches()
    codec.restore(model.layout, fresh, [codec.Piece(s.start, s.end, taken[s.key]) for s in chain])
    mx.eval([leaf.state for _, leaf in codec.leaves(fresh)])


def _load(file: Path) -> None:
    mx.eval([cache.state for cache in load_prompt_cache(str(file))])
