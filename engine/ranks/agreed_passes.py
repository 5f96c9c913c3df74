"""Has a loaded model ask before each forward pass whether all ranks are about to take it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import mlx.core as mx


def agree(model: Any, before_pass: Callable[[bytes], None]) -> None:
    """Let each pass of `model` call `before_pass` first, with what tells the pass from others.

    What tells it is the shape of its tokens, and the tokens of a prompt or a draft. The token that a step feeds is
    still being computed.
    """
    model.__class__ = _agreeing(type(model))  # type: ignore[arg-type] # a class is hashable
    object.__setattr__(model, "_before_pass", before_pass)


@cache
def _agreeing(kind: Any) -> type:
    def called(self: Any, tokens: mx.array, *given: Any, **named: Any) -> Any:
        known = bytes(memoryview(tokens)) if tokens.shape[-1] > 1 else b""  # type: ignore[arg-type] # it has a buffer
        self._before_pass(repr(tokens.shape).encode() + known)
        return kind.__call__(self, tokens, *given, **named)

    return type(kind.__name__, (kind,), {"__call__": called, "__module__": kind.__module__})
