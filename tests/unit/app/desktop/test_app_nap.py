"""App Nap on a Mac."""

from __future__ import annotations

import pytest

from app.desktop.objective_c import AppNap, ObjectiveC, due
from tests.fakes.objective_c import FakeObjectiveC


@pytest.mark.parametrize(
    ("held", "busy", "wanted"), [(False, False, ""), (False, True, "begin"), (True, True, ""), (True, False, "end")]
)
def test_an_activity_is_held_exactly_while_answers_are_written(held: bool, busy: bool, wanted: str) -> None:  # noqa: FBT001 - as the table says
    """Nothing is begun twice or ended twice."""
    assert due(held=held, busy=busy) == wanted


def test_the_system_is_told_once_at_the_beginning_and_once_at_the_end() -> None:
    """The activity is retained meanwhile. The computer may still sleep."""
    mac = FakeObjectiveC()
    nap = AppNap(mac.runtime)
    for busy in (False, True, True, False, False):
        nap.follow(busy=busy)
    process = "NSProcessInfo.processInfo"
    activity = f"{process}.beginActivityWithOptions:reason:"
    told = [(receiver, selector) for receiver, selector, _ in mac.sent if selector != "processInfo"]
    assert told == [
        (process, "beginActivityWithOptions:reason:"),
        (activity, "retain"),
        (process, "endActivity:"),
        (f"{activity}.retain", "release"),
    ]
    assert mac.sent[1][2] == ("0xefffff", "Answers are being written")


def test_elsewhere_nothing_happens() -> None:
    """Linux has no such runtime, and needs none."""
    assert ObjectiveC.find() is None
    AppNap(None).follow(busy=True)
