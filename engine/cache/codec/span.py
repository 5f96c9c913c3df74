"""Spans: one record's part of one layer. Cuts tokens out of a buffer and joins them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import KVCache

from engine.protocol.errors import CacheMismatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Arrays = dict[str, mx.array]
Contents = dict[str, Any]
"""New values for the attributes of a cache."""

SIDES = ("keys", "values")
TOKEN_AXIS = 2
"""Of arrays that hold tokens: (1, heads, tokens, size)."""


@dataclass(frozen=True, slots=True)
class Span:
    """One record's arrays of one layer for the tokens `start` to `end`, by part.

    Behind these tokens, each array has room for `room` more, with undefined content.
    """

    start: int
    end: int
    arrays: Mapping[str, mx.array]
    room: int = 0

    @property
    def length(self) -> int:
        """Tokens."""
        return self.end - self.start


def capacity(tokens: int) -> int:
    """The tokens that a buffer has room for if a live cache continues in it after `tokens`: at least one more."""
    step = int(KVCache.step)
    return (tokens // step + 1) * step


def grown(part: str, spans: Sequence[Span]) -> mx.array:
    """One part of all spans in one buffer with spare room, as a live cache has it.

    If the part already lies in such a buffer, that is used; MLX copies it only if it has another holder. Raises
    CacheMismatch.
    """
    found = _covering(part, spans, 0)
    if len(found) == 1 and spans[0].room:
        begun, end = found[0][...], spans[0].length
        begun[..., end : end + 1, :] = 0
        return begun
    _, heads, _, size = found[0].shape
    tokens = spans[-1].end - spans[0].start
    spare = mx.zeros((1, heads, capacity(tokens) - tokens, size), dtype=found[0].dtype)
    return mx.concatenate([*_without_room(found, spans), spare], axis=TOKEN_AXIS)


def joined(part: str, spans: Sequence[Span], most: int = 0) -> mx.array:
    """One part of all spans in one array without spare room. For one span it shares the span's memory.

    A span holds all of its tokens, or the newest `most`. Raises CacheMismatch.
    """
    found = _without_room(_covering(part, spans, most), spans)
    if len(found) == 1:
        return found[0][...]  # a new object on the same memory, because assigning to a slice changes the object
    return mx.concatenate(found, axis=TOKEN_AXIS)


def _covering(part: str, spans: Sequence[Span], most: int) -> list[mx.array]:
    arrays = [span.arrays.get(part) for span in spans]
    held = [int(array.shape[TOKEN_AXIS]) if array is not None else -1 for array in arrays]
    if not spans or held != [min(span.length, most or span.length) + span.room for span in spans]:
        raise CacheMismatch(f"the {part} of a layer do not cover its segments")
    return [array for array in arrays if array is not None]


def _without_room(arrays: Sequence[mx.array], spans: Sequence[Span]) -> list[mx.array]:
    return [a[..., : a.shape[TOKEN_AXIS] - s.room, :] if s.room else a for a, s in zip(arrays, spans, strict=True)]


def cut(array: mx.array, start: int, end: int) -> mx.array:
    """A copy of these tokens, so that no record keeps a whole cache alive."""
    return mx.contiguous(array[..., start:end, :])
