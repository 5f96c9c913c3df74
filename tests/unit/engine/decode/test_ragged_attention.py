"""Attention by cluster equals attention row by row. Nothing changes for ordinary arrays."""

from __future__ import annotations

from types import SimpleNamespace

import mlx.core as mx
import pytest
from mlx_lm.models import base, llama
from mlx_lm.models.cache import KVCache

from engine.decode import ragged_attention
from engine.decode.ragged_attention import RaggedKVCache, RowPositions
from engine.decode.row_layouts import PaddedRows
from tests.fakes.decoding import largest

LENGTHS = [[3, 5], [40], [7, 7]]
HEADS, SIZE = 2, 8


def filled(cluster: list[int]) -> KVCache:
    """A cluster's cache full of noise, padding included."""
    cache = KVCache()
    shape = (len(cluster), HEADS, max(cluster), SIZE)
    cache.update_and_fetch(mx.random.normal(shape), mx.random.normal(shape))
    return cache


def one_row(part: KVCache, row: int, length: int) -> tuple[mx.array, mx.array]:
    keys, values = part.keys_and_values()
    return keys[row : row + 1, :, -length:], values[row : row + 1, :, -length:]


@pytest.mark.parametrize("sinks", [None, mx.array([0.5, -1.0, 2.0, 0.0])])
def test_each_row_sees_its_own_tokens_alone(sinks: mx.array | None) -> None:
    """Five rows in three clusters, padded or equal, with sinks and without: each as if it were alone."""
    cache = RaggedKVCache(
        [filled(cluster) for cluster in LENGTHS], RowPositions([PaddedRows(cluster) for cluster in LENGTHS])
    )
    queries = mx.random.normal((5, 2 * HEADS, 1, SIZE))
    new = mx.random.normal((5, HEADS, 1, SIZE))
    keys, values = cache.update_and_fetch(new, new)
    got = ragged_attention.scaled_dot_product_attention(queries, keys, values, cache, 0.3, sinks=sinks)
    row = 0
    for part, cluster in zip(cache.parts, LENGTHS, strict=True):
        for index, length in enumerate(cluster):
            own = one_row(part, index, length + 1)
            expected = base.scaled_dot_product_attention(
                queries[row : row + 1], *own, cache=None, scale=0.3, mask=None, sinks=sinks
            )
            assert largest(expected - got[row : row + 1]) < 1e-6
            row += 1


def test_a_mask_for_rows_in_clusters_is_refused() -> None:
    """A mask over all rows fits no cluster. A model that passes one must be detected."""
    cache = RaggedKVCache([filled([4]), filled([9])], RowPositions([PaddedRows([4]), PaddedRows([9])]))
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
