"""The shapes of passes that a device has prepared. Pure.

CUDA prepares attention once for each number of tokens in a pass and each length of the keys, which takes as long as
many steps. Passes over whole buffers see few lengths: the multiples of ROOM. Passes over one token need nothing.

Invariant: after the load, only a pass over a draft prepares a shape. So there is at most one for each length of a draft
and each room, and the budget knows before such a pass whether it must pay for it.
"""

from __future__ import annotations

from engine.decode.drafts.budget import LENGTHS

ROOM = 1024
"""A buffer has room for up to this many tokens more than its row has."""

PASSES = tuple(1 + length for length in LENGTHS)
"""Tokens of a pass over a draft: the pending token comes first."""

FED_AGAIN = (3, *PASSES)
"""Tokens of a pass that feeds accepted ones again. Those of three save most of the single tokens."""


class PassShapes:
    """The shapes that one model's passes over whole buffers have had. `used`: this device prepares shapes."""

    def __init__(self, *, used: bool) -> None:
        self._used = used
        self._prepared: set[tuple[int, int]] = set()

    def add(self, position: int, tokens: int) -> None:
        """A pass over so many tokens took place after `position` tokens."""
        self._prepared.add((tokens, room(position + tokens)))

    def unprepared(self, position: int) -> list[int]:
        """The lengths of a draft after `position` tokens whose passes the device would have to prepare."""
        return [tokens - 1 for tokens in PASSES if not self._is_ready(position, tokens)]

    def portions(self, position: int, tokens: int) -> list[int]:
        """The tokens of each pass, to feed so many after `position` and prepare nothing: prepared shapes, the longest
        first, and single tokens. If the device prepares no shapes, one pass.
        """
        if not self._used:
            return [tokens]
        portions = list[int]()
        while left := tokens - sum(portions):
            at = position + sum(portions)
            portions.append(max((size for size in FED_AGAIN if size <= left and self._is_ready(at, size)), default=1))
        return portions

    def _is_ready(self, position: int, tokens: int) -> bool:
        return not self._used or (tokens, room(position + tokens)) in self._prepared


def room(tokens: int) -> int:
    """The length of a whole buffer that holds so many tokens."""
    return -(-tokens // ROOM) * ROOM
