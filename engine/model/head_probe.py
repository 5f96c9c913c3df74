"""Probes at load whether a model can compute the logits of the last token alone, by comparing them with those that it
computes beside all others. If they differ, or if the model computes all in any case, it stays wide.

On the thread that steps the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.decode.last_logits import last_only, narrow, widen
from engine.model.load_failure import FOREIGN
from engine.model.trial import PROMPT_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable

_TOLERANCE = {mx.float32: 1e-3, mx.float16: 0.02, mx.bfloat16: 0.05}
"""The largest error, as a share of the spread of the logits: one row of a product rounds otherwise than many."""

_PASSES = 2
"""The second pass uses the caches that the first one has filled."""


def narrow_if_equal(model: Any, fresh_caches: Callable[[], list[Any]], vocabulary: int) -> None:
    """Narrow `model`, whose logits have the width `vocabulary`, if its last logits and its caches stay the same."""
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
