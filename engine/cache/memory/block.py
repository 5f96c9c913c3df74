"""Blocks: the keys and values of many segments in one array for each layer. On the MLX thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mlx.core as mx

from engine.cache.codec.codec import Piece, size_of
from engine.cache.codec.span import TOKEN_AXIS, Arrays
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
    """The segments of a prefix, with their records by key and kind. Segments in the same block become one piece.

    Restoring such a piece joins nothing. A piece at the end of its block keeps the block's spare room.
    """
    spans: list[_Stretch] = []
    for segment in segments:
        own = _Stretch(segment.start, segment.end, records.get(segment.key, {}))
        if spans and (joined := _joined(spans[-1], own)):
            spans[-1] = joined
        else:
            spans.append(own)
    return [span.piece() for span in spans]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Consecutive segments as one: their records by kind."""

    start: int
    end: int
    records: Mapping[str, HeldRecord]

    def piece(self) -> Piece:
        kv = self.records.get(RecordKind.KV)
        arrays = {kind: arrays_of(held) for kind, held in self.records.items() if kind != RecordKind.KV}
        if not isinstance(kv, BlockPart):
            return Piece(self.start, self.end, arrays if kv is None else {**arrays, RecordKind.KV: kv})
        if (kv.start, kv.end) != (kv.block.start, kv.block.end):
            return Piece(self.start, self.end, {**arrays, RecordKind.KV: arrays_of(kv)})
        return Piece(self.start, self.end, {**arrays, RecordKind.KV: kv.block.arrays}, kv.block.room)


def _joined(before: _Stretch, own: _Stretch) -> _Stretch | None:
    """Both stretches as one; None if they cannot be joined. A record that belongs to an end also ends a piece.

    A block holds consecutive tokens of one conversation only. So a segment's part follows the parts of the segments
    before it, even if those are registered with another block.
    """
    second = own.records.get(RecordKind.KV)
    if (
        before.records.keys() != {RecordKind.KV}
        or RecordKind.WINDOW in own.records
        or not isinstance(second, BlockPart)
    ):
        return None
    if second.block.start > before.start:
        return None
    return _Stretch(
        before.start, own.end, {**own.records, RecordKind.KV: BlockPart(second.block, before.start, own.end)}
    )
