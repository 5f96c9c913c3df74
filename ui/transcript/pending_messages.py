"""The messages of a long history that are not on the page yet.

The transcript writes a history from the newest message backwards, in chunks. The backlog says which messages form the
next chunk, and when to stop until the user scrolls up. No Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_MESSAGES = 20
FIRST_CHARACTERS = 3_000
"""A history opens with its newest messages, enough to fill a window."""
CHUNK_MESSAGES = 12
CHUNK_CHARACTERS = 8_000
"""Older ones follow in chunks small enough to cost a few frames each."""
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
        self.next_chunk(length)
        self.first = max(before, self.first)

    def next_chunk(self, length: Callable[[int], int]) -> list[int]:
        """The indexes of the next messages to write, newest first. `length` returns the length of a message in
        characters.

        Call it only if messages are left.
        """
        chunk: list[int] = []
        characters = 0
        most, longest = CHUNK_MESSAGES, CHUNK_CHARACTERS
        if not self.characters:
            most, longest = FIRST_MESSAGES, FIRST_CHARACTERS
        for index in range(self.first - 1, max(-1, self.first - 1 - most), -1):
            chunk.append(index)
            characters += length(index)
            if characters > longest:
                break
        self.characters += characters
        self.first = chunk[-1]
        return chunk
