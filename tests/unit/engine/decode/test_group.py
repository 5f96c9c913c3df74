"""How much can be taken back of what caches were fed. The tests of drafts take it back."""

from __future__ import annotations

from typing import Any

import pytest
from mlx_lm.models.cache import ArraysCache, CacheList, ChunkedKVCache, KVCache, QuantizedKVCache, RotatingKVCache

from engine.decode.group import Reversal, reversal


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
