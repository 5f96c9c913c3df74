"""The scheduler: who is served next and in which portions. Owns the decisions, computes nothing. Pure.

Each turn of the loop decodes one token for every row and prefills at most one chunk of one waiting sequence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as Many

    from engine.sequence import Sequence

MOST_ROWS = 8
"""Rows that decode together; further sequences wait with their prefill."""

CHUNK_ALONE = 2048
CHUNK_IN_COMPANY = 256
"""Tokens of one prefill chunk: large while nobody waits for a next token, small while somebody does."""


def next_to_prefill(sequences: Iterable[Sequence], focus: str, decoding: int) -> Sequence | None:
    """The sequence whose next chunk is due: the visible conversation's first, then the oldest; None while the batch
    is full or nobody waits.
    """
    if decoding >= MOST_ROWS:
        return None
    waiting = [s for s in sequences if s.phase == "prefill"]
    return min(waiting, key=lambda s: (s.conversation != focus, s.arrived), default=None)


def chunk_end(position: int, prefill_end: int, bounds: Many[int], decoding: int) -> int:
    """Where the chunk that starts at `position` ends: never past a bound, where a checkpoint is taken."""
    size = CHUNK_IN_COMPANY if decoding else CHUNK_ALONE
    nearest = min((bound for bound in bounds if position < bound), default=prefill_end)
    return min(position + size, nearest, prefill_end)
