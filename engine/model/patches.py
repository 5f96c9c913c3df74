"""Patches of models that mlx-lm builds: each changes one loaded model, never mlx-lm. The conformance suite fails when
mlx-lm no longer needs one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
from mlx_lm.models import gemma2
from mlx_lm.models.cache import RotatingKVCache


def patch(model: Any) -> None:
    """Patch `model`, fresh from mlx-lm, if its family needs it."""
    if mend := _PATCHES.get(str(getattr(model, "model_type", ""))):
        mend(model)


def _accept_masks(model: Any) -> None:
    """gemma2: with fewer key heads than query heads, it computes in five dimensions, but the mask of a padded batch has
    four and cannot be broadcast. Until mlx-lm adds the missing dimension.
    """
    for layer in model.layers:
        layer.self_attn.__class__ = _Attention


def _enlarge_windows(model: Any) -> None:
    """plamo3: its windows cover one token more than its rotating caches hold, so the result depends on the size of the
    prefill chunks. Make the caches as large as the windows. Until mlx-lm makes them so.
    """
    shorter = model.make_cache

    def make_cache() -> list[Any]:
        return [RotatingKVCache(c.max_size + 1) if isinstance(c, RotatingKVCache) else c for c in shorter()]

    model.make_cache = make_cache


class _Attention(gemma2.Attention):  # type: ignore[misc] # mlx-lm is untyped
    """Attention that also accepts one mask for each row, shape (rows, 1, tokens, keys)."""

    def __call__(self, x: mx.array, mask: Any = None, cache: Any = None) -> Any:
        by_row = isinstance(mask, mx.array) and mask.ndim == x.ndim + 1
        return super().__call__(x, mask[:, :, None] if by_row and self.repeats > 1 else mask, cache)


_PATCHES: dict[str, Callable[[Any], None]] = {
    "gemma2": _accept_masks,
    "plamo3": _enlarge_windows,
}
