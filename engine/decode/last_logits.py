"""A forward pass for the logits after its last token alone.

A model of mlx-lm computes the last layer and the logits for all tokens of a pass, and its head is as wide as the
vocabulary. `narrow` changes one loaded model: inside `LastLogits` its heads see the last token only, and the last layer
takes that token by itself. What the layer computes of the others beyond its cache is then never evaluated. Everywhere
else the model computes what it did.

A head is a module beside the numbered layers whose weights have a row for each token. An embedding is one if its model
uses the weights for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Many
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.schedule.scheduler import CHUNK_ALONE, MOST_DRAWN_FROM

_LAST_ONLY = ContextVar("last_only", default=False)
_STATES: ContextVar[list[mx.array] | None] = ContextVar("states", default=None)


@dataclass(frozen=True, slots=True)
class CacheKinds:
    """What the caches of all layers of a model are, also of layers on other machines: see `codec.is_cuttable` and
    `codec.sees_windows`.
    """

    cuttable: bool
    windows: bool


class LastLogits:
    """The forward passes of a model for the logits after their last token.

    A token may be drawn after a pass over `most_tokens`: over all of a chunk if the model is narrow. `kinds` are those
    of the caches of all layers. None: all of them are in each row's caches.
    """

    def __init__(self, model: Any, kinds: CacheKinds | None = None) -> None:
        self._model = model
        self._kinds = kinds
        self.most_tokens = CHUNK_ALONE if is_narrow(model) else MOST_DRAWN_FROM

    def __call__(self, tokens: Many[int], caches: Many[Any]) -> mx.array:
        """Feed `tokens` to a row's caches. Returns its logits, shape (1, vocabulary). Evaluates nothing."""
        with last_only():
            logits: mx.array = self._model(mx.array([tokens]), cache=caches)
        return logits[:, -1, :]

    def is_cuttable(self, caches: Many[Any]) -> bool:
        """Whether records of any tokens can be taken, wherever the caches of all layers stand."""
        return self._kinds.cuttable if self._kinds else codec.is_cuttable(caches)

    def sees_windows(self, caches: Many[Any]) -> bool:
        """Whether some layer has a sliding window."""
        return self._kinds.windows if self._kinds else codec.sees_windows(caches)


@contextmanager
def last_only() -> Iterator[None]:
    """Let narrow models compute the logits of the last token only."""
    before = _LAST_ONLY.set(True)
    try:
        yield
    finally:
        _LAST_ONLY.reset(before)


@contextmanager
def hidden_states() -> Iterator[list[mx.array]]:
    """Collects the hidden states of each pass of a narrow model after the last norm, shape (rows, tokens, size): those
    that its output matrix gets, or would get if it were not to compute the last logits alone.
    """
    states = list[mx.array]()
    before = _STATES.set(states)
    try:
        yield states
    finally:
        _STATES.reset(before)


def narrow(model: Any, vocabulary: int) -> None:
    """Let `model` compute the logits of the last token alone where those are enough. It must be wide."""
    for head in _heads(model, vocabulary):
        head.__class__ = _narrow_head(type(head))  # type: ignore[arg-type] # a class is hashable
    last = model.layers[-1]
    last.__class__ = _narrow_layer(type(last))  # type: ignore[arg-type] # as above


def widen(model: Any) -> None:
    """Undo `narrow`."""
    for module in model.modules():
        if isinstance(module, _Narrow):
            module.__class__ = type(module).__bases__[1]


def is_narrow(model: Any) -> bool:
    """Whether `narrow` has changed the model."""
    return any(isinstance(module, _Narrow) for module in model.modules())


class _Narrow:
    """A head or a layer that can compute the last token only."""


def _heads(model: Any, vocabulary: int) -> list[Any]:
    outside = (module for name, module in model.named_modules() if not any(map(str.isdigit, name.split("."))))
    weights = ((module, module.get("weight")) for module in outside)
    return [module for module, weight in weights if weight is not None and weight.shape[:-1] == (vocabulary,)]


@cache
def _narrow_head(kind: Any) -> type:
    """The subclass of a head's class whose method for logits looks at the last token."""
    name = "as_linear" if hasattr(kind, "as_linear") else "__call__"
    every: Callable[[Any, mx.array], mx.array] = getattr(kind, name)

    def logits(self: Any, hidden: mx.array) -> mx.array:
        if (states := _STATES.get()) is not None:
            states.append(hidden)
        return every(self, hidden[..., -1:, :] if _LAST_ONLY.get() else hidden)

    return type(kind.__name__, (_Narrow, kind), {name: logits})


@cache
def _narrow_layer(kind: Any) -> type:
    """The subclass of a layer's class that takes the last token by itself. Arrays beside the hidden states, such as
    masks, belong to all tokens, so with them it takes all at once.
    """

    def called(self: Any, hidden: mx.array, *given: Any, **named: Any) -> Any:
        divides = (
            _LAST_ONLY.get()
            and _STATES.get() is None
            and not any(isinstance(one, mx.array) for one in (*given, *named.values()))
        )
        if divides and hidden.shape[1] > 1:
            kind.__call__(self, hidden[:, :-1], *given, **named)
            hidden = hidden[:, -1:]
        return kind.__call__(self, hidden, *given, **named)

    return type(kind.__name__, (_Narrow, kind), {"__call__": called})
