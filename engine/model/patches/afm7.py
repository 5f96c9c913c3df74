"""The repair of afm7: its last layers share the keys of an earlier one and turn their queries by how many keys there
are. Beside longer rows, that counts their padding. Owns the position that each row really has.
"""

from __future__ import annotations

from typing import Any

import mlx.core as mx

Offset = int | mx.array
"""Where rows stand: one number for all, or an array of shape (rows,)."""


class _Noted:
    """A rotation that notes the position it is asked for."""

    def __init__(self, rotation: Any) -> None:
        self._rotation = rotation
        self.offset: Offset = 0

    def __call__(self, x: mx.array, offset: Offset = 0) -> mx.array:
        self.offset = offset + 0  # a value of its own: caches count on in place
        turned: mx.array = self._rotation(x, offset=offset)
        return turned


class _Following:
    """A rotation by the position that another one noted, whatever it is asked for."""

    def __init__(self, rotation: Any, noted: _Noted) -> None:
        self._rotation = rotation
        self._noted = noted

    def __call__(self, x: mx.array, offset: Offset = 0) -> mx.array:  # noqa: ARG002 # mlx-lm's call
        turned: mx.array = self._rotation(x, offset=self._noted.offset)
        return turned


def repair(model: Any) -> None:
    """Let the layers that share keys stand where the first layer stands."""
    first = model.model.layers[0].self_attn
    first.rope = noted = _Noted(first.rope)
    for layer in model.model.kv_reuse_layers:
        layer.self_attn.rope = _Following(layer.self_attn.rope, noted)
