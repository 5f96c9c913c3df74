"""Records: the bytes that a turn writes compared with the whole cache, and the time to read them compared with mlx-lm's
prompt cache file.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import load_prompt_cache, save_prompt_cache

from engine.cache.codec import codec
from engine.cache.lookup import restore
from engine.cache.manager import Checkpoint
from engine.cache.segment import cut
from tests.bench.figures import Figure, faster, median_ms
from tests.fakes.long_chat import desk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.segment import Segment
    from engine.model.loader import LoadedModel
    from tests.fakes.long_chat import Desk

TITLE = "Cache records of a 3,000-token chat of 30 turns (baseline: mlx-lm's prompt cache file)"
TURNS, TOKENS = 30, 100
RUNS = 7


def measure(model: LoadedModel) -> list[Figure]:
    """The bytes written over the whole chat, and the time to restore the cache to memory."""
    caches = model.fresh_caches()
    ids = [i * 7 % 250 for i in range(TURNS * TOKENS)]
    chain = cut(model.identity.model, ids, range(TOKENS, len(ids) + 1, TOKENS))
    with tempfile.TemporaryDirectory() as home, desk(Path(home) / "segments") as at:
        theirs = Path(home) / "cache.safetensors"
        written = whole = 0
        for number, segment in enumerate(chain, start=1):
            model.model(mx.array([ids[segment.start : segment.end]]), cache=caches)
            written += _commit(at, caches, chain[:number])
            save_prompt_cache(str(theirs), caches)
            whole += theirs.stat().st_size
        return [
            Figure("bytes written", written / 1e6, "MB", whole / 1e6, whole / written),
            faster(
                "restore",
                median_ms(lambda: _restore(model, at, chain), RUNS),
                median_ms(lambda: _load(theirs), RUNS),
            ),
        ]


def _commit(at: Desk, caches: Sequence[Any], chain: Sequence[Segment]) -> int:
    newest = chain[-1]
    taken = Checkpoint(newest, codec.take(caches, newest.start, newest.end), durable=True)
    outcome: list[Any] = []
    at.manager.commit("chat", "m", [taken], chain, outcome.append)
    size = at.wait(outcome)
    assert isinstance(size, int), size
    return size


def _restore(model: LoadedModel, at: Desk, chain: Sequence[Segment]) -> None:
    assert model.layout is not None
    at.manager.hot.clear()
    fresh = model.fresh_caches()
    assert restore(model.layout, at.found(chain, model.layout.needs), fresh) == chain[-1].end
    mx.eval([leaf.state for _, leaf in codec.leaves(fresh)])


def _load(file: Path) -> None:
    mx.eval([cache.state for cache in load_prompt_cache(str(file))])
