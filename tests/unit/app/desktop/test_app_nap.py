"""App Nap on a Mac."""

from __future__ import annotations

from app.desktop.objective_c import AppNap, ObjectiveC
from tests.fakes.objective_c import FakeObjectiveC


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
