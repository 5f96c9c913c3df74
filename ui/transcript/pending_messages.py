"""The messages of a long history that are not on the page. No Qt.

The transcript writes a history from the newest message backwards, in chunks. PendingMessages says which messages form
the next chunk, and when to stop until the user scrolls up. If the page gets too long, it loses messages at its other
end. After a jump it begins anew at another message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from ui.markdown.lines import Line


class ChunkSize(NamedTuple):
    """The most messages of a chunk, and the characters after which it ends."""

    messages: int
    characters: int


VIEW = ChunkSize(4, 700)
"""A history opens with chunks of this size until they fill the view: what is out of view must not delay the first
paint.
"""
CHUNK = ChunkSize(4, 2_500)
"""Older ones follow in chunks that take less than a frame. A longer message is written in parts."""
HISTORY_CHARACTERS = 25_000
"""How much of a history is loaded at once, in characters. The rest loads when the user scrolls up."""
MOST_ON_PAGE = 40_000
"""The most that stays on the page, in characters. Each chunk at the top of a page moves all blocks below it: with three
times as many that takes longer than all else.
"""
_PART, _BESIDE_LETTERS = 4_000, 40
"""A part takes as long as so many characters. A line or a cell takes that much longer than its letters."""


def part_size(lines: Iterable[Line]) -> int:
    """How many of these lines form the next part of a long message."""
    characters = count = 0
    for line in lines:
        count += 1
        characters += sum(_BESIDE_LETTERS + sum(len(span.text) for span in cell) for cell in line.cells)
        if characters > _PART:
            break
    return count


class Side(Enum):
    """The side of the page on which messages are missing, come or go."""

    ABOVE = "above"
    BELOW = "below"


class PendingMessages:
    """Of `count` messages, those before index `first` and from index `end` on are not on the page. `length` returns the
    length of a message in characters, and `characters` counts the text that was loaded.
    """

    def __init__(self, count: int, length: Callable[[int], int]) -> None:
        self.first = self.end = self.count = count
        self.characters = 0
        self._length = length

    @property
    def on_page(self) -> range:
        """The indexes of the messages on the page."""
        return range(self.first, self.end)

    @property
    def loads_more(self) -> bool:
        """Whether the next chunk loads without waiting for the user to scroll."""
        return self.first > 0 and self.characters < HISTORY_CHARACTERS

    @property
    def excess(self) -> int:
        """How many characters too many are on the page."""
        return sum(map(self._length, self.on_page)) - MOST_ON_PAGE

    def prepend(self, count: int) -> None:
        """Add `count` messages above all others."""
        self.first += count
        self.end += count
        self.count += count

    def append(self) -> None:
        """Add a message below all others. It comes on the page if that ends with the last of them."""
        self.end += self.end == self.count
        self.count += 1

    def branch(self, kept: int, count: int) -> None:
        """Replace all but the first `kept` messages; now there are `count`."""
        self.count = count
        if kept <= self.end:
            self.end = count

    def jump(self, index: int) -> None:
        """Take all messages off the page. The next chunks begin at `index`, and load only as the user scrolls."""
        self.first = self.end = index
        self.characters = HISTORY_CHARACTERS

    def next(self, side: Side, most: int = 1) -> range:
        """The indexes of the next messages on a side, the nearest first."""
        if side is Side.ABOVE:
            return range(self.first - 1, max(-1, self.first - 1 - most), -1)
        return range(self.end, min(self.count, self.end + most))

    def fitting(self, side: Side) -> int:
        """How many of the next messages fit in a chunk. If none does, the next one is written in parts."""
        lengths = map(self._length, self.next(side, CHUNK.messages))
        return sum(end <= CHUNK.characters for end in accumulate(lengths))

    def take(self, side: Side, portion: ChunkSize = CHUNK) -> list[int]:
        """The indexes of the next messages to write, the nearest first. They are on the page from now on."""
        chunk: list[int] = []
        characters = 0
        for index in self.next(side, portion.messages):
            chunk.append(index)
            characters += self._length(index)
            if characters > portion.characters:
                break
        if side is Side.ABOVE:
            self.first -= len(chunk)
            self.characters += characters
        else:
            self.end += len(chunk)
        return chunk
