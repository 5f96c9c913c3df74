from __future__ import annotations

from pathlib import Path

import mlx.core as mx
import pytest
from mlx_lm.models.cache import (
    ArraysCache,
    CacheList,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
    make_prompt_cache,
)

from engine.memory.machine import Machine
from engine.model.loader import measured
from engine.model.probes import KvQuantization
from tests.fakes import tiny_models


def fed(keys: int, values: int) -> KVCache:
    cache = KVCache()
    cache.update_and_fetch(mx.ones((1, 1, 3, keys)), mx.ones((1, 1, 3, values)))
    return cache


@pytest.mark.parametrize(
    ("keys", "values", "group"),
    [(128, 128, 64), (64, 128, 64), (96, 64, 32), (32, 32, 32), (80, 80, 0), (64, 8, 0), (64, 0, 0)],
)
def test_the_largest_group_that_divides_both_is_taken(keys: int, values: int, group: int) -> None:
    """Groups of 64 if both sizes allow it, else of 32, else the layer is not quantised. Nor is an index that has only
    keys.
    """
    kv_quantization = KvQuantization.fitting([fed(keys, values)], 8)
    assert dict(kv_quantization.groups) == ({"0": group} if group else {})
    assert kv_quantization.bits == (8 if group else 0), "where nothing is quantised, nothing is promised"
    assert KvQuantization.fitting([fed(keys, values)], 0) == KvQuantization()


def test_only_growing_layers_are_quantised() -> None:
    """Nested growing layers are quantised too. Windows, recurrent states and unused layers are not."""

    def fresh() -> list[object]:
        return [CacheList(ArraysCache(2), CacheList(KVCache(), RotatingKVCache(8))), KVCache(), KVCache()]

    tried = fresh()
    tried[0] = CacheList(ArraysCache(2), CacheList(fed(64, 64), RotatingKVCache(8)))
    tried[1] = fed(32, 32)
    kv_quantization = KvQuantization.fitting(tried, 4)
    assert dict(kv_quantization.groups) == {"0.1.0": 64, "1": 32}
    nested, small, unfed = kv_quantization.packed(fresh())
    (quantised, window) = nested[1].caches
    assert type(nested[0]) is ArraysCache
    assert type(window) is RotatingKVCache
    assert type(unfed) is KVCache
    assert [(type(c), c.group_size, c.bits) for c in (quantised, small)] == [
        (QuantizedKVCache, 64, 4),
        (QuantizedKVCache, 32, 4),
    ]


@pytest.mark.parametrize("family", ["mamba", "llama"])
def test_machines_quantise_together_or_not_at_all(tmp_path: Path, family: str) -> None:
    """A machine without keys, or whose keys cannot be quantised, takes the passes of the machine that quantises its
    own, and has the same bits in its identity. If one of them fails, none quantises.
    """
    model = tiny_models.opened(tiny_models.build(tmp_path / family, family))
    figures = {"unquantised": 0}
    for bits, runs in ((0, 0), (8, 1)):
        figures["runs quantised"] = runs
        kv_quantization, caches = measured(model, 8, Machine(agree=lambda name, own: min(own, figures[name])))
        assert kv_quantization == KvQuantization(bits)  # type: ignore[arg-type] # one of the allowed numbers
        assert [type(cache) for cache in caches] == [type(cache) for cache in make_prompt_cache(model)]
