"""Drafts never cost more than their share of the time, and are taken if they gain. Each measured step counts at most
once. Rows are parted for long runs alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from unittest.mock import call, create_autospec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decode.drafts.budget import (
    APART_STEPS,
    FIRST_CREDIT,
    LENGTHS,
    MOST_CREDIT,
    PART_MATCHED,
    SHARE,
    STALE,
    DraftBudget,
    MeasuredStep,
    Parting,
    StepClock,
)


def ready(step: float = 1.0, rows: int = 1) -> DraftBudget:
    """A budget that knows how long an ordinary step takes."""
    budget = DraftBudget(rows)
    for _ in range(16):
        budget.ordinary(step)
    return budget


def explored(cost: Callable[[int], float], drafts: int = 40) -> DraftBudget:
    """A budget that saw drafts of the lengths it chose, all accepted. A pass over a length costs so many steps."""
    budget = ready()
    for _ in range(drafts):
        if length := budget.best_length(16):
            budget.drafted(length, length + 1, cost(length))
    return budget


def test_nothing_is_drafted_before_a_step_was_measured() -> None:
    """Without the time of a step, a draft cannot be judged; nor with times of zero, whatever drafts have taken."""
    assert ready().best_length(16)
    for budget in (DraftBudget(), ready(0.0)):
        assert not budget.best_length(16)
        for _ in range(3):
            budget.drafted(2, 1, 1.0)
            budget.drafted(0, 1, 0.0)
        assert not budget.best_length(16)


def test_lengths_are_tried_from_the_shortest_on() -> None:
    """A device that is slow with several tokens shows it at the shortest draft."""
    assert [explored(lambda _: 1.1, drafts).best_length(16) for drafts in (0, 3, 6)] == [4, 8, 16]
    assert explored(lambda length: 1.0 + 4.0 * length, 3).best_length(16) == 0


@pytest.mark.parametrize("rows", [1, 2])
def test_a_pass_that_costs_three_steps_whatever_its_length_gains_if_it_is_long(rows: int) -> None:
    """A fast GPU computes ahead only in ordinary steps. Four tokens gain little there, sixteen much."""
    budget = ready(rows=rows)
    for _ in range(10):
        if length := budget.best_length(16):
            budget.drafted(length, (length + rows) / rows, 3.0)
    assert budget.best_length(16) == 16


def test_the_time_of_a_longer_draft_is_foreseen() -> None:
    """As each further token costs, from the two lengths before: a pass that the credit cannot pay is not tried."""
    budget = ready()
    for length in (4, 4, 4, 8, 8, 8):
        budget.drafted(length, length + 1, 1.0 + 0.5 * length)
    budget._credit = 7.9
    assert budget.best_length(16) == 0
    budget._credit = 8.0
    assert budget.best_length(16) == 16


def test_a_draft_of_one_of_two_rows_must_earn_the_time_of_both() -> None:
    """A pass over four tokens that takes four steps of one row gains; beside another row, it does not."""
    for rows, best in ((1, 4), (2, 0)):
        budget = ready(rows=rows)
        for _ in range(3):
            budget.drafted(4, (4 + rows) / rows, 4.0)
        for _ in range(3000):
            budget.ordinary(1.0)
        budget._credit = 7.0
        assert budget.best_length(4) == best


def test_no_draft_is_longer_than_asked() -> None:
    """The longest length within the limit, if it costs no more."""
    budget = explored(lambda _: 1.1)
    assert [budget.best_length(most) for most in (0, 3, 4, 7, 8, 40)] == [0, 0, 4, 4, 8, 16]


def test_a_length_at_which_the_device_is_slow_is_avoided() -> None:
    """A pass of 17 tokens that costs ten steps loses against one of 9 that costs two."""
    assert explored({4: 1.5, 8: 2.0, 16: 10.0}.__getitem__).best_length(16) == 8


def test_a_device_that_was_slow_is_tried_again() -> None:
    """If no draft can gain, the credit must grow far before the next one. Then new times count."""
    budget = explored(lambda length: 2.0 * length)
    assert not budget.best_length(16)
    waited = 0
    while not budget.best_length(16):
        budget.ordinary(1.0)
        waited += 1
    assert 300 < waited < 3000


@given(st.floats(1.0, 30.0), st.floats(0.0, 3.0), st.integers(0, 1 << 30))
def test_failing_drafts_cost_a_hundredth_of_the_time(pass_steps: float, a_token: float, seed: int) -> None:
    """Whatever a pass costs: if no draft is ever right, all steps take 1.01 times the ordinary ones, beside the
    credit after the load, the first pass of each length and one more.
    """
    budget, chance = DraftBudget(), random.Random(seed)  # noqa: S311 # a play of times, no secret
    taken, tokens = 0.0, 3000
    for _ in range(tokens):
        length = budget.best_length(chance.choice(LENGTHS)) if chance.random() < 0.5 else 0
        seconds = pass_steps + length * a_token if length else chance.uniform(0.9, 1.1)
        if length:
            budget.drafted(length, 1, seconds)
        else:
            budget.ordinary(seconds)
        taken += seconds
    unmeasured = 3 * sum(pass_steps + length * a_token for length in LENGTHS)
    assert taken <= (1 + SHARE) * 1.05 * tokens + FIRST_CREDIT + unmeasured


def test_gains_do_not_pay_for_long_losses() -> None:
    """After drafts that were accepted, failing ones lose a limited time."""
    budget = explored(lambda _: 2.0, 30)
    lost = 0
    while (length := budget.best_length(16)) and lost < 1000:
        budget.drafted(length, 1, 2.0)
        lost += 1
    assert 0 < lost <= MOST_CREDIT + 1


def test_a_step_is_measured_again_while_drafts_gain() -> None:
    """Steps took twice as long when they were measured, so a pass that loses seems to gain. It is found out."""
    budget, lost = ready(2.0), 0.0
    for _ in range(2000):
        if budget.best_length(4):
            budget.drafted(4, 2, 2.5)
            lost += 0.5
        else:
            budget.ordinary(1.0)
    assert lost < 2000 * SHARE + MOST_CREDIT + STALE * 0.5


def test_measuring_a_step_again_costs_a_hundredth() -> None:
    """Of an answer whose drafts gain."""
    budget, drafts, steps = ready(), 0, 0
    for _ in range(3000):
        if budget.best_length(4):
            budget.drafted(4, 3, 2.0)
            drafts += 1
        else:
            budget.ordinary(1.0)
            steps += 1
    ideal = (3 * drafts + steps) / 3 * 2.0
    assert 2.0 * drafts + steps < 1.015 * ideal


def test_a_wrong_measure_is_repaid_in_an_answer() -> None:
    """If steps seemed to take no time, or a machine slept during a pass, drafts are tried again soon."""
    budget, waited = ready(0.01), 0
    for _ in range(2):
        budget.drafted(4, 1, 1.0)
    while not budget.best_length(4):
        budget.ordinary(1.0)
        waited += 1
    assert waited < 1000


def test_one_slow_pass_does_not_end_drafting() -> None:
    """The first pass of a length, and a single outlier, are no measure of the next."""
    times = iter((300.0, 1.5, 4.0))
    budget = explored(lambda _: next(times), 3)
    assert budget.best_length(4) == 4


PLAIN, WAITING, DRAFT = (
    MeasuredStep(1),
    MeasuredStep(1, plain=False),
    MeasuredStep(1, plain=False, drafted=4, emitted=5),
)
BY_HEAD = MeasuredStep(1, plain=False, drafted=2, emitted=3, by_head=True)


def counted(*steps: MeasuredStep | None, undisturbed: bool = True, rows: int = 1) -> list[Any]:
    """What counts for the budget of so many rows (0: for the head's). The steps take 1.0, 2.0, 3.0... The last may be
    disturbed.
    """
    budgets = {count: create_autospec(DraftBudget, instance=True) for count in (0, 1, 2)}
    clock = StepClock(budgets, budgets[0])
    for seconds, step in enumerate(steps, 1):
        clock.note(step)
        clock.took(float(seconds), undisturbed=undisturbed or seconds < len(steps))
    return list(budgets[rows].method_calls)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([PLAIN], []),
        ([PLAIN, PLAIN], [call.ordinary(2.0)]),
        ([PLAIN, WAITING], [call.drafted(0, 1, 2.0)]),
        ([WAITING, PLAIN], [call.drafted(0, 1, 2.0)]),
        ([DRAFT], [call.drafted(4, 5, 1.0)]),
        ([DRAFT, PLAIN], [call.drafted(4, 5, 1.0), call.drafted(0, 1, 2.0)]),
        ([PLAIN, None, PLAIN], []),
        ([MeasuredStep(2), PLAIN], []),
    ],
)
def test_a_step_counts_as_what_it_was(steps: list[MeasuredStep | None], expected: list[Any]) -> None:
    """A step that waited for its token, or after one that did, is no ordinary one: drafts pay for it. The first step,
    and the first after other rows, are not measured.
    """
    assert counted(*steps) == expected


def test_the_head_pays_for_its_own_drafts_alone() -> None:
    """An ordinary step of a row alone is one for the head, too. The step after a draft counts for what drafted."""
    assert counted(PLAIN, PLAIN, rows=0) == [call.ordinary(2.0)]
    assert counted(MeasuredStep(2), MeasuredStep(2), rows=0) == []
    assert counted(BY_HEAD, PLAIN, rows=0) == [call.drafted(2, 3, 1.0), call.drafted(0, 1, 2.0)]
    assert counted(BY_HEAD, PLAIN) == []
    assert counted(DRAFT, PLAIN, rows=0) == []


def test_steps_beside_other_work_count_only_with_a_draft() -> None:
    """The device has computed the pending token meanwhile. The step after them seems short as well."""
    assert counted(PLAIN, PLAIN, undisturbed=False) == []
    assert counted(PLAIN, DRAFT, undisturbed=False) == [call.drafted(4, 5, 2.0)]
    budgets = {1: create_autospec(DraftBudget, instance=True)}
    clock = StepClock(budgets, DraftBudget())
    for undisturbed in (True, False, True, True):
        clock.note(PLAIN)
        clock.took(1.0, undisturbed=undisturbed)
    assert len(budgets[1].method_calls) == 1


def test_each_number_of_rows_has_its_budget() -> None:
    """A step of two rows costs something else than one of a single row."""
    assert counted(MeasuredStep(2), MeasuredStep(2), rows=2) == [call.ordinary(2.0)]
    assert counted(MeasuredStep(2), MeasuredStep(2), rows=1) == []


APART = [["a"], ["b"]]


def parted() -> Parting:
    parting = Parting()
    assert parting.part({"a": PART_MATCHED, "b": PART_MATCHED})
    return parting


@pytest.mark.parametrize(
    "matched", [{}, {"a": 60}, {"a": 60, "b": PART_MATCHED - 1}], ids=["none due", "one due", "a short run"]
)
def test_both_rows_must_repeat_a_long_run(matched: dict[str, int]) -> None:
    """A single long run would delay the other row; a short one ends before it has paid for the copies."""
    parting = Parting()
    assert not parting.part(matched)
    assert not parting


def test_rows_are_united_when_one_has_not_drafted_for_some_steps() -> None:
    """Not before, and only once. A draft begins the count of its row anew."""
    parting = parted()
    for drafting in ["ab"] + ["a"] * (APART_STEPS - 1) + ["b"] + ["a"] * (APART_STEPS - 1):
        parting.stepped(drafting)
        assert not parting.unite(APART)
    parting.stepped("a")
    assert parting
    assert parting.unite(APART)
    assert not parting
    assert not parting.unite(APART)


@pytest.mark.parametrize("groups", [[["a", "b"]], [["a"]], [["a"], ["b"], ["c"]], []])
def test_other_groups_stay_as_they_are(groups: list[list[str]]) -> None:
    """The batch has changed since the rows were parted: there is nothing to undo."""
    parting = parted()
    for _ in range(APART_STEPS):
        parting.stepped("")
    assert not parting.unite(groups)


def test_parting_ends_when_a_row_leaves_or_others_decode_too() -> None:
    """If one of the two has left, the other takes ordinary steps. More rows than two do not draft."""
    parting = parted()
    parting.keep("abc")
    assert parting
    parting.keep("b")
    assert not parting
    parting = parted()
    parting.end()
    assert not parting
