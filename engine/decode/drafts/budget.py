"""The budget of drafts: how many drafted tokens are worth a pass on this machine, by the measured times. Pure.

A pass over several tokens takes as long as a step of one token if memory bandwidth is the limit, and several times as
long on a slow processor. So drafts must earn what they cost.

Invariant: while drafts fail, all passes together take at most SHARE of the time of the ordinary steps, beside a fixed
number of steps after the load. A pass that takes far longer than those before it may exceed that: the debt ends at
LEAST_CREDIT. Nor are passes charged whose shape the device prepares: each shape is prepared once.
"""

from __future__ import annotations

from collections import deque
from statistics import median, median_low

LENGTHS = (4, 8, 16)
"""Lengths of a draft, each twice the one before. Each has its own measured time. On a fast GPU a pass that is waited
for takes about three steps, whatever its length, so a shorter draft would never gain there.
"""

SHARE = 0.01
"""Of the time of ordinary steps: what drafts may lose."""
FIRST_CREDIT = 8
RETRY_CREDIT = 8
MOST_CREDIT = 32
"""The credit after the load, the credit beyond the cost of a pass that cannot gain by its last measured times, and the
most that is kept: all in ordinary steps.
"""
LEAST_CREDIT = -4
"""The most debt. SHARE repays it in 400 steps, about an answer. More would not save time: a pass that is always slow
must earn its cost before the next one, and one that was slow once, as the machine slept, says nothing about the next.
"""

_ENOUGH = 16
"""Ordinary steps whose median is trusted."""
_KEPT_STEPS = 32

_ENOUGH_PASSES = 2
"""One slow pass is no measure."""
_KEPT_PASSES = 5


class DraftBudget:
    """The measured times of one model, and the credit of its drafts, in ordinary steps of `rows` rows."""

    def __init__(self, rows: int = 1) -> None:
        self._rows = rows
        self._steps: deque[float] = deque(maxlen=_KEPT_STEPS)
        self._passes: dict[int, deque[float]] = {}
        self._credit: float = FIRST_CREDIT

    def ordinary(self, seconds: float) -> None:
        """An ordinary step took `seconds`."""
        self._steps.append(seconds)
        self._earn(SHARE)

    def best_length(self, most: int) -> int:
        """The draft of at most `most` tokens that gains most if it is accepted. 0 if none is worth its time now: the
        credit must pay for a draft that is rejected. If none can gain, one is tried again when the credit has grown.
        """
        costs = self._costs(most) if self._step else {}
        if not costs:
            return 0
        best = max(costs, key=lambda length: self._gain(length) / costs[length])
        reserve = 0 if costs[best] < self._gain(best) else RETRY_CREDIT
        return best if costs[best] - 1 + reserve <= self._credit else 0

    def drafted(self, length: int, emitted: float, seconds: float) -> None:
        """A step with a draft of `length` tokens emitted `emitted` of each row, on average, in `seconds`. It gained or
        lost time against as many ordinary steps. `length` is 0 if no draft was fed but the step could not be pipelined,
        because it or the step before waited for its token, or if its rows took their passes alone.

        The first draft of each length does not count: the device may build kernels for it.
        """
        if length and length not in self._passes:
            self._passes[length] = deque(maxlen=_KEPT_PASSES)
            return
        if length:
            self._passes[length].append(seconds)
        if self._step:
            self._earn(emitted - seconds / self._step)

    @property
    def _step(self) -> float:
        """The time of an ordinary step. 0.0 if it is not known yet, or too short for the clock."""
        return median(self._steps) if len(self._steps) >= _ENOUGH else 0.0

    def _gain(self, length: int) -> float:
        """The tokens of each row, on average, if one row's draft of this length is accepted."""
        return (length + self._rows) / self._rows

    def _earn(self, steps: float) -> None:
        self._credit = max(LEAST_CREDIT, min(self._credit + steps, MOST_CREDIT))

    def _costs(self, most: int) -> dict[int, float]:
        """The cost of a pass over each length, in steps, and the least cost of one length that was not measured yet."""
        costs: dict[int, float] = {}
        for length in (length for length in LENGTHS if length <= most):
            times = self._passes.get(length, ())
            if len(times) < _ENOUGH_PASSES:
                return costs | {length: _least_cost(list(costs.values()))}
            costs[length] = max(1.0, median_low(times) / self._step)
        return costs


def _least_cost(shorter: list[float]) -> float:
    """The cost of a length, from those of the shorter ones. After two of them, each further token costs as much as the
    tokens between these. One alone does not tell what a token costs and what the wait for a pass.
    """
    if len(shorter) < 2:  # noqa: PLR2004 # two points make a line
        return shorter[0] if shorter else 1.0
    return max(shorter[-1], 3 * shorter[-1] - 2 * shorter[-2])
