"""A model that asks before each forward pass."""

from __future__ import annotations

from typing import Any

import mlx.core as mx

from engine.ranks.shared_loads import InStep


class Model:
    """Counts its passes."""

    def __init__(self) -> None:
        self.passes = 0

    def __call__(self, tokens: mx.array, cache: Any = None) -> Any:
        """One pass."""
        self.passes += 1
        return tokens, cache


def test_each_pass_is_asked_for_first() -> None:
    """With the shape of its tokens and those of a prompt. Arguments, result and attributes are those of the model."""
    model, asked = Model(), list[tuple[bytes, int]]()
    agreed = InStep(model, lambda what: asked.append((what, model.passes)))
    tokens = mx.array([[1, 2, 3]])
    assert agreed(tokens, cache="caches") == (tokens, "caches")
    agreed(tokens[:, :1])
    assert asked == [(b"(1, 3)" + bytes(memoryview(tokens)), 0), (b"(1, 1)", 1)]  # type: ignore[arg-type] # a buffer
    assert agreed.passes == 2
