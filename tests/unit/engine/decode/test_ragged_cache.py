"""The positions of rows, and the cache that holds them in clusters."""

from __future__ import annotations

import mlx.core as mx
import pytest
from mlx_lm.models.base import create_attention_mask
from mlx_lm.models.cache import KVCache

from engine.decode.ragged_attention import RaggedKVCache, RowPositions
from engine.decode.row_layouts import PackedRows, PaddedRows


def test_each_row_has_its_own_offset_which_advances_by_one() -> None:
    """In the order of the rows, through all clusters."""
    positions = RowPositions([PaddedRows([3, 5]), PackedRows([40])])
    assert positions.offset.tolist() == [3, 5, 40]
    positions.advance()
    assert positions.offset.tolist() == [4, 6, 41]
    assert positions.lengths == [4, 6, 41]


def test_each_cluster_keeps_its_own_keys() -> None:
    """A step's keys go to the clusters in row order. A cluster of one row is written in its own buffer."""
    parts = [KVCache(), KVCache()]
    for part, width, length in zip(parts, (2, 1), (3, 7), strict=True):
        part.update_and_fetch(mx.zeros((width, 1, length, 4)), mx.zeros((width, 1, length, 4)))
    cache = RaggedKVCache(list(parts), RowPositions([PaddedRows([3, 2]), PaddedRows([7])]))
    new = mx.broadcast_to(mx.array([1.0, 2.0, 3.0])[:, None, None, None], (3, 1, 1, 4))
    keys, values = cache.update_and_fetch(new, new)
    assert [part.shape for part in keys.parts] == [(2, 1, 4, 4), (1, 1, 8, 4)]
    assert [part[:, 0, -1, 0].tolist() for part in values.parts] == [[1.0, 2.0], [3.0]]
    assert cache.nbytes == sum(part.nbytes for part in parts)
    assert not cache.empty()


def test_a_pipeline_can_make_its_keys_depend_on_what_it_sends() -> None:
    """mlx-lm does so with the keys of a machine's last cache. They stay what they are."""
    part = KVCache()
    part.update_and_fetch(mx.ones((1, 1, 3, 4)), mx.ones((1, 1, 3, 4)))
    cache = RaggedKVCache([part], RowPositions([PaddedRows([3])]))
    before = cache.keys
    cache.keys = mx.depends(cache.keys, mx.zeros(1))
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
