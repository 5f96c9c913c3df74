"""A tiny random model of one family, loaded as users load theirs, and a record of the logits that it computed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import mlx.core as mx
import numpy as np
from mlx_lm.models.cache import ArraysCache, CacheList

from engine.cache.codec.codec import Layout
from engine.memory.machine import THIS_MACHINE, Machine
from engine.model import loader
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model
from engine.protocol.messages import LoadModel
from tests.conformance import folder
from tests.conformance.families import WIDE

Logprobs = np.ndarray[tuple[int, int], np.dtype[np.float64]]
"""Log-probabilities, shape (tokens, vocabulary)."""


class Call(NamedTuple):
    """A call of a model with so many tokens of each row, and its logits: for all of these tokens, or for the last."""

    tokens: int
    logits: mx.array


@dataclass
class Subject:
    """`calls` holds every call of the model, oldest first, until it is cleared."""

    family: str
    loaded: LoadedModel
    calls: list[Call] = field(default_factory=list)

    @property
    def model(self) -> Any:
        """mlx-lm's model."""
        return self.loaded.model

    @property
    def layout(self) -> Layout | None:
        """How its caches are kept; None if they cannot be."""
        return self.loaded.layout

    @property
    def identity(self) -> str:
        """The identity that its segments are stored under."""
        return self.loaded.identity.model

    @property
    def seed(self) -> int:
        """The family's own seed, the same in every run."""
        return folder.seed(self.family)

    @property
    def wide(self) -> bool:
        """Whether it computes the logits of all tokens of a pass."""
        return self.family in WIDE

    def agreed(self, _name: str, own: int) -> int:
        """The least of a figure on all machines that have a share of the model."""
        return own

    def fresh(self) -> list[Any]:
        """Empty caches, one for each layer."""
        return self.loaded.fresh_caches()

    def read(self, ids: list[int], caches: list[Any] | None = None) -> Logprobs:
        """The bare model's output after each of `ids`, prefilled at once."""
        logits = self.model(mx.array([ids]), cache=self.fresh() if caches is None else caches)
        self.calls.clear()
        return logprobs(logits[0])


def logprobs(logits: mx.array) -> Logprobs:
    """`logits` (tokens, vocabulary) as log-probabilities, in double precision, so that all rounding is the model's."""
    exact = np.array(logits.astype(mx.float32)).astype(np.float64)
    top = exact.max(axis=-1, keepdims=True)
    result: Logprobs = exact - top - np.log(np.exp(exact - top).sum(axis=-1, keepdims=True))
    return result


def make(family: str, path: Path) -> Subject:
    """The family's model, built in the folder `path` and loaded from there. Raises ModelUnreadable."""
    subject = Subject(family, loaded(folder.build(family, path)))
    record(subject.model, subject.calls)
    return subject


def loaded(path: Path, machine: Machine = THIS_MACHINE) -> LoadedModel:
    """This process's share of the model in the folder `path`. Raises ModelError."""
    return load_model(LoadModel(str(path)), WeightDigests(path.with_suffix(".digests")), machine=machine)


def make_unpatched(family: str, path: Path) -> Subject:
    """As `make`, but the model is unpatched."""
    with patch.object(loader, "patch", lambda _: None):
        return make(family, path)


def record(model: Any, calls: list[Call]) -> None:
    """Make `model` record its calls. Its class and module stay the same, so code that inspects it sees no change."""
    own = type(model)

    def called(self: Any, tokens: mx.array, *args: Any, **kwargs: Any) -> Any:
        logits = own.__call__(self, tokens, *args, **kwargs)
        calls.append(Call(tokens.shape[1], logits))
        return logits

    model.__class__ = type(own.__name__, (own,), {"__call__": called, "__module__": own.__module__})


def caches_in_short(subject: Subject) -> str:
    """The model's caches, one for each layer, with the number of each kind."""
    names = [_short(cache) for cache in subject.fresh()]
    return ", ".join(f"{names.count(name)} {name}" for name in dict.fromkeys(names))


def _short(cache: Any) -> str:
    if isinstance(cache, CacheList):
        return f"({' + '.join(_short(part) for part in cache.caches)})"
    name = type(cache).__name__
    if isinstance(cache, ArraysCache):
        return f"Arrays[{len(cache.cache)}]"
    return {"KVCache": "KV", "RotatingKVCache": "Rotating", "ChunkedKVCache": "Chunked"}.get(name, name)
