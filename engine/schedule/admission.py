"""Admission: whether there is enough memory to start a sequence. Pure: the caller measures the free memory.

A row grows while it decodes. It is granted memory for a number of tokens, which counts as taken; at the end of the
grant it needs another one. When a row joins or leaves, its neighbours are copied before the old buffers are freed, so
memory for that copy is reserved too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.memory.footprint import GROWTH_TOKENS, Admission, admit, row_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.memory.footprint import Footprint
    from engine.schedule.sequence import Sequence


MOST_GRANTED_AHEAD = 2048
"""Tokens of an answer that are granted at once: few answers are longer, and those get another grant."""


def tokens_to_grant(sequence: Sequence) -> int:
    """The tokens that `sequence` should be granted now, including those that it holds."""
    prompt, limit = len(sequence.prompt.ids), sequence.command.sampling.max_tokens
    return min(prompt + limit, max(prompt, sequence.position) + MOST_GRANTED_AHEAD)


def decide(
    sequence: Sequence, running: Iterable[Sequence], footprint: Footprint, copied: int, free: int, reclaimable: int
) -> Admission:
    """Decide about `sequence` beside the `running` ones, which have their grants. Sizes are in bytes: `copied` is the
    most of its growing caches that a join copies, `free` the memory that can be taken, `reclaimable` what the hot tier
    can release.
    """
    others = [other for other in running if other is not sequence]
    active = [other for other in others if other.phase != "paused"]
    promised = sum(_growth(footprint, other, other.granted) for other in others)
    rows = [tokens_to_grant(sequence)] * sequence.rows + [other.granted for other in active]
    twice = _held_twice(footprint, rows, copied)
    held = sum(_held(footprint, other) for other in active)
    need = _growth(footprint, sequence, tokens_to_grant(sequence))
    return admit(need, max(0, free - promised - twice), held + promised + twice, reclaimable)


def _held_twice(footprint: Footprint, rows: list[int], copied: int) -> int:
    """The most bytes that are in memory twice while one of `rows`, given by their tokens, joins or leaves."""
    if len(rows) == 1:
        return 0
    fixed = replace(footprint, token_bytes=0)
    growing = sum(footprint.token_bytes * tokens for tokens in rows)
    return min(growing, copied) + sum(row_bytes(fixed, tokens) for tokens in rows)


def _growth(footprint: Footprint, sequence: Sequence, tokens: int) -> int:
    """The bytes that a sequence and its alternatives need to reach `tokens`, beyond those that it holds."""
    return max(0, sequence.rows * row_bytes(footprint, tokens) - _held(footprint, sequence))


def _held(footprint: Footprint, sequence: Sequence) -> int:
    """The least bytes that a sequence holds: its caches may still have to grow to the footprint's multiple."""
    least = replace(footprint, growth=GROWTH_TOKENS)
    return row_bytes(least, sequence.position) if sequence.position else 0
