"""Passes over several tokens that attend to whole buffers, for a device that prepares attention anew for each length of
the keys. CUDA does: on an H200, a pass over 5 tokens takes 48 ms at each new position, and 8 ms over a buffer whose
length stays. On the MLX thread.

The buffers grow to a multiple of ROOM tokens, so that few lengths are prepared. A mask hides what is not filled yet, as
for packed rows.
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

ROOM = 1024
"""A buffer holds up to this many tokens more than its row has. Each length of it is prepared once for each number of
tokens in a pass, which takes 50 to 230 ms.
"""

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
def whole_buffers(caches: Sequence[Any], tokens: int) -> Iterator[int]:
    """Let a pass over so many tokens attend to the whole buffers of `caches`, if all are alike. Yields the tokens that
    each has room for. With 0 tokens, nothing changes, and it yields 0.
    """
    growing = [leaf for _, leaf in leaves(caches) if type(leaf) is KVCache and leaf.keys is not None]
    ends = {(leaf.offset, leaf.keys.shape[2]) for leaf in growing}
    alike = growing if tokens and len(ends) == 1 else []
    room = _room(*ends.pop(), tokens) if alike else 0
    for leaf in alike:
        leaf.keys, leaf.values = _grown(leaf.keys, room), _grown(leaf.values, room)
        leaf.__class__ = _Whole
    try:
        yield room
    finally:
        for leaf in alike:
            leaf.__class__ = KVCache


def _room(offset: int, room: int, tokens: int) -> int:
    """The multiple of ROOM that holds a buffer with `room`, and `tokens` after `offset`."""
    return -(-max(offset + tokens, room) // ROOM) * ROOM


def _grown(held: mx.array, room: int) -> mx.array:
    """Keys or values, shape (1, heads, tokens, size), with so much room."""
    rows, heads, tokens, size = held.shape
    return (
        mx.concatenate([held, mx.zeros((rows, heads, room - tokens, size), held.dtype)], axis=2)
        if room > tokens
        else held
    )


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
