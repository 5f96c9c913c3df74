"""The pace of the decode batch: how much other work fits between two of its steps. Pure: the caller reads the clock.

A turn of the loop lasts from the end of one turn to the end of the next: messages, a step, other work. An ordinary turn
has no other work. Other work is done in portions. At least one is done in each turn, so no sequence starves. The turn
ends after the portion with which it has taken MOST_TURNS ordinary turns: if no portion takes longer than half an
ordinary turn, rows wait at most two ordinary turns for their next token.
"""

from __future__ import annotations

import statistics
from collections import deque

MOST_TURNS = 1.5
"""The length of a turn, in ordinary turns, after which it gets no further portion."""

_REMEMBERED = 9
"""Ordinary turns of which the median counts: one slow turn changes nothing."""


class Pace:
    """The length of ordinary turns, and the time of the present turn. All times are seconds of one clock."""

    def __init__(self) -> None:
        self._ordinary: deque[float] = deque(maxlen=_REMEMBERED)
        self._began = 0.0
        self._last_was_ordinary = False

    @property
    def ordinary(self) -> float:
        """The length of an ordinary turn; 0.0 if none was measured yet."""
        return statistics.median(self._ordinary) if self._ordinary else 0.0

    @property
    def undisturbed(self) -> bool:
        """Whether the last turn was ordinary: nothing else was done since its step."""
        return self._last_was_ordinary

    def has_time(self, now: float) -> bool:
        """Whether another portion fits into the present turn."""
        return now - self._began < MOST_TURNS * self.ordinary

    def end_turn(self, now: float, *, ordinary: bool) -> None:
        """The present turn ends. `ordinary`: it was a step of the batch and nothing else."""
        if ordinary:
            self._ordinary.append(now - self._began)
        self._began, self._last_was_ordinary = now, ordinary
