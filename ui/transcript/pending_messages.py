"""The messages of a long history that are not on the page yet.

The transcript writes a history from the newest message backwards, in chunks. The backlog says which messages form the
next chunk, and when to stop until the user scrolls up. No Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Portion(NamedTuple):
    """The most messages of a chunk, and the characters after which it ends."""

    messages: int
    characters: int


VIEW = Portion(4, 700)
"""A history opens with chunks of this size until they fill the view: what is out of view must not delay the first
paint.
"""
WINDOW = Portion(20, 3_000)
"""Enough to fill any window."""
CHUNK = Portion(4, 3_000)
"""Older ones follow in chunks that take less than a frame."""
HISTORY_CHARACTERS = 300_000
"""How much of a history is loaded at once, in characters. The rest loads when the user scrolls up."""


class PendingMessages:
    """The messages before index `first` are not on the page yet. `characters` counts the text that is."""

    def __init__(self, count: int = 0) -> None:
        self.first = count
        self.characters = 0

    @property
    def loads_more(self) -> bool:
        """Whether the next chunk loads without waiting for the user to scroll."""
        return self.first > 0 and self.characters < HISTORY_CHARACTERS

    def prepend(self, count: int) -> None:
        """Add `count` messages above all others."""
        self.first += count

    def remove(self, index: int) -> None:
        """Remove the message at `index`."""
        self.first -= index < self.first

    def restart(self, count: int, length: Callable[[int], int]) -> None:
        """Start again with only the newest of `count` messages on the page. The rest loads again, up to the message
        that was first before.
        """
        before, self.first, self.characters = self.first, count, 0
        self.next_chunk(length, WINDOW)
        self.first = max(before, self.first)

    def next_chunk(self, length: Callable[[int], int], portion: Portion = CHUNK) -> list[int]:
        """The indexes of the next messages to write, newest first. `length` returns the length of a message in
        characters.

        Call it only if messages are left.
        """
        chunk: list[int] = []
        characters = 0
        for index in range(self.first - 1, max(-1, self.first - 1 - portion.messages), -1):
            chunk.append(index)
            characters += length(index)
            if characters > portion.characters:
                break
        self.characters += characters
        self.first = chunk[-1]
        return chunk
