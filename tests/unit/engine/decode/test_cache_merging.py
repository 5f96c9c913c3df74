"""Rows move to new caches, and rows that stay are not copied."""

from __future__ import annotations

from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import (
    ArraysCache,
    CacheList,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
)

from engine.decode import cache_merging
from engine.decode.cache_merging import Arrangement, batch_form, token_bytes
from engine.decode.clustering import PaddedRows
from engine.decode.ragged_attention import RaggedKVCache
from engine.protocol.messages import Batching

LENGTHS = [5, 9, 600, 7]
SIZE = 32
ALONE = [PaddedRows([length]) for length in LENGTHS]


def regrouped(sources: list[Any], arrangement: Arrangement, batching: Batching) -> Any:
    return cache_merging.regrouped(sources, arrangement, batching)[0]


def row(kind: type, number: int, *settings: Any) -> Any:
    """A row's own cache, whose keys and values identify the row and the token."""
    length = LENGTHS[number]
    cache = kind(*settings)
    content = mx.arange(length, dtype=mx.float32) + 1000 * (number + 1)
    keys = mx.broadcast_to(content[None, None, :, None], (1, 2, length, SIZE))
    cache.update_and_fetch(keys, keys + 0.5)
    return cache


def content(part: Any, index: int, length: int) -> list[float]:
    """The content of one row in a cluster's cache."""
    keys, values = part.keys_and_values()
    keys, values = (array[index, :, -length:] for array in (keys, values))
    assert mx.array_equal(keys + 0.5, values)
    tokens: list[float] = keys[0, :, 0].tolist()
    return tokens


def expected(number: int) -> list[float]:
    return [1000.0 * (number + 1) + token for token in range(LENGTHS[number])]


def test_a_cluster_that_stays_keeps_its_buffer() -> None:
    """When other rows join or leave, a row with a cluster of its own keeps the same object with the same arrays."""
    long = row(KVCache, 2)
    keys = long.keys
    both = regrouped([long, row(KVCache, 0)], Arrangement.of([[0], [1]], [ALONE[2], ALONE[0]]), "together")
    joined = [*both.positions.layouts, ALONE[1]]
    more = regrouped([both, row(KVCache, 1)], Arrangement.of([[0], [1, 2]], joined), "together")
    fewer = regrouped([more], Arrangement.of([[0], [2]], more.positions.layouts), "together")
    left = regrouped([fewer], Arrangement.of([[0]], fewer.positions.layouts), "together")
    same = Arrangement.of([[0], [1, 2]], more.positions.layouts)
    assert cache_merging.regrouped([more], same, "together")[1] == []
    assert more.parts[0] is fewer.parts[0] is left is long
    assert long.keys is keys


def test_nested_caches_are_arranged_part_by_part() -> None:
    """In one layer, states are stacked and growing parts go into clusters."""
    sources = []
    for number in (0, 2):
        state = ArraysCache(2)
        state[0] = mx.full((1, 3), float(number))
        sources.append(CacheList(state, row(KVCache, number)))
    both = regrouped(sources, Arrangement.of([[1], [0]], [ALONE[0], ALONE[2]]), "together")
    assert both.caches[0][0].tolist() == [[2.0] * 3, [0.0] * 3]
    assert both.caches[0][1] is None
    assert isinstance(both.caches[1], RaggedKVCache)
    assert content(both.caches[1].parts[0], 0, 600) == expected(2)


@pytest.mark.parametrize(("kind", "settings"), [(KVCache, ()), (RotatingKVCache, (16,))])
def test_what_mlx_lm_pads_keeps_its_order(kind: type, settings: tuple[int, ...]) -> None:
    """A newcomer can be placed between other rows, and leaves as it came."""
    sources = [row(kind, number, *settings) for number in range(3)]
    arranged = Arrangement.of([[0, 1]], ALONE[:2])
    three = regrouped(sources[:2], arranged, "merged")
    arranged = Arrangement.of([[0, 2, 1]], [*arranged.positions.layouts, ALONE[2]])
    three = regrouped([three, sources[2]], arranged, "merged")
    assert three.offset.tolist() == [5, 600, 9]
    alone = regrouped([three], Arrangement.of([[2]], arranged.positions.layouts), "merged")
    assert type(alone) is kind
    assert content(alone, 0, 9) == expected(1)


def test_only_caches_of_one_form_can_share() -> None:
    """The class, the sizes, the window and the tokens must agree. Caches that cannot be merged have no form."""
    plain = batch_form([row(KVCache, 0)], 5, "together")
    assert plain is not None
    assert plain == batch_form([row(KVCache, 1)], 9, "together")
    assert batch_form([row(KVCache, 0)] * 2, 5, "together") != plain
    assert batch_form([row(QuantizedKVCache, 0, 32, 8)], 5, "together") not in (None, plain)
    rings = [batch_form([row(RotatingKVCache, 0, window)], 5, "together") for window in (16, 17)]
    assert None not in rings
    assert rings[0] != rings[1]
    none = [
        batch_form([row(KVCache, 0)], 5, "alone"),
        batch_form([row(KVCache, 0)], 6, "together"),
        batch_form([KVCache()], 0, "together"),
        batch_form([row(RotatingKVCache, 0, 16, 4)], 5, "together"),
        batch_form([row(QuantizedKVCache, 0, 32, 8)], 5, "merged"),
        batch_form([object()], 5, "together"),
        batch_form([CacheList(row(KVCache, 0), KVCache())], 5, "together"),
    ]
    assert none == [None] * len(none)


def test_the_bytes_of_a_token_are_those_of_the_growing_layers() -> None:
    """Two heads of 32 numbers, keys and values, in float32. Windows and states do not grow."""
    assert token_bytes([row(KVCache, 0), row(RotatingKVCache, 0, 16), ArraysCache(1)]) == 2 * 2 * SIZE * 4
    assert token_bytes([CacheList(ArraysCache(1), row(KVCache, 0))]) == 2 * 2 * SIZE * 4
