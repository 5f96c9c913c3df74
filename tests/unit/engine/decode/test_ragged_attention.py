"""Attention by cluster equals attention row by row. Nothing changes for ordinary arrays."""

from __future__ import annotations

from types import SimpleNamespace

import mlx.core as mx
import pytest
from mlx_lm.models import base, llama
from mlx_lm.models.base import create_attention_mask
from mlx_lm.models.cache import KVCache

from engine.decode import ragged_attention
from engine.decode.clustering import PaddedRows
from engine.decode.ragged_attention import RaggedKVCache, RowPositions

HEADS, SIZE = 2, 8


def test_a_mask_for_rows_in_clusters_is_refused() -> None:
    """A mask over all rows fits no cluster. A model that passes one must be detected."""
    cache = RaggedKVCache([KVCache(), KVCache()], RowPositions([PaddedRows([1]), PaddedRows([1])]))
    new = mx.zeros((2, HEADS, 1, SIZE))
    keys, values = cache.update_and_fetch(new, new)
    with pytest.raises(TypeError, match="masks of their own"):
        ragged_attention.scaled_dot_product_attention(new, keys, values, cache, 0.3, mask=mx.ones((2, 1, 1, 10)))


def test_ordinary_arrays_get_what_mlx_lm_gives() -> None:
    """Every bit is the same, with a mask and without."""
    queries, keys, values = (mx.random.normal((2, HEADS, 4, SIZE)) for _ in range(3))
    for mask in (None, "causal"):
        expected = base.scaled_dot_product_attention(queries, keys, values, cache=None, scale=0.3, mask=mask)
        got = ragged_attention.scaled_dot_product_attention(queries, keys, values, None, 0.3, mask)
        assert mx.array_equal(expected, got)


def test_it_is_installed_once_where_the_model_calls_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the modules of the model's layers and of their base classes, and never on top of itself."""
    monkeypatch.setattr(llama, "scaled_dot_product_attention", base.scaled_dot_product_attention)
    layer = type("Layer", (llama.Attention,), {"__init__": lambda _: None, "__module__": __name__})()
    model = SimpleNamespace(modules=lambda: [layer, layer])
    for _ in range(2):
        ragged_attention.install(model)
        assert llama.scaled_dot_product_attention is ragged_attention.scaled_dot_product_attention
    assert base.scaled_dot_product_attention is not ragged_attention.scaled_dot_product_attention


def test_a_pipeline_can_make_its_keys_depend_on_what_it_sends() -> None:
    """mlx-lm does so with the keys of a machine's last cache. They stay what they are."""
    part = KVCache()
    part.update_and_fetch(mx.ones((1, 1, 3, 4)), mx.ones((1, 1, 3, 4)))
    cache = RaggedKVCache([part], RowPositions([PaddedRows([3])]))
    before = cache.keys
    cache.keys = mx.depends(cache.keys, mx.zeros(1))
    assert not cache.empty()
    assert part.keys is not before
    assert mx.array_equal(part.keys, before)


def test_it_gives_no_mask_for_a_step_and_refuses_what_it_cannot_mask() -> None:
    """A prompt, or a window over growing layers, would need a mask over all rows: that raises."""
    cache = RaggedKVCache([KVCache()], RowPositions([PaddedRows([1])]))
    hidden = mx.zeros((1, 1, 4))
    assert create_attention_mask(hidden, cache) is None
    assert create_attention_mask(hidden, cache, return_array=True) is None
    with pytest.raises(ValueError, match="one token a step"):
        create_attention_mask(mx.zeros((1, 2, 4)), cache)
    with pytest.raises(ValueError, match="without a limit"):
        create_attention_mask(hidden, cache, window_size=8)
