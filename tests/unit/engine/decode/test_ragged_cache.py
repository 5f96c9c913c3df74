"""The positions of rows, and the cache that holds them in clusters."""

from __future__ import annotations

import mlx.core as mx
import pytest
from mlx_lm.models.base import create_attention_mask
from mlx_lm.models.cache import KVCache

from engine.decode.ragged_cache import RaggedKVCache, RowPositions


def test_each_row_has_its_own_offset_which_advances_by_one() -> None:
    """In the order of the rows, through all clusters."""
    positions = RowPositions([[3, 5], [40]])
    assert positions.offset.tolist() == [3, 5, 40]
    positions.advance()
    assert positions.offset.tolist() == [4, 6, 41]
    assert positions.lengths == [4, 6, 41]


def test_a_mask_hides_the_padding_alone() -> None:
    """The shorter row of a cluster does not see the padding before its first token, but sees the step's own token."""
    positions = RowPositions([[2, 4], [9]])
    mask = positions.mask(0)
    assert mask is not None
    assert mask.shape == (2, 1, 1, 5)
    assert mask[:, 0, 0].tolist() == [[False, False, True, True, True], [True] * 5]
    assert positions.mask(1) is None


def test_all_layers_share_a_steps_mask() -> None:
    """The mask is made once for each step."""
    positions = RowPositions([[2, 4]])
    first = positions.mask(0)
    assert positions.mask(0) is first
    positions.advance()
    second = positions.mask(0)
    assert second is not None
    assert second.shape[-1] == 6


def test_each_cluster_keeps_its_own_keys() -> None:
    """A step's keys go to the clusters in row order. A cluster of one row is written in its own buffer."""
    parts = [KVCache(), KVCache()]
    for part, width, length in zip(parts, (2, 1), (3, 7), strict=True):
        part.update_and_fetch(mx.zeros((width, 1, length, 4)), mx.zeros((width, 1, length, 4)))
    cache = RaggedKVCache(list(parts), RowPositions([[3, 2], [7]]))
    new = mx.broadcast_to(mx.array([1.0, 2.0, 3.0])[:, None, None, None], (3, 1, 1, 4))
    keys, values = cache.update_and_fetch(new, new)
    assert [part.shape for part in keys.parts] == [(2, 1, 4, 4), (1, 1, 8, 4)]
    assert [part[:, 0, -1, 0].tolist() for part in values.parts] == [[1.0, 2.0], [3.0]]
    assert cache.nbytes == sum(part.nbytes for part in parts)
    assert not cache.empty()


def test_it_gives_no_mask_for_a_step_and_refuses_what_it_cannot_mask() -> None:
    """A prompt, or a window over growing layers, would need a mask over all rows: that raises."""
    cache = RaggedKVCache([KVCache()], RowPositions([[1]]))
    hidden = mx.zeros((1, 1, 4))
    assert create_attention_mask(hidden, cache) is None
    assert create_attention_mask(hidden, cache, return_array=True) is None
    with pytest.raises(ValueError, match="one token a step"):
        create_attention_mask(mx.zeros((1, 2, 4)), cache)
    with pytest.raises(ValueError, match="without a limit"):
        create_attention_mask(hidden, cache, window_size=8)
