"""The tokens of one conversation, and where in them its last tokens occurred before. Pure.

An answer that edits or quotes a text repeats runs of its tokens. What followed such a run the last time is the guess of
what follows now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

GRAM = 3
"""The tokens of a run that is looked up."""

MOST_INDEXED = 1 << 15
"""Earlier tokens of a longer conversation are not searched: building the index takes about 0.1 ms for 1,000 tokens."""

_LONGEST_COUNTED = 64
_BITS = 21
"""Of a token: no vocabulary is larger, and a run of three fits into an integer of 64 bits."""


class History:
    """A growing list of tokens. Each added token costs one look-up, however long the list is.

    `matched` counts the last tokens that equal an earlier run; 0 without one.
    """

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens = list(tokens[-MOST_INDEXED:])
        self._following = dict(zip(_grams(self._tokens), range(GRAM, len(self._tokens)), strict=False))
        """The index of the token that followed each run of GRAM tokens the last time."""
        self._next = self.matched = 0
        self._look_up()

    def add(self, token: int) -> None:
        """Append a token. If it is the one that followed the earlier run, that run is one token longer."""
        tokens = self._tokens
        goes_on = self.matched > 0 and tokens[self._next] == token
        if len(tokens) >= GRAM:
            self._following[self._last_gram()] = len(tokens)
        tokens.append(token)
        if goes_on:
            self._next += 1
            self.matched += 1
        else:
            self._look_up()

    def continuation(self, count: int) -> list[int]:
        """The `count` tokens that followed the earlier run. If it overlaps the last tokens, they repeat in a cycle."""
        period = len(self._tokens) - self._next
        return [self._tokens[self._next + place % period] for place in range(count)] if self.matched else []

    def _last_gram(self) -> int:
        """The last GRAM tokens as one number; fewer tokens have none that is looked up."""
        if len(self._tokens) < GRAM:
            return -1
        first, second, third = self._tokens[-GRAM:]
        return first << (2 * _BITS) | second << _BITS | third

    def _look_up(self) -> None:
        """Find the latest earlier run that equals the last tokens."""
        self._next = self._following.get(self._last_gram(), 0)
        self.matched = self._overlap() if self._next else 0

    def _overlap(self) -> int:
        """How many of the last tokens equal those before `_next`, counted up to a limit."""
        most = min(self._next, _LONGEST_COUNTED)
        pairs = ((self._tokens[self._next - back], self._tokens[-back]) for back in range(1, most + 1))
        return next((equal for equal, (before, last) in enumerate(pairs) if before != last), most)


def _grams(tokens: list[int]) -> list[int]:
    """Each run of GRAM tokens as one number."""
    ids = np.array(tokens, np.int64)
    grams: list[int] = (ids[:-2] << (2 * _BITS) | ids[1:-1] << _BITS | ids[2:]).tolist() if len(ids) >= GRAM else []
    return grams
