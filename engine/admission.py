"""Admission: whether a sequence may be started, as far as memory goes. Owns what running rows were promised. Pure.

A row grows while it writes, so it is granted room for a number of tokens, which counts as taken; when that is used up
it must be granted more. How much is free is measured by the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.memory import Admission, admit, row_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.memory import Footprint
    from engine.sequence import Sequence


MOST_AHEAD = 2048
"""Tokens of an answer that are granted at once: few end later, and who has room for more is asked again."""


def wanted(sequence: Sequence) -> int:
    """The tokens that `sequence` should be granted now, those that it holds included."""
    prompt, limit = len(sequence.laid_out.ids), sequence.command.sampling.max_tokens
    return min(prompt + limit, max(prompt, sequence.position) + MOST_AHEAD)


def decide(
    sequence: Sequence, running: Iterable[Sequence], footprint: Footprint, free: int, reclaimable: int
) -> Admission:
    """Decide about `sequence` beside those that were granted room already; `free` and `reclaimable` in bytes."""
    others = [other for other in running if other is not sequence]
    promised = sum(_growth(footprint, other, other.granted) for other in others)
    held = sum(row_bytes(footprint, other.position) for other in others if other.phase != "paused")
    need = _growth(footprint, sequence, wanted(sequence))
    return admit(need, max(0, free - promised), held + promised, reclaimable)


def _growth(footprint: Footprint, sequence: Sequence, tokens: int) -> int:
    """What it takes beyond what it holds to reach `tokens`, with its alternatives, whose caches start as copies."""
    now = row_bytes(footprint, sequence.position) if sequence.position else 0
    return max(0, sequence.rows * row_bytes(footprint, tokens) - now)
