"""The drafter: guesses the next tokens of one row from the text that it repeats, and learns from its errors. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.decode.drafts.history import GRAM, History

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_LENGTH = 4
MOST_LENGTH = 16
"""Tokens of a draft: as many as the run that it continues has, within these limits."""

FIRST_NEEDED = 5
MOST_NEEDED = 48
"""The length of a run that must repeat before the next draft. In prose, runs of three or four tokens repeat by chance.
The length doubles after each MOST_REJECTIONS. After a draft that was accepted whole, three tokens are enough.
"""
MOST_REJECTIONS = 2
"""Drafts in a row whose first token is wrong."""


class Drafter:
    """Drafts for one row, which has `tokens`. `known` counts the row's tokens that it was given."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self.known = len(tokens)
        self._history = History(tokens)
        self._needed = FIRST_NEEDED
        self._rejections = 0

    def add(self, token: int) -> None:
        """The row has drawn `token`."""
        self.known += 1
        self._history.add(token)

    @property
    def matched(self) -> int:
        """How many of the last tokens repeat an earlier run."""
        return self._history.matched

    @property
    def length(self) -> int:
        """The most tokens of a draft now; 0 if too few tokens repeat an earlier run."""
        return min(max(LEAST_LENGTH, self.matched), MOST_LENGTH) if self.matched >= self._needed else 0

    def draft(self, length: int) -> list[int]:
        """The guess of the next `length` tokens."""
        return self._history.continuation(length)

    def learn(self, drafted: int, accepted: int) -> None:
        """Of a draft of `drafted` tokens, the first `accepted` were right."""
        self._rejections = 0 if accepted else self._rejections + 1
        if accepted == drafted:
            self._needed = GRAM
        elif not accepted:
            self._needed = max(self._needed, FIRST_NEEDED)
        if self._rejections == MOST_REJECTIONS:
            self._rejections, self._needed = 0, min(2 * self._needed, MOST_NEEDED)
