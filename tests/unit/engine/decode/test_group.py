"""A snapshot takes back what was fed since, as often as it is asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache, CacheList, ChunkedKVCache, KVCache, QuantizedKVCache, RotatingKVCache

from engine.decode.group import Reversal, Snapshot, reversal
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
def test_what_is_fed_after_it_was_restored_is_fed_as_to_a_copy(rig: Rig, fed: list[int]) -> None:
    """Nothing of what was taken back remains, whatever is fed then: a window writes single tokens into its arrays."""
    caches, copies = rig.fresh_caches(), rig.fresh_caches()
    for begun in (ids(50), [3], [4]):
        mx.eval(rig.model(mx.array([begun]), cache=caches), rig.model(mx.array([begun]), cache=copies))
    before = Snapshot(caches)
    mx.eval(rig.model(mx.array([ids(6, 2)]), cache=caches))
    before.restore(6)
    for start, tokens in enumerate(fed, 3):
        own, other = (rig.model(mx.array([ids(tokens, start)]), cache=one)[0, -1] for one in (caches, copies))
        assert largest(own - other) < 1e-4 * largest(other)
