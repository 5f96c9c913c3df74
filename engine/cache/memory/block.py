"""What the hot tier holds: arrays, blocks and prompt ends. On the MLX thread.

A block is the keys and values of many segments in one array for each layer. A prompt end is what the newest prompt of a
conversation leaves in memory so that the same prompt needs no forward pass. Nothing of it goes to disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import mlx.core as mx

from engine.cache.codec.cache_classes import TOKEN_AXIS, Arrays, cut
from engine.cache.codec.codec import size_of
from engine.cache.segment import Segment
from storage.segments.records import RecordKind

_LOGITS = "logits"


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


@dataclass(frozen=True, slots=True)
class PromptEnd:
    """The end of a prompt, and the logits that its first token was drawn from, (1, vocabulary).

    - `segment` is the tokens from the last bound to the end of the prompt: the header of the reply.
    - `records` are its window and its state, by kind; evaluated. If no reply was kept, also its keys and values.
    - `holder` is the key of the segment with which the end goes: the reply's, whose keys and values begin with these
      tokens, or the one before the end if no reply was kept.
    """

    segment: Segment
    records: Mapping[str, Arrays]
    logits: mx.array
    holder: str = ""

    @property
    def everything(self) -> dict[str, Arrays]:
        """The records, and the logits as one more."""
        return {**self.records, _LOGITS: {_LOGITS: self.logits}}

    @property
    def bytes(self) -> int:
        """The size of everything."""
        return sum(size_of(arrays) for arrays in self.everything.values())

    @property
    def arrays(self) -> int:
        """The number of arrays in everything."""
        return sum(len(arrays) for arrays in self.everything.values())

    def kept_with(self, last: Segment, arrays: Arrays) -> PromptEnd | None:
        """The same end, kept with the `last` segment of its conversation. None if that lies elsewhere.

        If no reply was kept, the end gets a copy of its keys and values in `arrays`, which start at token 0.
        """
        start, end = self.segment.start, self.segment.end
        if last.start == start:
            return replace(self, holder=last.key)
        if last.end != start:
            return None
        own = {name: cut(array, start, end) for name, array in arrays.items()}
        mx.eval(list(own.values()))
        return replace(self, records={**self.records, RecordKind.KV: own} if own else self.records, holder=last.key)


def arrays_of(held: HeldRecord) -> Arrays:
    """The arrays of a record."""
    return held.block.within(held.start, held.end) if isinstance(held, BlockPart) else held
