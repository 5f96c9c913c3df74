"""Tries a model by running a few tokens through it: which caches it has, whether it runs, and which of its growing
layers can keep their keys and values quantised.

On the thread that steps the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx
from mlx_lm.models.cache import CacheList, KVCache, QuantizedKVCache

from engine.cache.codec.codec import leaves

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

    def packed(self, caches: Sequence[Any], path: str = "") -> list[Any]:
        """Empty caches in which the chosen layers are quantised."""
        return [self._packed(cache, f"{path}{index}") for index, cache in enumerate(caches)]

    def _packed(self, cache: Any, path: str) -> Any:
        if type(cache) is CacheList:
            return CacheList(*self.packed(cache.caches, f"{path}."))
        return QuantizedKVCache(self.groups[path], self.bits) if path in self.groups else cache


def _group(leaf: Any) -> int:
    """0 if no group size divides the heads, or if the values are empty: such a model computes with the keys itself."""
    heads = (leaf.keys.shape[-1], leaf.values.shape[-1])
    return next((size for size in _GROUP_SIZES if all(head and head % size == 0 for head in heads)), 0)
