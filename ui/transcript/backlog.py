"""The messages of a long history that are not on the page yet: they are written from the newest backwards.

Owns which are next and how many are written unasked; when that happens is the transcript's. No Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_MESSAGES = 40
CHUNK_MESSAGES = 12
CHUNK_CHARACTERS = 8_000
"""A history is opened with its newest messages; older ones come in chunks of a few frames' work."""
HISTORY_CHARACTERS = 300_000
"""How much of a long history is loaded unasked; the rest comes when the user scrolls up to it."""


class Backlog:
    """Messages before the one at `first` wait. `characters` counts those that have come."""

    def __init__(self, count: int = 0) -> None:
        self.first = count
        self.characters = 0

    @property
    def goes_on(self) -> bool:
        """Whether more come unasked."""
        return self.first > 0 and self.characters < HISTORY_CHARACTERS

    def grow(self, count: int) -> None:
        """So many messages came above all others."""
        self.first += count

    def drop(self, index: int) -> None:
        """The message at `index` is gone."""
        self.first -= index < self.first

    def begin_again(self, count: int, length: Callable[[int], int]) -> None:
        """All that has come of `count` messages waits again, but for the newest, which are to come now."""
        before, self.first, self.characters = self.first, count, 0
        self.take(length)
        self.first = max(before, self.first)

    def take(self, length: Callable[[int], int]) -> list[int]:
        """The messages that come now, the newest first. There are some; `length` tells how long each is."""
        chunk: list[int] = []
        characters = 0
        most = CHUNK_MESSAGES if self.characters else FIRST_MESSAGES
        for index in range(self.first - 1, max(-1, self.first - 1 - most), -1):
            chunk.append(index)
            characters += length(index)
            if characters > CHUNK_CHARACTERS:
                break
        self.characters += characters
        self.first = chunk[-1]
        return chunk
