"""Each measured step counts once, for the budget of its rows, as what it was; or it does not count."""

from __future__ import annotations

import pytest

from engine.decode.drafts.budget import DraftBudget, Step, StepClock

Call = tuple[object, ...]

PLAIN, WAITING, DRAFT = Step(1), Step(1, plain=False), Step(1, plain=False, drafted=4, emitted=5)


class Recorded(DraftBudget):
    """A budget that records what counts for it."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Call] = []

    def ordinary(self, seconds: float) -> None:
        self.calls.append(("ordinary", seconds))

    def drafted(self, length: int, emitted: float, seconds: float) -> None:
        self.calls.append(("drafted", length, emitted, seconds))

    def prepared(self, length: int, emitted: float, seconds: float) -> None:
        self.calls.append(("prepared", length, emitted, seconds))


def counted(*steps: Step | None, undisturbed: bool = True, rows: int = 1) -> list[Call]:
    """What counts for the budget of so many rows. The steps take 1.0, 2.0, 3.0... The last may be disturbed."""
    budgets = {1: Recorded(), 2: Recorded()}
    clock = StepClock(budgets)
    for seconds, step in enumerate(steps, 1):
        clock.note(step)
        clock.took(float(seconds), undisturbed=undisturbed or seconds < len(steps))
    return budgets[rows].calls


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([PLAIN], []),
        ([PLAIN, PLAIN], [("ordinary", 2.0)]),
        ([PLAIN, WAITING], [("drafted", 0, 1, 2.0)]),
        ([WAITING, PLAIN], [("drafted", 0, 1, 2.0)]),
        ([DRAFT], [("drafted", 4, 5, 1.0)]),
        ([DRAFT, PLAIN], [("drafted", 4, 5, 1.0), ("drafted", 0, 1, 2.0)]),
        ([PLAIN, None, PLAIN], []),
        ([Step(2), PLAIN], []),
    ],
)
def test_a_step_counts_as_what_it_was(steps: list[Step | None], expected: list[Call]) -> None:
    """A step that waited for its token, or after one that did, is no ordinary one: drafts pay for it. The first step,
    and the first after other rows, are not measured.
    """
    assert counted(*steps) == expected


def test_preparing_a_shape_is_charged() -> None:
    """However long it takes, and whatever was done before. The next step did not wait for it."""
    step = Step(1, plain=False, drafted=8, emitted=2, prepared=True)
    assert counted(step, undisturbed=False) == [("prepared", 8, 2, 1.0)]
    assert counted(step, PLAIN) == [("prepared", 8, 2, 1.0), ("drafted", 0, 1, 2.0)]


def test_steps_beside_other_work_count_only_with_a_draft() -> None:
    """The device has computed the pending token meanwhile. The step after them seems short as well."""
    assert counted(PLAIN, PLAIN, undisturbed=False) == []
    assert counted(PLAIN, DRAFT, undisturbed=False) == [("drafted", 4, 5, 2.0)]
    budgets = {1: Recorded()}
    clock = StepClock(budgets)
    for undisturbed in (True, False, True, True):
        clock.note(PLAIN)
        clock.took(1.0, undisturbed=undisturbed)
    assert len(budgets[1].calls) == 1


def test_each_number_of_rows_has_its_budget() -> None:
    """A step of two rows costs something else than one of a single row."""
    assert counted(Step(2), Step(2), rows=2) == [("ordinary", 2.0)]
    assert counted(Step(2), Step(2), rows=1) == []
