"""Spans: what one record holds of one layer. Owns cutting tokens out of a buffer and joining them again; whose they are
and where they go is left to the kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.errors import CacheMismatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Arrays = dict[str, mx.array]
Contents = dict[str, Any]
"""What the attributes of a cache are to be."""

SIDES = ("keys", "values")
TOKEN_AXIS = 2
"""Of arrays that hold tokens: (1, heads, tokens, size)."""


@dataclass(frozen=True, slots=True)
class Span:
    """What one record holds of one layer for the tokens `start` to `end`: its arrays by part."""

    start: int
    end: int
    arrays: Mapping[str, mx.array]

    @property
    def length(self) -> int:
        """Tokens."""
        return self.end - self.start


def joined(part: str, spans: Sequence[Span], spare: int, most: int = 0) -> mx.array:
    """One part of all spans in one buffer, with room for `spare` more tokens, as the live cache would have it: growing
    it costs no second copy. Where no room is wanted, what is in one buffer already stays there: others may hold it too.
    A span holds all of its tokens, or the newest `most`. Raises CacheMismatch.
    """
    arrays = [span.arrays.get(part) for span in spans]
    held = [int(array.shape[TOKEN_AXIS]) if array is not None else -1 for array in arrays]
    if not spans or held != [min(span.length, most or span.length) for span in spans]:
        raise CacheMismatch(f"the {part} of a layer do not cover its segments")
    found = [array for array in arrays if array is not None]
    if len(found) == 1 and not spare:
        return found[0][...]  # an object of its own on the same memory: assigning to a part changes the object
    _, heads, _, size = found[0].shape
    return mx.concatenate([*found, mx.zeros((1, heads, spare, size), dtype=found[0].dtype)], axis=TOKEN_AXIS)


def cut(array: mx.array, start: int, end: int) -> mx.array:
    """In a buffer of its own, so that no record keeps a whole cache alive."""
    return mx.contiguous(array[..., start:end, :])
