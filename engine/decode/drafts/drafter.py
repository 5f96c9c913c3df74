"""The drafter: guesses the next tokens of one row from the text that it repeats, and learns from its errors. Pure.

An answer that edits or quotes a text repeats runs of its tokens. What followed such a run the last time is the guess of
what follows now.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

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

GRAM = 3
"""The tokens of a run that is looked up."""

MOST_INDEXED = 1 << 15
"""Earlier tokens of a longer conversation are not searched: building the index takes 0.1 to 0.3 ms for 1,000 tokens."""

_LONGEST_COUNTED = 64


class TokenHistory:
    """A growing list of tokens. Each added token costs one look-up, however long the list is.

    `matched` counts the last tokens that equal an earlier run; 0 without one.
    """

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens = list(tokens[-MOST_INDEXED:])
        grams = zip(*(self._tokens[first:-1] for first in range(GRAM)), strict=False)
        self._following = dict(zip(grams, count(GRAM), strict=False))
        """The index of the token that followed each run of GRAM tokens the last time."""
        self._next = self.matched = 0
        self._look_up()

    def add(self, token: int) -> None:
        """Append a token. If it is the one that followed the earlier run, that run is one token longer."""
        tokens = self._tokens
        goes_on = self.matched > 0 and tokens[self._next] == token
        if len(tokens) >= GRAM:
            self._following[*tokens[-GRAM:],] = len(tokens)
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

    def _look_up(self) -> None:
        """Find the latest earlier run that equals the last tokens."""
        self._next = self._following.get(tuple(self._tokens[-GRAM:]), 0)
        self.matched = self._overlap() if self._next else 0

    def _overlap(self) -> int:
        """How many of the last tokens equal those before `_next`, counted up to a limit."""
        most = min(self._next, _LONGEST_COUNTED)
        pairs = ((self._tokens[self._next - back], self._tokens[-back]) for back in range(1, most + 1))
        return next((equal for equal, (before, last) in enumerate(pairs) if before != last), most)


class Drafter(TokenHistory):
    """Drafts for one row, which has `tokens`. `known` counts the row's tokens that it was given."""

    def __init__(self, tokens: Sequence[int]) -> None:
        super().__init__(tokens)
        self.known = len(tokens)
        self._needed = FIRST_NEEDED
        self._rejections = 0

    def add(self, token: int) -> None:
        """Append a token that the row has drawn."""
        self.known += 1
        super().add(token)

    @property
    def length(self) -> int:
        """The most tokens of a draft now; 0 if too few tokens repeat an earlier run."""
        return min(max(LEAST_LENGTH, self.matched), MOST_LENGTH) if self.matched >= self._needed else 0

    def learn(self, drafted: int, accepted: int) -> None:
        """Of a draft of `drafted` tokens, the first `accepted` were right."""
        self._rejections = 0 if accepted else self._rejections + 1
        if accepted == drafted:
            self._needed = GRAM
        elif not accepted:
            self._needed = max(self._needed, FIRST_NEEDED)
        if self._rejections == MOST_REJECTIONS:
            self._rejections, self._needed = 0, min(2 * self._needed, MOST_NEEDED)
