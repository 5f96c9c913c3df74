"""Lets the ranks agree, before a step of their start, that all of them are ready. If one is not, the group ends with
its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.ranks.follower import Follower
    from engine.ranks.lockstep import Leader


def agree(lockstep: Leader | Follower, step: str, problem: str) -> None:
    """Return once all ranks are ready for this step. Raises GroupLost if one is not. `problem` says to people why this
    rank is not ready; empty if it is.
    """
    if problem:
        lockstep.report_failure(problem)
    if not lockstep.least(step, not problem):
        lockstep.give_up(problem or lockstep.failure() or f"another rank is not ready: {step}")
