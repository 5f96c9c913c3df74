"""The patch for afm7. Its last layers share the keys of an earlier layer and rotate their queries by the number of
those keys, which includes the padding if other rows are longer. The patch uses the real position of each row.
"""

from __future__ import annotations

from typing import Any

import mlx.core as mx

Offset = int | mx.array
"""The position of the rows: one number for all of them, or an array of shape (rows,)."""


class _Noted:
    """A rotation that records the position it is called with."""

    def __init__(self, rotation: Any) -> None:
        self._rotation = rotation
        self.offset: Offset = 0

    def __call__(self, x: mx.array, offset: Offset = 0) -> mx.array:
        self.offset = offset + 0  # copy the value: caches increment theirs in place
        turned: mx.array = self._rotation(x, offset=offset)
        return turned


class _Following:
    """A rotation that uses the position recorded by another one and ignores its argument."""

    def __init__(self, rotation: Any, noted: _Noted) -> None:
        self._rotation = rotation
        self._noted = noted

    def __call__(self, x: mx.array, offset: Offset = 0) -> mx.array:  # noqa: ARG002 # the parameters of mlx-lm's call
        turned: mx.array = self._rotation(x, offset=self._noted.offset)
        return turned


def patch(model: Any) -> None:
    """Give the layers that share keys the position of the first layer."""
    first = model.model.layers[0].self_attn
    first.rope = noted = _Noted(first.rope)
    for layer in model.model.kv_reuse_layers:
        layer.self_attn.rope = _Following(layer.self_attn.rope, noted)
