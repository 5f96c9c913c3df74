"""Which states a live cache can reach: all real ones are valid, and every tampered one is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mlx.core as mx
import mlx_lm.models.cache as theirs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlx_lm.models.cache import (
    ArraysCache,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
)

from engine.cache.codec.cache_classes import Span, kind_of

WINDOW = 12
MAKERS: dict[str, Callable[[], Any]] = {
    "growing": KVCache,
    "concatenated": ConcatenateKVCache,
    "quantised": lambda: QuantizedKVCache(32, 4),
    "sliding": lambda: RotatingKVCache(WINDOW),
    "ring": lambda: RotatingKVCache(WINDOW, keep=3),
    "chunked": lambda: ChunkedKVCache(WINDOW),
}
chunks = st.lists(st.one_of(st.just(1), st.integers(1, 30), st.just(256)), min_size=1, max_size=12)


def fed(name: str, lengths: Sequence[int]) -> Any:
    """A live cache after chunks of these lengths. Each token is recognisable by its number."""
    leaf, at = MAKERS[name](), 0
    for length in lengths:
        if isinstance(leaf, ChunkedKVCache):
            leaf.maybe_trim_front()
        numbers = mx.broadcast_to(mx.arange(at, at + length, dtype=mx.float32)[None, None, :, None], (1, 2, length, 32))
        leaf.update_and_fetch(numbers, -numbers)
        at += length
    return leaf


@pytest.mark.parametrize("name", MAKERS)
@given(lengths=chunks)
def test_every_reachable_state_is_valid_and_can_be_restored(name: str, lengths: list[int]) -> None:
    """After chunks and single steps in any order, over growth and wrap, a real state is valid, and only for its own
    length. The empty cache is valid too. A cache filled from the spans of the chunks is valid, and gives the same
    records again.
    """
    again, spans, at = kind_of(MAKERS[name]()), [], 0
    assert again.is_valid(0)
    for count, length in enumerate(lengths, start=1):
        kind = kind_of(fed(name, lengths[:count]))
        spans.append(Span(at, at + length, kind.take(at, at + length)))
        at += length
    assert kind.is_valid(at)
    assert not kind.is_valid(at + 1)
    assert not kind.is_valid(at - 1)
    vars(again.leaf).update(again.contents(spans))
    assert again.is_valid(at)
    kept = again.take(spans[-1].start, at)
    assert {part: array.tolist() for part, array in kept.items()} == {
        part: array.tolist() for part, array in spans[-1].arrays.items()
    }


@pytest.mark.parametrize("steps", [[5], [12], [13], [30], [5, 1, 1], [9, *[1] * 9], [9, *[1] * 30], [20, 4], [40, 1]])
def test_a_ring_keeps_its_first_tokens_and_the_newest(steps: list[int]) -> None:
    """Whatever its history, the record is in order: the first three tokens, then the newest."""
    total = sum(steps)
    kept: Any = kind_of(fed("ring", steps)).take(total - 1, total)["keys"]
    newest = range(max(3, total - (WINDOW - 3)), total)
    assert [int(number) for number in kept[0, 0, :, 0].tolist()] == [*range(min(3, total)), *newest]


BROKEN = [
    ("growing", [5], {"offset": 257}),
    ("growing", [5], {"offset": 0}),
    ("growing", [], {"offset": 3}),
    ("growing", [5], {"values": mx.zeros((1, 2, 5, 32))}),
    ("concatenated", [5], {"offset": 6}),
    ("concatenated", [], {"offset": 1}),
    ("quantised", [5], {"bits": 8}),
    ("quantised", [5], {"group_size": 64}),
    ("quantised", [5], {"offset": 300}),
    ("quantised", [], {"offset": 2}),
    ("sliding", [5], {"_idx": 4}),
    ("sliding", [5], {"_idx": 0}),
    ("sliding", [], {"offset": 5}),
    ("sliding", [12], {"_idx": 4}),
    ("sliding", [9, *[1] * 9], {"_idx": 0}),
    ("sliding", [9, *[1] * 9], {"_idx": 13}),
    ("sliding", [20], {"_idx": 7}),
    ("sliding", [5], {"offset": 20, "_idx": 5}),
    ("sliding", [9, *[1] * 9], {"values": mx.zeros((1, 2, 11, 32))}),
    ("ring", [9, *[1] * 9], {"_idx": 3}),
    ("ring", [9, *[1] * 9], {"offset": 11}),
    ("chunked", [5], {"start_position": 1}),
    ("chunked", [5], {"start_position": -1}),
    ("chunked", [30, 1], {"start_position": 25}),
    ("chunked", [30, 1], {"offset": 400}),
    ("chunked", [], {"start_position": 5}),
    ("chunked", [5], {"values": mx.zeros((1, 2, 5, 32))}),
]


@pytest.mark.parametrize(("name", "lengths", "change"), BROKEN, ids=lambda value: str(value)[:40])
def test_an_unreachable_state_is_not_valid(name: str, lengths: list[int], change: dict[str, Any]) -> None:
    """An offset without tokens, a cursor outside its ring or wrapped too early, a bit width that does not match the
    arrays: such a cache is never stored.
    """
    leaf = fed(name, lengths)
    assert kind_of(leaf).is_valid(sum(lengths))
    vars(leaf).update(change)
    assert not kind_of(leaf).is_valid(leaf.offset)


def test_a_row_of_a_batch_is_no_state() -> None:
    """Recurrent state that is still padded in a batch is not stored."""
    leaf = ArraysCache(1)
    leaf[0] = mx.zeros((1, 4))
    assert kind_of(leaf).is_valid(7)
    leaf.prepare(lengths=[3])
    assert not kind_of(leaf).is_valid(7)


def test_every_class_of_the_library_is_known_or_made_for_batches() -> None:
    """This test fails if an update of mlx-lm brings a new cache class, or the old name MambaCache again."""
    classes = {n for n, c in vars(theirs).items() if isinstance(c, type) and issubclass(c, theirs._BaseCache)}
    made_for_batches = {"BatchKVCache", "BatchRotatingKVCache"}
    known_here = {type(maker()).__name__ for maker in MAKERS.values()} | {"ArraysCache", "CacheList"}
    assert classes == known_here | made_for_batches | {"_BaseCache"}
