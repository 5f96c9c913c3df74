"""Passes over several tokens that attend to whole buffers, for a device that prepares attention anew for each length of
the keys. CUDA does: on an H200, that makes a pass over 5 tokens several times as long at each new position as over a
buffer whose length stays. On the MLX thread.

The buffers have a multiple of ROOM tokens, so that few lengths are prepared. A mask hides what is not filled yet, as
for packed rows. Passes over one token need nothing.

Invariant: after the load, only a pass over a draft prepares a shape. So there is at most one for each length of a draft
and each room. The budget counts no step that prepares one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import KVCache, make_prompt_cache

from engine.cache.codec.codec import leaves

ROOM = 1024
"""A buffer has room for up to this many tokens more than its row has."""


def room(tokens: int) -> int:
    """The length of a whole buffer that holds so many tokens."""
    return -(-tokens // ROOM) * ROOM


_BEFORE = 5
"""Tokens in the buffers of a probe."""
_TRIED = 5
"""Tokens of its pass."""
_TOLERANCE = 0.05
"""The error of the logits of a whole buffer, as a share of their spread: rounding, also in 16 bits."""
_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""The exceptions that a model's code raises on a mask that it was not written for."""


class WholeBuffers:
    """The passes of one model over several tokens. On a device that prepares shapes they attend to whole buffers. The
    shapes of the first room are prepared when the model is loaded, for passes over drafts of `lengths` tokens.

    `growth` is the number of tokens of which a row's buffers have a multiple. `prepared` has the shapes so far: each is
    a number of tokens in a pass and a length of the keys. A model's head has the same ones, because its attention has
    the sizes of the model's.
    """

    def __init__(self, model: Any, lengths: Sequence[int]) -> None:
        self._used = gains_from_whole_buffers(model)
        self.prepared: set[tuple[int, int]] = set()
        self.growth = ROOM if self._used else KVCache.step
        if self._used:
            self._prepare(model, lengths)

    @contextmanager
    def attended(self, caches: Sequence[Any], position: int, tokens: int) -> Iterator[None]:
        """A pass over so many tokens after `position`."""
        several = self._used and tokens > 1
        with whole_buffers(caches, tokens if several else 0):
            yield
        if several:
            self.prepared.add((tokens, room(position + tokens)))

    def _prepare(self, model: Any, lengths: Sequence[int]) -> None:
        """Prepare the shapes of the first room. The pending token comes first in a pass."""
        for tokens in (1 + length for length in lengths):
            caches = make_prompt_cache(model)
            mx.eval(model(_tokens(_BEFORE), cache=caches))
            with self.attended(caches, _BEFORE, tokens):
                mx.eval(model(_tokens(tokens), cache=caches))


def gains_from_whole_buffers(model: Any) -> bool:
    """Whether this device prepares attention for each length, and `model` computes the same over whole buffers."""
    return prepares_each_length() and computes_the_same(model)


def prepares_each_length() -> bool:
    """Whether this device prepares attention anew for each length of the keys, as a GPU with CUDA does."""
    return mx.default_device() != mx.Device(mx.cpu) and mx.cuda.is_available()


def computes_the_same(model: Any) -> bool:
    """Whether `model` has buffers that can be whole, and a short pass over them gives the same logits."""
    tokens, passes, lengths = _tokens(_TRIED), list[mx.array](), list[int]()
    try:
        for whole in (False, True):
            caches = make_prompt_cache(model)
            model(_tokens(_BEFORE), cache=caches)
            with whole_buffers(caches, _TRIED if whole else 0) as length:
                passes.append(model(tokens, cache=caches).astype(mx.float32))
            lengths.append(length)
        error = mx.sqrt(mx.square(passes[1] - passes[0]).mean())
        return lengths[1] > 0 and bool((error <= _TOLERANCE * mx.std(passes[0])).item())
    except _FAILURES:
        return False


@contextmanager
def whole_buffers(caches: Sequence[Any], tokens: int) -> Iterator[int]:
    """Let a pass over so many tokens attend to the whole buffers of `caches`, if all are equally far. Yields their
    length. With 0 tokens, nothing changes, and it yields 0.
    """
    growing = [leaf for _, leaf in leaves(caches) if type(leaf) is KVCache and leaf.keys is not None]
    offsets = {leaf.offset for leaf in growing}
    alike = growing if tokens and len(offsets) == 1 else []
    length = room(offsets.pop() + tokens) if alike else 0
    for leaf in alike:
        leaf.keys, leaf.values = _resized(leaf.keys, length), _resized(leaf.values, length)
        leaf.__class__ = _Whole
    try:
        yield length
    finally:
        for leaf in alike:
            leaf.__class__ = KVCache


def _resized(held: mx.array, length: int) -> mx.array:
    """Keys or values, shape (1, heads, tokens, size), with room for exactly so many tokens. A prompt's last chunk may
    have left more: memory was granted for this length alone.
    """
    rows, heads, tokens, size = held.shape
    if length > tokens:
        return mx.concatenate([held, mx.zeros((rows, heads, length - tokens, size), held.dtype)], axis=2)
    return held if length == tokens else mx.contiguous(held[:, :, :length])


def _tokens(count: int) -> mx.array:
    """Any tokens, shape (1, count)."""
    return mx.array([list(range(1, 1 + count))])


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
