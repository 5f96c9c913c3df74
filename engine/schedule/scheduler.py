"""The scheduler: who is served next and in which portions. Owns the decisions, computes nothing. Pure.

Each turn of the loop decodes one token for every row and does at most one piece of other work: a join, a portion of a
cache that is filled, or a chunk of a prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as Many

    from engine.schedule.sequence import Sequence

MOST_ROWS = 8
"""Rows that decode together; further sequences wait with their prefill."""

CHUNK_ALONE = 2048
CHUNK_WHILE_DECODING = 256
"""Tokens of one prefill chunk: large while nobody waits for a next token, small while somebody does."""

MOST_DRAWN_FROM = 32
"""Tokens of a chunk that a token is drawn after: a model computes the logits of all of them, which in a long one would
cost more than a pass of its own for the last.
"""


def next_to_prefill(sequences: Iterable[Sequence], focus: str, decoding: int) -> Sequence | None:
    """The sequence whose next chunk is due: the visible conversation's first, then the oldest; None where nobody waits
    or the first has no place among the `decoding` rows.
    """
    first = _first([s for s in sequences if s.phase == "prefill" and not s.prefilled], focus)
    return first if first and decoding + first.rows <= MOST_ROWS else None


def next_to_restore(sequences: Iterable[Sequence], coming: Sequence | None, focus: str) -> Sequence | None:
    """The sequence whose caches are filled next, in the same order; None where the one that is `coming` goes first."""
    first = _first([s for s in sequences if s.restoration], focus)
    return None if first is None or (coming and _first([first, coming], focus) is coming) else first


def _first(waiting: Iterable[Sequence], focus: str) -> Sequence | None:
    return min(waiting, key=lambda s: (s.conversation != focus, s.arrived), default=None)


def to_join(sequences: Iterable[Sequence], coming: Sequence | None, decoding: int) -> list[Sequence]:
    """The sequences that start to decode now, in the order they came.

    While nobody decodes, those that are read wait for the one that is `coming` next if it is a small chunk away from
    it: a burst then starts together, and its caches are merged once.
    """
    if coming and not decoding and coming.pending_tokens <= CHUNK_WHILE_DECODING:
        return []
    joining = []
    for sequence in sorted(ready(sequences), key=lambda s: s.arrived):
        if decoding + sequence.rows <= MOST_ROWS:
            joining.append(sequence)
            decoding += sequence.rows
    return joining


def ready(sequences: Iterable[Sequence]) -> list[Sequence]:
    """Those whose prompt is read, and that do not decode yet."""
    return [s for s in sequences if s.phase == "prefill" and s.prefilled]


def chunk_end(position: int, prompt_end: int, bounds: Many[int], decoding: int) -> int:
    """Where the chunk that starts at `position` ends: never past a bound, where a checkpoint is taken."""
    size = CHUNK_WHILE_DECODING if decoding else CHUNK_ALONE
    nearest = min((bound for bound in bounds if position < bound), default=prompt_end)
    return min(position + size, nearest, prompt_end)


def drawing_end(position: int, end: int, prompt_end: int) -> int:
    """Where the chunk from `position` to `end` ends if a token is drawn after the prompt: the prompt's last token is
    left to a chunk of its own where this one is long.
    """
    return end - 1 if end == prompt_end and end - position > MOST_DRAWN_FROM else end
