"""The patch for gemma2. With fewer key heads than query heads, it computes in five dimensions, but the mask of a padded
batch has four and cannot be broadcast. The patch adds the missing dimension.
"""

from __future__ import annotations

from typing import Any

import mlx.core as mx
from mlx_lm.models import gemma2


class _Attention(gemma2.Attention):  # type: ignore[misc] # mlx-lm is untyped
    """Attention that also accepts one mask for each row, shape (rows, 1, tokens, keys)."""

    def __call__(self, x: mx.array, mask: Any = None, cache: Any = None) -> Any:
        by_row = isinstance(mask, mx.array) and mask.ndim == x.ndim + 1
        return super().__call__(x, mask[:, :, None] if by_row and self.repeats > 1 else mask, cache)


def patch(model: Any) -> None:
    """Make every layer accept the masks of a batch."""
    for layer in model.layers:
        layer.self_attn.__class__ = _Attention
