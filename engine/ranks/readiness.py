"""All ranks are ready for the next step of their start, or the group ends with the reason of one that is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.ranks.follower import Follower
    from engine.ranks.lockstep import Leader


def agree(lockstep: Leader | Follower, step: str, problem: str) -> None:
    """Raises GroupLost if a rank is not ready. `problem` is why this rank is not: a sentence for people; else empty."""
    if problem:
        lockstep.report_failure(problem)
    if not lockstep.least(step, not problem):
        lockstep.give_up(problem or lockstep.failure() or f"another rank is not ready: {step}")
