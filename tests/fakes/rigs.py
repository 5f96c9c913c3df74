"""Tiny models with every kind of cache that mlx-lm has, including kinds that none of its tiny models uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import ConcatenateKVCache, QuantizedKVCache, RotatingKVCache

from engine.cache.codec import codec
from engine.model.identity import WeightDigests
from engine.protocol.messages import LoadModel
from tests.fakes import tiny_models
from tests.fakes.engine_life import load_once

WINDOW = 12
IDS = [(7 * i * i + 3 * i) % 250 for i in range(600)]

_SUBSTITUTES: dict[str, Callable[[], Any]] = {
    "concatenated": ConcatenateKVCache,
    "window": lambda: RotatingKVCache(WINDOW),
    "ring": lambda: RotatingKVCache(WINDOW, keep=3),
    "quantised8": lambda: QuantizedKVCache(32, 8),
    "quantised4": lambda: QuantizedKVCache(32, 4),
}
"""Replace a small llama's own caches."""

NAMES = (*tiny_models.CONFIGS, "mamba", *_SUBSTITUTES)


@dataclass(frozen=True)
class Rig:
    """A model, its empty caches, and their layout."""

    name: str
    model: Any
    fresh_caches: Callable[[], list[Any]]
    layout: codec.Layout

    def read(self, caches: Sequence[Any], ids: Sequence[int]) -> mx.array:
        """Feed `ids`. Returns the log-probabilities after the last of them, shape (vocabulary,)."""
        logits: mx.array = self.model(mx.array([ids]), cache=caches)[0, -1]
        logprobs = logits - mx.logsumexp(logits)
        mx.eval(logprobs, [leaf.state for _, leaf in codec.leaves(caches)])
        return logprobs


def rig(name: str, folder: Path) -> Rig:
    """The rig `name`, its model built in `folder`."""
    family, changes = (name, {}) if name not in _SUBSTITUTES else ("llama", {"hidden_size": 128})
    path = tiny_models.build(folder / name, family, **changes)
    loaded = load_once(LoadModel(str(path)), WeightDigests(path / "weights.json"))
    if name not in _SUBSTITUTES:
        assert loaded.layout
        return Rig(name, loaded.model, loaded.fresh_caches, loaded.layout)

    def fresh() -> list[Any]:
        return [_SUBSTITUTES[name]() for _ in loaded.model.layers]

    tried = fresh()
    loaded.model(mx.array([[0] * 16]), cache=tried)
    layout = codec.Layout.of(tried)
    assert layout
    return Rig(name, loaded.model, fresh, layout)
