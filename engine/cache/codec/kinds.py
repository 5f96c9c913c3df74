"""The cache kinds: how each of mlx-lm's cache classes becomes arrays, and is filled from them again.

Invariant: no record holds a number. Offsets follow from the tokens that a record covers, lengths and cursors from its
arrays. So no stored record can produce a cache that the live class could not have reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import mlx.core as mx
from mlx_lm.models.cache import (
    ArraysCache,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
)

from engine.cache.codec.growing_caches import CONCATENATED, GROWING, QUANTISED
from engine.cache.codec.windowed_caches import CHUNKED, RING, SLIDING
from engine.protocol.errors import CacheMismatch
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.codec.span import Arrays, Contents, Span


class CacheKind(Protocol):
    """How caches of one class are kept, and what they can do. Arrays that hold tokens are (1, heads, tokens, size)."""

    record: RecordKind
    """The kind of record that its arrays go into."""
    is_trimmed: bool
    """Any number of the last tokens can be taken back."""
    is_bound_again: bool
    """Tokens that were fed at once can be taken back at once: feeding them binds new arrays, and means the same to the
    cache as feeding one after another.
    """
    is_padded: bool
    """mlx-lm can merge it with caches of other rows."""
    is_clustered: bool
    """Its rows can lie in a buffer of `engine.decode.row_layouts`."""
    numbers: tuple[str, ...]
    """mlx-lm 0.32's prompt cache files: the numbers in a layer's state after its keys and values, in order."""
    numbers_before: tuple[str, ...]
    """mlx-lm 0.31's: the numbers beside a layer's state, in order."""

    def max_tokens(self, leaf: Any) -> int:
        """The most tokens that the cache holds; 0 if it grows, or holds no tokens as such."""

    def is_valid(self, leaf: Any, length: int) -> bool:
        """Whether a live cache is empty or in a state that its class can reach after `length` tokens."""

    def take(self, leaf: Any, start: int, end: int) -> Arrays:
        """What to keep of the tokens `start` to `end`, by part; empty if the cache is.

        The cache stands at `end`, or beyond it if the record is KV.
        """

    def buffers(self, leaf: Any) -> Arrays:
        """The whole arrays that hold the tokens from the first on, by part; empty unless the record is KV."""

    def contents(self, leaf: Any, spans: Sequence[Span]) -> Contents:
        """The attributes that the empty cache `leaf` has after `spans`, which are consecutive from token 0.

        Assigns nothing. Raises CacheMismatch.
        """


def kind_of(leaf: Any) -> CacheKind | None:
    """How a cache is kept; None for an unsupported class, including subclasses of supported ones."""
    if type(leaf) is RotatingKVCache and leaf.keep:
        return RING
    return _KINDS.get(type(leaf))


class _States:
    """Arrays of fixed size, by slot; a slot may still be empty. They cannot be cut, so they are kept whole."""

    record = RecordKind.STATE
    is_trimmed, is_bound_again = False, True
    is_padded, is_clustered = False, False
    numbers: tuple[str, ...] = ()
    numbers_before: tuple[str, ...] = ()

    def max_tokens(self, leaf: Any) -> int:  # noqa: ARG002 - it holds no tokens
        return 0

    def is_valid(self, leaf: Any, length: int) -> bool:  # noqa: ARG002 - it counts no tokens
        return leaf.lengths is None

    def take(self, leaf: Any, start: int, end: int) -> Arrays:  # noqa: ARG002 - whole at each end
        """In buffers of their own: a live cache writes into its arrays, and some are views of a whole prompt."""
        return {str(slot): mx.contiguous(array) for slot, array in enumerate(leaf.cache) if array is not None}

    def buffers(self, leaf: Any) -> Arrays:  # noqa: ARG002 - it holds no tokens
        return {}

    def contents(self, leaf: Any, spans: Sequence[Span]) -> Contents:
        arrays = spans[-1].arrays
        slots = [str(slot) for slot in range(len(leaf.cache))]
        if not arrays.keys() <= set(slots):
            raise CacheMismatch("a recurrent layer has other slots than this model's")
        return {"cache": [arrays[slot][...] if slot in arrays else None for slot in slots]}


_KINDS: dict[type, CacheKind] = {
    KVCache: GROWING,
    ConcatenateKVCache: CONCATENATED,
    QuantizedKVCache: QUANTISED,
    RotatingKVCache: SLIDING,
    ChunkedKVCache: CHUNKED,
    ArraysCache: _States(),
}
