"""The budget of drafts: how many drafted tokens are worth a pass on this machine, by the measured times, and when two
rows that share steps get a group each (parting). Pure.

A pass over several tokens takes as long as a step of one token if memory bandwidth is the limit, and several times as
long on a slow processor. So drafts must earn what they cost.

Invariants:
- While drafts fail, all passes together take at most SHARE of the time of the ordinary steps, beside a fixed number of
  steps after the load, the first pass of each length, for which the device may build kernels, and the first pass of
  each shape, which some devices prepare.
- There is one exception: a pass that takes far longer than those before it. The debt ends at LEAST_CREDIT.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from statistics import median, median_low
from typing import Any

LENGTHS = (4, 8, 16)
"""Lengths of a draft, each twice the one before. Each has its own measured time. On an H200 a pass over any of them
takes 1.4 to 1.5 steps that are waited for, and 1.8 pipelined ones. So a draft of one or two tokens would gain little.
"""

DEPTHS = (1, 2, 3)
"""Lengths of a draft by the model's head, whose tokens are guesses: each is less often right than the one before."""

SHARE = 0.01
"""Of the time of ordinary steps: what drafts may lose."""
FIRST_CREDIT = 8
RETRY_CREDIT = 8
MOST_CREDIT = 32
"""In ordinary steps: the credit after the load, the most credit, and what must remain after a pass that could only lose
by its last measured times. Such a pass is tried because times change, but rarely.
"""
LEAST_CREDIT = -4
"""The most debt. SHARE repays it in 400 steps, about an answer. More would not save time: a pass that is always slow
must earn its cost before the next one, and one that was slow once, as the machine slept, says nothing about the next.
"""

_ENOUGH, _NEWEST = 8, 4
"""Ordinary steps that are measured before the first draft, and how many of the newest count: their median."""

STALE = 64
"""Drafts after which _NEWEST ordinary steps are measured again: a machine gets faster and slower, and a stale time of a
step would let drafts go on that lose.
"""

_ENOUGH_PASSES = 2
"""One slow pass is no measure."""
_KEPT_PASSES = 5


_FIRST_RATE = 0.75
_RATE_SHARE = 1 / 32
"""How much of a rate the last draft decides."""


class Acceptance:
    """How often the tokens of a draft are right, by their place: a moving mean of those whose place was reached."""

    def __init__(self) -> None:
        self._rates = [_FIRST_RATE] * len(DEPTHS)

    def learn(self, drafted: int, accepted: int) -> None:
        """Of a draft of `drafted` tokens, the first `accepted` were right."""
        for place in range(min(accepted + 1, drafted)):
            self._rates[place] += _RATE_SHARE * ((place < accepted) - self._rates[place])

    def expected(self, length: int) -> float:
        """The tokens that a pass over a draft of this length emits, on average."""
        return 1 + sum(prod(self._rates[:place]) for place in range(1, length + 1))


class DraftBudget:
    """The measured times of one model, and the credit of its drafts, in ordinary steps of `rows` rows. They have one of
    `lengths`. `acceptance`: how often their tokens are right. None: they copy a text, and are accepted whole as a rule.
    """

    def __init__(self, rows: int = 1, lengths: tuple[int, ...] = LENGTHS, acceptance: Acceptance | None = None) -> None:
        self._rows = rows
        self._lengths = lengths
        self._acceptance = acceptance
        self._steps: deque[float] = deque(maxlen=_ENOUGH)
        self._passes: dict[int, deque[float]] = {}
        self._credit: float = FIRST_CREDIT
        self._drafts = 0
        self._owed = 0
        """Ordinary steps to measure before the next draft."""

    def ordinary(self, seconds: float) -> None:
        """An ordinary step took `seconds`."""
        self._steps.append(seconds)
        self._owed = max(0, self._owed - 1)
        self._earn(SHARE)

    def best_length(self, most: int) -> int:
        """The draft of at most `most` tokens that gains most. 0 if the credit does not pay for it if it is rejected. If
        no length can gain, one is tried again when the credit has grown.
        """
        return 0 if self._owed else self._best(most)

    @property
    def is_hopeful(self) -> bool:
        """Whether the measured times let a draft gain. True before anything is measured."""
        return not self._step or bool(self._best(max(self._lengths)))

    def _best(self, most: int) -> int:
        costs = self._costs(most) if self._step else {}
        if not costs:
            return 0
        best = max(costs, key=lambda length: self._gain(length) / costs[length])
        reserve = 0 if costs[best] < self._gain(best) else RETRY_CREDIT
        return best if costs[best] - 1 + reserve <= self._credit else 0

    def drafted(self, length: int, emitted: float, seconds: float) -> None:
        """A step took `seconds`, with a draft of `length` tokens. It emitted `emitted` tokens of each row, on average;
        the difference to the time of as many ordinary steps is gained or lost.

        `length` is 0 if no draft was fed but drafts made the step slower: it or the step before waited for its token,
        or parted rows took a pass each. The first draft of each length does not count, because the device may build
        kernels for it.
        """
        if length and length not in self._passes:
            self._passes[length] = deque(maxlen=_KEPT_PASSES)
            return
        if length:
            self._passes[length].append(seconds)
            self._drafts += 1
            self._owed = self._owed if self._drafts % STALE else _NEWEST
        if self._step:
            self._earn(emitted - seconds / self._step)

    @property
    def _step(self) -> float:
        """The time of an ordinary step. 0.0 if it is not known yet, or too short for the clock."""
        return median(list(self._steps)[-_NEWEST:]) if len(self._steps) >= _ENOUGH else 0.0

    def _gain(self, length: int) -> float:
        """The tokens of each row, on average, with a draft of this length for one row."""
        if self._acceptance:
            return self._acceptance.expected(length)
        return (length + self._rows) / self._rows

    def _earn(self, steps: float) -> None:
        self._credit = max(LEAST_CREDIT, min(self._credit + steps, MOST_CREDIT))

    def _costs(self, most: int) -> dict[int, float]:
        """The cost of a pass over each length, in steps, and the least cost of one length that was not measured yet."""
        costs: dict[int, float] = {}
        for length in (length for length in self._lengths if length <= most):
            times = self._passes.get(length, ())
            if len(times) < _ENOUGH_PASSES:
                return costs | {length: _least_cost(list(costs.values()))}
            costs[length] = max(1.0, median_low(times) / self._step)
        return costs


def _least_cost(shorter: list[float]) -> float:
    """The least cost of a length, from those of the shorter ones. Two of them tell what each further token costs. One
    does not: any part of its cost may be the wait for the pass.
    """
    if len(shorter) < 2:  # noqa: PLR2004 # two points make a line
        return shorter[0] if shorter else 1.0
    return max(shorter[-1], 3 * shorter[-1] - 2 * shorter[-2])


@dataclass(frozen=True, slots=True)
class MeasuredStep:
    """A step of `rows` rows, which emitted so many tokens of each row, on average.

    `plain`: the rows shared it as they do without drafts, and it waited for no pending token. `drafted` is the length
    of its longest draft. `by_head`: the model's head made that.
    """

    rows: int
    plain: bool = True
    drafted: int = 0
    emitted: float = 1
    by_head: bool = False


class StepClock:
    """Which budget each measured step counts for, and as what: the last two steps, the budgets by the number of rows,
    and that of the model's head, which drafts for a row alone.

    A GPU computes the pending token while the caller does other work. Then a step seems shorter than it is. Only a pass
    over a draft is measured rightly even then, because its tokens are waited for.
    """

    def __init__(self, budgets: Mapping[int, DraftBudget], head: DraftBudget) -> None:
        self._budgets = budgets
        self._head = head
        self._step: MeasuredStep | None = None
        self._before: MeasuredStep | None = None

    def note(self, step: MeasuredStep | None) -> None:
        """A step took place. None: one whose time says nothing about drafts."""
        self._before, self._step = self._step, step

    def took(self, seconds: float, *, undisturbed: bool) -> None:
        """The last step took `seconds`. `undisturbed`: no other work was done between the step before and this one.

        A step without a draft counts only if it was undisturbed and the step before was measured too.
        """
        step, before = self._step, self._before
        if step and step.drafted:
            budget = self._head if step.by_head else self._budgets[step.rows]
            budget.drafted(step.drafted, step.emitted, seconds)
        elif step and before and undisturbed and step.rows == before.rows:
            self._measure(step, before, seconds)
        if not undisturbed:
            self._step = None

    def _measure(self, step: MeasuredStep, before: MeasuredStep, seconds: float) -> None:
        """A step without a draft took `seconds`, after the one `before`."""
        if not (step.plain and before.plain):
            budget = self._head if before.by_head else self._budgets[step.rows]
            budget.drafted(0, 1, seconds)
            return
        self._budgets[step.rows].ordinary(seconds)
        if step.rows == 1:
            self._head.ordinary(seconds)


MOST_ROWS = 2
"""Rows that may use drafts. Each takes its passes alone, so more rows would lose more than drafts gain."""

PART_MATCHED = 8
"""Tokens of a run that is worth parting two rows: a shorter one often ends before it has paid for the copies."""
APART_STEPS = 8
"""Steps of a row without a draft after which parted rows are united. A changed word takes fewer."""


class Parting:
    """Which rows are parted now.

    A shared step costs less than two steps of one row, so rows are parted only if both repeat a long run. They are
    united when one of them no longer uses drafts.
    """

    def __init__(self) -> None:
        self._idle: dict[Any, int] = {}
        """The parted rows. Each has its number of steps since its last draft."""

    def __bool__(self) -> bool:
        return bool(self._idle)

    def part(self, matched: Mapping[Any, int]) -> bool:
        """Whether to part rows that share steps. `matched` has, for each that is due for a draft, how many of its last
        tokens repeat an earlier run.
        """
        if len(matched) < MOST_ROWS or min(matched.values()) < PART_MATCHED:
            return False
        self._idle = dict.fromkeys(matched, 0)
        return True

    def unite(self, groups: Iterable[Sequence[Any]]) -> bool:
        """Whether the rows should share steps again. `groups` are the rows of the batch; if others have joined the
        parted ones, these stay as they are.
        """
        long_idle = max(self._idle.values(), default=0) >= APART_STEPS
        if not long_idle or [*map(list, groups)] != [[row] for row in self._idle]:
            return False
        self.end()
        return True

    def stepped(self, drafting: Collection[Any]) -> None:
        """The rows have taken a step, those in `drafting` with a draft."""
        self._idle = {row: 0 if row in drafting else idle + 1 for row, idle in self._idle.items()}

    def keep(self, rows: Collection[Any]) -> None:
        """Only `rows` are left in the batch. A parted row without the other is a row alone."""
        if any(row not in rows for row in self._idle):
            self.end()

    def end(self) -> None:
        """The rows are no longer parted."""
        self._idle = {}
