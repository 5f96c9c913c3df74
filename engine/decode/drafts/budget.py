"""The budget of drafts: how many drafted tokens are worth a pass on this machine, by the measured times. Pure.

A pass over several tokens takes as long as a step of one token if memory bandwidth is the limit, and several times as
long on a slow processor. So drafts must earn what they cost.

Invariant: while drafts fail, all passes together take at most SHARE of the time of the ordinary steps, beside a fixed
number of steps after the load.
"""

from __future__ import annotations

from collections import deque
from statistics import median, median_low

LENGTHS = (2, 4, 8, 16)
"""Lengths of a draft. Each has its own measured time."""

SHARE = 0.01
"""Of the time of ordinary steps: what drafts may lose."""
FIRST_CREDIT = 8
MOST_CREDIT = 32
"""The credit after the load, and the most that is kept, in ordinary steps."""

_ENOUGH = 16
"""Ordinary steps whose median is trusted."""
_KEPT_STEPS = 32
_KEPT_PASSES = 5


class DraftBudget:
    """The measured times of one model, and the seconds that drafts may lose."""

    def __init__(self) -> None:
        self._steps: deque[float] = deque(maxlen=_KEPT_STEPS)
        self._passes: dict[int, deque[float]] = {}
        self._credit = 0.0

    def ordinary(self, seconds: float) -> None:
        """An ordinary step took `seconds`."""
        self._steps.append(seconds)
        if len(self._steps) < _ENOUGH:
            self._credit = FIRST_CREDIT * median(self._steps)
        self._earn(SHARE * seconds)

    def best_length(self, most: int) -> int:
        """The draft of at most `most` tokens that gains most if it is accepted. 0 if none is worth its time now: the
        credit must pay for a draft that is rejected.
        """
        if len(self._steps) < _ENOUGH:
            return 0
        step = median(self._steps)
        if not step:
            return 0
        costs = {length: self._cost(length, step) for length in LENGTHS if length <= most}
        affordable = [length for length, cost in costs.items() if cost - step <= self._credit]
        return max(affordable, key=lambda length: (length + 1) / costs[length], default=0)

    def drafted(self, length: int, emitted: int, seconds: float) -> None:
        """A step with a draft of `length` tokens emitted `emitted` in `seconds`. It gained or lost time against as many
        ordinary steps. `length` 0: a step that only waited for a draft, or the one after a draft.

        The first draft of each length does not count: the device may build kernels for it.
        """
        if length and length not in self._passes:
            self._passes[length] = deque(maxlen=_KEPT_PASSES)
            return
        if length:
            self._passes[length].append(seconds)
        self._earn(emitted * median(self._steps) - seconds)

    def _earn(self, seconds: float) -> None:
        self._credit = min(self._credit + seconds, MOST_CREDIT * median(self._steps))

    def _cost(self, length: int, step: float) -> float:
        """The seconds of a pass. A length that was hardly measured is expected to cost as much as the one before it."""
        measured = [times for other in LENGTHS if other <= length and len(times := self._passes.get(other, ())) > 1]
        return max(step, median_low(measured[-1])) if measured else step
