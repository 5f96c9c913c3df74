"""Tries a model by running a few tokens through it: which caches it has, whether it runs, which of its growing layers
can keep their keys and values quantised, and whether it can compute the logits of the last token alone.

On the thread that steps the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx
from mlx_lm.models.cache import KVCache, QuantizedKVCache

from engine.cache.codec.codec import leaves, rebuilt
from engine.decode.last_logits import last_only, narrow, widen
from engine.model.load_failure import FOREIGN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.protocol.messages import KvBits

PROMPT_TOKENS: Final = 16
"""Enough to fill every recurrent state: convolutions and n-grams look back over fewer tokens."""


def tried(model: Any, caches: Sequence[Any], took: Callable[[mx.array], object] = lambda _logits: None) -> mx.array:
    """The logits after a prompt and one more token, which `caches` have then processed. Nothing is evaluated, but
    `took` gets the logits of each pass before the next one is built.
    """
    took(model(mx.array([[0] * PROMPT_TOKENS]), cache=caches))
    logits: mx.array = model(mx.array([[0]]), cache=caches)
    return logits


_GROUP_SIZES = (64, 32)
"""How many numbers can share a scale and a bias, preferred first. The size of a head must be a multiple of it."""


@dataclass(frozen=True, slots=True)
class KvQuantization:
    """The bits of each number (0: no quantisation), and the group size of every quantised layer, by its path."""

    bits: KvBits = 0
    groups: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def fitting(cls, caches: Sequence[Any], bits: KvBits) -> KvQuantization:
        """For a model whose `caches` have processed some tokens: every growing layer whose heads divide into groups."""
        sizes = {path: _group(leaf) for path, leaf in leaves(caches) if type(leaf) is KVCache and not leaf.empty()}
        groups = {path: size for path, size in sizes.items() if size}
        return cls(bits, groups) if bits and groups else cls()

    def packed(self, caches: Sequence[Any]) -> list[Any]:
        """Empty caches in which the chosen layers are quantised."""
        groups, bits = self.groups, self.bits
        return rebuilt(caches, lambda path, own: QuantizedKVCache(groups[path], bits) if path in groups else own)


def _group(leaf: Any) -> int:
    """0 if no group size divides the heads, or if the values are empty: such a model computes with the keys itself."""
    heads = (leaf.keys.shape[-1], leaf.values.shape[-1])
    return next((size for size in _GROUP_SIZES if all(head and head % size == 0 for head in heads)), 0)


_TOLERANCE = {mx.float32: 1e-3, mx.float16: 0.02, mx.bfloat16: 0.05}
"""The largest error, as a share of the spread of the logits: one row of a product rounds otherwise than many."""

_PASSES = 2
"""The second pass uses the caches that the first one has filled."""


def narrow_if_equal(model: Any, fresh_caches: Callable[[], list[Any]], vocabulary: int) -> None:
    """Narrow `model`, whose logits have the width `vocabulary`, if its last logits and its caches stay the same.

    If the last logits differ from those that the model computes beside all others, or if it computes all in any case,
    it stays wide.
    """
    tokens = mx.array([[(37 * place + 5) % vocabulary for place in range(PROMPT_TOKENS)]])
    caches, others = fresh_caches(), fresh_caches()
    every = [model(tokens, cache=caches)[:, -1:] for _ in range(_PASSES)]
    try:
        narrow(model, vocabulary)
        with last_only():
            last = [model(tokens, cache=others) for _ in range(_PASSES)]
        equal = all(map(_near, last, every))
    except FOREIGN:
        equal = False
    if not equal:
        widen(model)


def _near(last: mx.array, every: mx.array) -> bool:
    if last.shape != every.shape:
        return False
    expected = every.astype(mx.float32)
    error = mx.sqrt(mx.square(last.astype(mx.float32) - expected).mean())
    return bool((error <= _TOLERANCE.get(every.dtype, 0.0) * mx.std(expected)).item())
