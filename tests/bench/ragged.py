"""Rows of unequal and of equal length that decode in one batch, compared with mlx-lm's merged caches, which pad every
row.

Uses a synthetic model, because the lengths matter: `python -m tests.bench.ragged` runs it at a published size on a
machine with a GPU.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import dataclass
from functools import partial
from typing import Any

import mlx.core as mx
from mlx.utils import tree_map
from mlx_lm.models import lfm2
from mlx_lm.models.cache import KVCache, make_prompt_cache

from engine.decode.batch import Batch
from engine.model.probes import measure as measure_batching
from engine.schedule.sequence import Sequence
from tests.bench.figures import Figure, faster, in_turns, table
from tests.fakes.decoding import held_bytes, pending_sequence

TITLE = "Ragged batches: a step, and what the caches hold (baseline: mlx-lm's merged caches)"
LONG = 16_000
CASES = {
    "16k beside 3 of 100": (LONG, 100, 100, 100),
    "16k, 4k, 1k and 256": (LONG, 4_000, 1_000, 256),
    "8 of 2k": (2_000,) * 8,
}
STEPS, BLOCKS, JOINS = 24, 4, 6
_READ = 16


@dataclass(frozen=True, slots=True)
class Size:
    """A model like LFM2: the layers that attend, its widths, and its dtype."""

    layers: int
    attending: tuple[int, ...]
    width: int
    heads: int
    kv_heads: int
    inner: int
    vocabulary: int
    dtype: mx.Dtype


SMALL = Size(6, (1, 3, 5), 256, 4, 2, 512, 1_000, mx.float32)
PUBLISHED = Size(30, (2, 6, 10, 14, 17, 21, 24, 27), 2_048, 32, 8, 10_752, 65_536, mx.bfloat16)
"""The size of LFM2-2.6B."""


def measure(_model: object = None, size: Size | None = None) -> list[Figure]:
    """The time and memory of a step with rows of each length, then the effect of joining and leaving on the
    other rows.
    """
    model = build(size or SMALL)
    assert measure_batching(model, lambda: make_prompt_cache(model)) == "together"
    figures = []
    for name, lengths in CASES.items():
        ours, theirs = _Ours(model, lengths), _Theirs(model, lengths)
        mine, others = _best(ours.step, theirs.step)
        figures += [
            faster(f"{name}: step", mine, others),
            faster(f"{name}: held", ours.nbytes / 1e6, theirs.nbytes / 1e6, "MB"),
        ]
    long = CASES["16k beside 3 of 100"]
    mine, lone = _best(_Ours(model, long).step, _Ours(model, long[:1]).step)
    return [*figures, faster("16k beside 3 of 100: step, beside 16k alone", mine, lone), *_joins(model)]


def build(size: Size) -> Any:
    """The model, with random weights."""
    config = {
        "model_type": "lfm2",
        "vocab_size": size.vocabulary,
        "hidden_size": size.width,
        "num_hidden_layers": size.layers,
        "num_attention_heads": size.heads,
        "num_key_value_heads": size.kv_heads,
        "max_position_embeddings": 128_000,
        "norm_eps": 1e-5,
        "conv_bias": False,
        "conv_L_cache": 3,
        "block_dim": size.width,
        "block_ff_dim": size.inner,
        "block_multiple_of": 8,
        "block_ffn_dim_multiplier": 1.0,
        "block_auto_adjust_ff_dim": False,
        "full_attn_idxs": list(size.attending),
        "rope_theta": 1_000_000.0,
    }
    model = lfm2.Model(lfm2.ModelArgs.from_dict(config))
    model.update(tree_map(lambda p: p.astype(size.dtype), model.parameters()))
    mx.eval(model.parameters())
    return model


def _best(*sides: Callable[[], object]) -> list[float]:
    """The best step time of each side, in ms."""
    return [min(times) for times in in_turns(sides, STEPS, BLOCKS)]


def _joins(model: Any) -> list[Figure]:
    """How long three short rows wait for a token while a row of 16k joins and leaves, compared with their steps beside
    it.
    """
    short = _Ours(model, (100, 100, 100))
    joins, stays, leaves = [], [], []
    for _ in range(JOINS):
        row = sequence(model, LONG)
        joins.append(_waited(short, partial(short.batch.join, row)))
        stays.append(_waited(short, short.step))
        leaves.append(_waited(short, partial(short.batch.leave, row)))
    step = min(stays) / 2
    return [
        faster("16k joins 3 of 100: wait for a token (baseline: a step)", min(joins), step),
        faster("16k leaves 3 of 100: wait for a token (baseline: a step)", min(leaves), step),
    ]


def _waited(rows: _Ours, act: Callable[[], object]) -> float:
    """The time of `act` and the following step, in ms."""
    rows.step()
    began = time.perf_counter()
    act()
    rows.step()
    return (time.perf_counter() - began) * 1000


class _Ours:
    def __init__(self, model: Any, lengths: Many[int]) -> None:
        self.batch = Batch(model, batching="together")
        self.batch.join_all([sequence(model, length) for length in lengths])
        self.step()

    @property
    def nbytes(self) -> int:
        return held_bytes(self.batch)

    def step(self) -> None:
        self.batch.step()


class _Theirs:
    """The same pipelined greedy step over mlx-lm's merged caches."""

    def __init__(self, model: Any, lengths: Many[int]) -> None:
        self._model = model
        rows = [sequence(model, length).caches for length in lengths]
        self._caches = [type(layer[0]).merge(list(layer)) for layer in zip(*rows, strict=True)]
        self._pending = mx.array([1] * len(lengths))
        self.step()

    @property
    def nbytes(self) -> int:
        return sum(cache.nbytes for cache in self._caches)

    def step(self) -> None:
        current = self._pending
        self._pending = mx.argmax(self._model(current[:, None], cache=self._caches)[:, -1], axis=-1)
        mx.async_eval(self._pending)  # type: ignore[no-untyped-call] # the stub lacks this signature
        current.tolist()


def sequence(model: Any, length: int) -> Sequence:
    """A row whose caches cover a prompt of `length` tokens: a few prefilled ones, and random numbers before them."""
    caches = make_prompt_cache(model)
    model(mx.array([list(range(1, _READ + 1))]), cache=caches)
    for cache in caches:
        if isinstance(cache, KVCache):
            cache.keys, cache.values = (_lengthened(array, length) for array in (cache.keys, cache.values))
            cache.offset = length
    mx.eval([cache.state for cache in caches])
    made = pending_sequence(caches, (1,) * length, position=length)
    made.drawn = 1
    return made


def _lengthened(array: mx.array, length: int) -> mx.array:
    rows, heads, _, size = array.shape
    room = (length // KVCache.step + 1) * KVCache.step
    return mx.random.normal((rows, heads, room, size)).astype(array.dtype)


if __name__ == "__main__":
    print(table(TITLE, measure(size=PUBLISHED)))
    sys.exit(0)
