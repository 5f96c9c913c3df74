"""The memory of a batch: rows that join and leave copy and hold no more than they must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from engine.cache.codec import codec
from engine.decode.batch import Batch
from engine.protocol.messages import Batching
from engine.schedule.sequence import Sequence
from tests.fakes.batch_rows import each
from tests.fakes.decoding import Listener, held_bytes, ids, ready, run, widths


def own_bytes(rows: list[Sequence]) -> int:
    return sum(cache.nbytes for row in rows for cache in row.caches)


def test_a_long_row_beside_short_ones_is_neither_padded_nor_copied() -> None:
    """A row of 16k tokens and three of 100 hold at most a tenth more than their own caches. While the others join and
    leave, and when it leaves itself, less than a tenth of the batch is held twice.
    """
    model = Keeping()
    long, *short = [ready(model, model.fresh(), ids(length, n)) for n, length in enumerate((16_000, 101, 101, 101))]
    own = own_bytes([long, *short])
    batch = Batch(model, batching="together")
    batch.join_all([long, short[0]])
    run(batch, 2)
    most = 0.1 * held_bytes(batch)
    acts = (
        lambda: batch.join(short[1]),
        lambda: batch.join(short[2]),
        lambda: batch.leave(short[0]),
        lambda: batch.drop(short[1]),
        lambda: batch.leave(long),
    )
    for act in acts:
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        act()
        mx.synchronize()
        assert mx.get_peak_memory() - before <= most
        assert held_bytes(batch) <= 1.1 * own


def test_a_merge_holds_its_rows_twice_and_no_more() -> None:
    """Eight equal rows become one buffer, and seven again. The old buffers stay until the new ones are complete."""
    model = Keeping(layers=20)
    rows = [ready(model, model.fresh(), ids(500, n)) for n in range(8)]
    batch = Batch(model, batching="together")
    whole = own_bytes(rows)
    acts: list[Callable[[], object]] = [lambda: batch.join_all(rows), lambda: batch.drop(rows[3])]
    for act in acts:
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        act()
        mx.synchronize()
        assert mx.get_peak_memory() - before <= 1.05 * whole
        assert mx.get_active_memory() - before <= 0.05 * whole, "the old buffers are freed"
    assert widths(batch) == [[7]]


@each
def test_a_row_that_left_does_not_hold_the_batch(listener: Listener) -> None:
    """Extracted state has buffers of its own: when the batch is dropped, its memory is freed."""
    rows = [listener.ready(ids(20 + i, i)) for i in range(6)]
    listener.batch.join_all(rows)
    listener.step(3)
    kept = listener.batch.leave(rows[0])
    listener.batch.clear()
    listener.heard.clear()
    listener.model.logits.clear()
    mx.clear_cache()
    held = sum(leaf.nbytes for _, leaf in codec.leaves(kept))
    before = mx.get_active_memory()
    del kept
    mx.clear_cache()
    assert before - mx.get_active_memory() < 2.5 * held, "six rows would be six times as much"


@pytest.mark.parametrize("batching", ["together", "merged"])
def test_memory_stays_flat_over_200_joins_and_leaves(batching: Batching) -> None:
    """Rows that join and leave, in any cluster, leave no memory behind."""
    model = Keeping()
    batch = Batch(model, batching=batching)
    stay = [ready(model, model.fresh(), ids(length, length)) for length in (600, 40)]
    batch.join_all(stay)
    held = []
    for turn in range(200):
        row = ready(model, model.fresh(), ids(30 + turn % 7, turn))
        batch.join(row)
        batch.step()
        batch.drop(row)
        mx.synchronize()
        held.append(mx.get_active_memory() - held_bytes(batch))
    assert max(held[150:]) <= max(held[:50]) + 100_000, "one of the rows alone takes more"


class Keeping:
    """A model that is all caches: attention layers with one small head, and almost no weights."""

    def __init__(self, layers: int = 4) -> None:
        self.layers = range(layers)

    def fresh(self) -> list[Any]:
        return [KVCache() for _ in self.layers]

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        logits = mx.zeros((*tokens.shape, 16))
        for layer in cache:
            keys = mx.broadcast_to(
                tokens[:, None, :, None].astype(mx.float32), (tokens.shape[0], 1, tokens.shape[1], 16)
            )
            layer.update_and_fetch(keys, keys)
            logits = mx.depends(logits, mx.array(layer.offset)) + 0
        mx.eval([layer.state for layer in cache])
        return logits

    def parameters(self) -> dict[str, Any]:
        return {}

    def modules(self) -> list[Any]:
        return []
