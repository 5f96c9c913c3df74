"""The step clock: which budget each measured step counts for, and as what. Pure: the caller measures the time.

A GPU computes the pending token while the caller does other work. Then a step seems shorter than it is. Only a pass
over a draft is measured rightly even then, because its tokens are waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.decode.drafts.budget import DraftBudget


@dataclass(frozen=True, slots=True)
class Step:
    """A step of `rows` rows, which emitted so many tokens of each row, on average.

    `plain`: the rows shared it as they do without drafts, and it waited for no pending token. `drafted` is the length
    of its longest draft. `prepared`: the device prepared the shape of a pass.
    """

    rows: int
    plain: bool = True
    drafted: int = 0
    emitted: float = 1
    prepared: bool = False


class StepClock:
    """The last two steps, and the budgets by the number of rows."""

    def __init__(self, budgets: Mapping[int, DraftBudget]) -> None:
        self._budgets = budgets
        self._step: Step | None = None
        self._before: Step | None = None

    def note(self, step: Step | None) -> None:
        """A step took place. None: one whose time says nothing about drafts."""
        self._before, self._step = self._step, step

    def took(self, seconds: float, *, undisturbed: bool) -> None:
        """The last step took `seconds`. `undisturbed`: no other work was done between the step before and this one.

        A step without a draft counts only if it was undisturbed and the step before was measured too.
        """
        step, before = self._step, self._before
        if step and step.drafted:
            budget = self._budgets[step.rows]
            (budget.prepared if step.prepared else budget.drafted)(step.drafted, step.emitted, seconds)
        elif step and before and undisturbed and step.rows == before.rows:
            self._measure(step.rows, seconds, plain=step.plain and before.plain)
        if not undisturbed:
            self._step = None

    def _measure(self, rows: int, seconds: float, *, plain: bool) -> None:
        """A step without a draft took `seconds`. `plain`: so were it and the one before."""
        if plain:
            self._budgets[rows].ordinary(seconds)
        else:
            self._budgets[rows].drafted(0, 1, seconds)
