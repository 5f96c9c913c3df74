"""Blocks: the keys and values of many segments in one array for each layer. On the MLX thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mlx.core as mx

from engine.cache.codec.codec import Piece, size_of
from engine.cache.codec.kinds import TOKEN_AXIS, Arrays
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.cache.segment import Segment


class Block:
    """The tokens `start` to `end` of a conversation: arrays of (1, heads, tokens, size) by name.

    The arrays may have room for more tokens behind these.
    """

    def __init__(self, start: int, end: int, arrays: Arrays) -> None:
        self.start = start
        self.end = end
        self.arrays = arrays
        self.bytes = size_of(arrays)

    @property
    def room(self) -> int:
        """How many more tokens its arrays have room for."""
        held = min((int(array.shape[TOKEN_AXIS]) for array in self.arrays.values()), default=self.end - self.start)
        return held - (self.end - self.start)

    def within(self, start: int, end: int) -> Arrays:
        """The arrays of the tokens `start` to `end`, as views if they are only a part."""
        if (start, end) == (self.start, self.end) and not self.room:
            return self.arrays
        first, last = start - self.start, end - self.start
        return {name: array[..., first:last, :] for name, array in self.arrays.items()}

    def part(self, start: int, end: int) -> Block:
        """A copy of the tokens `start` to `end`, so that the rest of the block can be freed."""
        arrays = {name: mx.contiguous(array) for name, array in self.within(start, end).items()}
        mx.eval(list(arrays.values()))
        return Block(start, end, arrays)


@dataclass(frozen=True, slots=True)
class BlockPart:
    """One segment's tokens `start` to `end` in a block."""

    block: Block
    start: int
    end: int


HeldRecord = Arrays | BlockPart
"""A record in memory."""


def arrays_of(held: HeldRecord) -> Arrays:
    """The arrays of a record."""
    return held.block.within(held.start, held.end) if isinstance(held, BlockPart) else held


def pieces(segments: Iterable[Segment], records: Mapping[str, Mapping[str, HeldRecord]]) -> list[Piece]:
    """The records of a prefix, by key and kind, as pieces. Keys and values in the same block are one piece.

    A block holds consecutive tokens of one conversation. So a segment's part follows the parts of the segments before
    it, even if those are registered with another block. A piece at the end of its block keeps the block's spare room.
    """
    found: list[Piece] = []
    kv: list[tuple[int, int, HeldRecord]] = []
    for segment in segments:
        start, end, own = segment.start, segment.end, dict(records.get(segment.key, {}))
        if (held := own.pop(RecordKind.KV, None)) is not None:
            while isinstance(held, BlockPart) and kv and held.block.start <= kv[-1][0]:
                start = kv.pop()[0]
            kv.append((start, end, held))
        if own:
            found.append(Piece(segment.start, end, {kind: arrays_of(record) for kind, record in own.items()}))
    return [_piece(*one) for one in kv] + found


def _piece(start: int, end: int, held: HeldRecord) -> Piece:
    if not isinstance(held, BlockPart):
        return Piece(start, end, {RecordKind.KV: held})
    if (start, end) != (held.block.start, held.block.end):
        return Piece(start, end, {RecordKind.KV: held.block.within(start, end)})
    return Piece(start, end, {RecordKind.KV: held.block.arrays}, held.block.room)
