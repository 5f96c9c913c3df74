"""Admission: whether a sequence may be started, as far as memory goes. Owns what running rows were promised. Pure.

A row grows while it writes, so what it may still take counts as taken; how much is free is measured by the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.memory import Admission, admit, row_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.memory import Footprint
    from engine.sequence import Sequence


def decide(
    sequence: Sequence, running: Iterable[Sequence], footprint: Footprint, free: int, reclaimable: int
) -> Admission:
    """Decide about `sequence` beside those that were admitted already; `free` and `reclaimable` in bytes."""
    others = list(running)
    promised = sum(_growth(footprint, other) for other in others)
    held = sum(row_bytes(footprint, other.position) for other in others if other.phase != "paused")
    return admit(_growth(footprint, sequence), max(0, free - promised), held + promised, reclaimable)


def _growth(footprint: Footprint, sequence: Sequence) -> int:
    """What it may still take, with its alternatives: their caches are copies from the end of its prompt on."""
    now = row_bytes(footprint, sequence.position) if sequence.position else 0
    longest = len(sequence.laid_out.ids) + sequence.command.sampling.max_tokens
    return sequence.rows * row_bytes(footprint, longest) - now
