"""Runs a few tokens through a model: the trial that shows which caches it has, and that it runs.

On the thread that steps the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PROMPT_TOKENS: Final = 16
"""Enough to fill every recurrent state: convolutions and n-grams look back over fewer tokens."""


def tried(model: Any, caches: Sequence[Any], took: Callable[[mx.array], object] = lambda _logits: None) -> mx.array:
    """The logits after a prompt and one more token, which `caches` have then processed. Nothing is evaluated, but
    `took` gets the logits of each pass before the next one is built.
    """
    took(model(mx.array([[0] * PROMPT_TOKENS]), cache=caches))
    logits: mx.array = model(mx.array([[0]]), cache=caches)
    return logits
