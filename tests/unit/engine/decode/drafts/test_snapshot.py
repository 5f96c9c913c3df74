"""A snapshot takes back what was fed since, as often as it is asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache, CacheList, ChunkedKVCache, KVCache, QuantizedKVCache, RotatingKVCache

from engine.decode.drafts.snapshot import Reversal, Snapshot, reversal
from tests.fakes import rigs
from tests.fakes.decoding import ids, largest
from tests.fakes.drafting import NEVER

if TYPE_CHECKING:
    from tests.fakes.rigs import Rig


@pytest.mark.parametrize(
    ("caches", "expected"),
    [
        ([KVCache(), CacheList(KVCache(), QuantizedKVCache())], Reversal.ANY),
        ([KVCache(), ArraysCache(2)], Reversal.ALL),
        ([CacheList(KVCache(), RotatingKVCache(8))], Reversal.ALL),
        ([KVCache(), RotatingKVCache(8, keep=2)], Reversal.NONE),
        ([ArraysCache(2), ChunkedKVCache(8)], Reversal.NONE),
    ],
)
def test_the_least_able_cache_decides_what_can_be_taken_back(caches: list[Any], expected: Reversal) -> None:
    """Also inside another cache."""
    assert reversal(caches) == expected


@pytest.mark.parametrize("rig", [name for name in rigs.NAMES if name not in NEVER], indirect=True)
@pytest.mark.parametrize("fed", [[1] * 6, [4, 1, 1]], ids=["single tokens", "several first"])
def test_it_can_be_restored_again(rig: Rig, fed: list[int]) -> None:
    """Whatever was fed after the first time: a window writes single tokens into its arrays."""
    caches = rig.fresh_caches()
    for begun in (ids(50), [3], [4]):
        mx.eval(rig.model(mx.array([begun]), cache=caches))
    before, logits = Snapshot(caches), list[mx.array]()
    rig.model(mx.array([ids(6, 2)]), cache=caches)
    for _ in range(2):
        before.restore(6)
        for start, tokens in enumerate(fed, 3):
            logits.append(rig.model(mx.array([ids(tokens, start)]), cache=caches)[0, -1])
            mx.eval(logits[-1])
    half = len(fed)
    assert largest(mx.stack(logits[:half]) - mx.stack(logits[half:])) < 1e-4 * largest(mx.stack(logits))
