"""Blocks: the keys and values of many segments in one array a layer. Owns what each segment has of them; who keeps
them, and how long, is left to the hot tier. On the MLX thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mlx.core as mx

from engine.cache.codec import Piece, size_of
from engine.cache.span import Arrays

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.cache.segment import Segment

_KV, _WINDOW = "kv", "window"


class Block:
    """The tokens `start` to `end` of a conversation: arrays of (1, heads, tokens, size) by name."""

    def __init__(self, start: int, end: int, arrays: Arrays) -> None:
        self.start = start
        self.end = end
        self.arrays = arrays
        self.bytes = size_of(arrays)

    def within(self, start: int, end: int) -> Arrays:
        """The arrays of the tokens `start` to `end`: views of these, or these."""
        if (start, end) == (self.start, self.end):
            return self.arrays
        first, last = start - self.start, end - self.start
        return {name: array[..., first:last, :] for name, array in self.arrays.items()}

    def head(self, end: int) -> Block:
        """The tokens up to `end` in a block of their own, so that the rest can be let go."""
        arrays = {name: mx.contiguous(array) for name, array in self.within(self.start, end).items()}
        mx.eval(list(arrays.values()))
        return Block(self.start, end, arrays)


@dataclass(frozen=True, slots=True)
class Part:
    """What one segment has of a block: its tokens `start` to `end`."""

    block: Block
    start: int
    end: int


Held = Arrays | Part
"""A record in memory."""


def arrays_of(held: Held) -> Arrays:
    """The arrays of a record."""
    return held.block.within(held.start, held.end) if isinstance(held, Part) else held


def pieces(segments: Iterable[Segment], records: Mapping[str, Mapping[str, Held]]) -> tuple[Piece, ...]:
    """The segments with their records by key and kind, those that follow each other in one block as one piece: nothing
    has to be joined then.
    """
    spans: list[tuple[int, int, Mapping[str, Held]]] = []
    for segment in segments:
        own = records.get(segment.key, {})
        if spans and (joined := _joined(spans[-1][2], own)):
            spans[-1] = (spans[-1][0], segment.end, joined)
        else:
            spans.append((segment.start, segment.end, own))
    return tuple(Piece(start, end, {kind: arrays_of(h) for kind, h in own.items()}) for start, end, own in spans)


def _joined(before: Mapping[str, Held], own: Mapping[str, Held]) -> Mapping[str, Held] | None:
    """The records of both as those of one segment; None if they are not that. What belongs to an end ends a piece."""
    first, second = before.get(_KV), own.get(_KV)
    if before.keys() != {_KV} or _WINDOW in own or not isinstance(first, Part) or not isinstance(second, Part):
        return None
    if first.block is not second.block or first.end != second.start:
        return None
    return {**own, _KV: Part(first.block, first.start, second.end)}
