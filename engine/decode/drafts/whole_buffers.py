"""Passes over several tokens that attend to whole buffers, for a device that prepares attention anew for each length of
the keys. CUDA does: on an H200, a pass over 5 tokens takes 48 ms at each new position, and 8 ms over a buffer whose
length stays. On the MLX thread.

Growing buffers have room for some hundred tokens. A mask hides what is not filled yet, as for packed rows.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import KVCache, make_prompt_cache

from engine.cache.codec.codec import leaves
from engine.cache.disk.buffers import grows_in_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKENS = 5
_TOLERANCE = 0.05
"""The error of the logits of a whole buffer, as a share of their spread: rounding, also in 16 bits."""
_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""The exceptions that a model's code raises on a mask that it was not written for."""


def gains_from_whole_buffers(model: Any) -> bool:
    """Whether this device prepares attention for each length, and `model` computes the same over whole buffers."""
    return not grows_in_place() and computes_the_same(model)


def computes_the_same(model: Any) -> bool:
    """Whether a short pass of `model` gives the same logits over whole buffers."""
    tokens, passes = mx.array([list(range(1, 1 + _TOKENS))]), list[mx.array]()
    try:
        for whole in (False, True):
            caches = make_prompt_cache(model)
            model(tokens, cache=caches)
            with whole_buffers(caches, _TOKENS if whole else 0):
                passes.append(model(tokens, cache=caches).astype(mx.float32))
        error = mx.sqrt(mx.square(passes[1] - passes[0]).mean())
        return bool((error <= _TOLERANCE * mx.std(passes[0])).item())
    except _FAILURES:
        return False


@contextmanager
def whole_buffers(caches: Sequence[Any], tokens: int) -> Iterator[None]:
    """Let a pass over so many tokens attend to the whole buffers of `caches`, if all are alike and have room for them.
    With 0 tokens, nothing changes.
    """
    growing = [leaf for _, leaf in leaves(caches) if type(leaf) is KVCache]
    rooms = {(0 if leaf.keys is None else leaf.keys.shape[2], leaf.offset) for leaf in growing}
    alike = [leaf for leaf in growing if tokens and len(rooms) == 1 and leaf.offset + tokens <= max(rooms)[0]]
    for leaf in alike:
        leaf.__class__ = _Whole
    try:
        yield
    finally:
        for leaf in alike:
            leaf.__class__ = KVCache


class _Whole(KVCache):  # type: ignore[misc] # mlx-lm is untyped
    """A growing cache whose keys and values are those of its whole buffer."""

    def make_mask(self, tokens: int, return_array: bool = False, window_size: int | None = None) -> mx.array:  # noqa: ARG002, FBT001, FBT002 # mlx-lm's call
        """The mask of `tokens` queries, shape (tokens, buffer): each sees the tokens up to its own."""
        query, key = self.offset + mx.arange(tokens)[:, None], mx.arange(self.keys.shape[2])
        seen: mx.array = key <= query
        return seen if window_size is None else seen & (query < key + window_size)

    def keys_and_values(self) -> tuple[mx.array, mx.array]:
        """The whole buffer."""
        return self.keys, self.values
