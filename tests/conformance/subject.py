"""The subject: a tiny random model of one family, and a record of what it computed. Owns its making; what is done with
it is the scenario's.

Every parameter is perturbed, so that no layer is a no-op and every wrong state moves the logits.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import mlx.core as mx
import numpy as np
from mlx.utils import tree_map
from mlx_lm.models.cache import ArraysCache, CacheList, make_prompt_cache

from engine import loader
from engine.cache.codec import Layout
from engine.repairs.register import repair
from tests.conformance.configs.common import BASE
from tests.conformance.families import FAMILIES

NOISE = 0.3
Logprobs = np.ndarray[tuple[int, int], np.dtype[np.float64]]
"""Log-probabilities, shape (tokens, vocabulary)."""


@dataclass
class Subject:
    """`tried` are caches that have seen some tokens; `calls` the logits of every call of the model, oldest first, until
    someone clears them.
    """

    family: str
    model: Any
    layout: Layout | None
    tried: list[Any]
    calls: list[mx.array] = field(default_factory=list)

    @property
    def seed(self) -> int:
        """The family's own, the same in every run."""
        return zlib.crc32(self.family.encode())

    def fresh(self) -> list[Any]:
        """Empty caches, one a layer."""
        caches: list[Any] = make_prompt_cache(self.model)
        return caches

    def read(self, ids: list[int], caches: list[Any] | None = None) -> Logprobs:
        """What the bare model says after each of `ids`, read in one go."""
        logits = self.model(mx.array([ids]), cache=self.fresh() if caches is None else caches)
        self.calls.clear()
        return logprobs(logits[0])


def logprobs(logits: mx.array) -> Logprobs:
    """`logits` (tokens, vocabulary) as log-probabilities, in double precision, so that all rounding is the model's."""
    exact = np.array(logits.astype(mx.float32)).astype(np.float64)
    top = exact.max(axis=-1, keepdims=True)
    result: Logprobs = exact - top - np.log(np.exp(exact - top).sum(axis=-1, keepdims=True))
    return result


def make(family: str, *, repaired: bool = True) -> Subject:
    """The family's model, measured; `repaired` as the engine repairs it, or as mlx-lm has it."""
    module = import_module(f"mlx_lm.models.{family}")
    model = module.Model(module.ModelArgs.from_dict(configuration(family)))
    mx.random.seed(zlib.crc32(family.encode()))
    model.update(tree_map(lambda p: p + mx.random.normal(p.shape) * NOISE, model.parameters()))
    mx.eval(model.parameters())
    if repaired:
        repair(model)
    _, tried = loader.measured(model, 0)
    subject = Subject(family, model, Layout.of(tried), tried)
    _record(model, subject.calls)
    return subject


def configuration(family: str) -> dict[str, Any]:
    """The whole tiny configuration of a family."""
    return {**BASE, "model_type": family, **FAMILIES[family]}


def _record(model: Any, calls: list[mx.array]) -> None:
    """Let `model` note its logits. It stays of its class and in its module: whoever looks at it sees no change."""
    own = type(model)

    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        logits = own.__call__(self, *args, **kwargs)
        calls.append(logits)
        return logits

    model.__class__ = type(own.__name__, (own,), {"__call__": called, "__module__": own.__module__})


def caches_in_short(subject: Subject) -> str:
    """The model's caches, one a layer, with how many there are of each."""
    names = [_short(cache) for cache in subject.fresh()]
    return ", ".join(f"{names.count(name)} {name}" for name in dict.fromkeys(names))


def _short(cache: Any) -> str:
    if isinstance(cache, CacheList):
        return f"({' + '.join(_short(part) for part in cache.caches)})"
    name = type(cache).__name__
    if isinstance(cache, ArraysCache):
        return f"Arrays[{len(cache.cache)}]"
    return {"KVCache": "KV", "RotatingKVCache": "Rotating", "ChunkedKVCache": "Chunked"}.get(name, name)
