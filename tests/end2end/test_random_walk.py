"""A user who does anything at all, for some hundred steps. `make soak` walks 10,000."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from msgspec.structs import fields
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.base import program
from tests.fakes.pacing_engine import pacing_engine
from tests.walk.house import House
from tests.walk.ledger import Ledger
from tests.walk.machine import Walk
from tests.walk.values import KINDS, MADE, REPORTS, VALUES, options_of


def test_a_short_walk(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """It loses no word, and leaves no warning, thread or timer."""
    monkeypatch.setattr(program, "engine", pacing_engine)
    short = settings(
        max_examples=2,
        stateful_step_count=40,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Walk, settings=short)
    assert Walk.steps.total() > 60
    assert qapp.activeModalWidget() is None


def test_what_was_there_before_is_no_leftover_of_a_walk(qapp: QApplication) -> None:
    """A window that another test left in this process has timers, too."""
    before, after = QTimer(qapp, interval=60_000), QTimer(qapp, interval=70_000)
    before.start()
    house = House(Ledger(), Counter())
    after.start()
    assert [told.endswith("70000 ms") for told in house.new_timers()] == [True]
    for timer in (before, after):
        timer.stop()


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_every_intent_is_walked(kind: type) -> None:
    """A new intent is walked without an edit if its fields have known names or types. Else it needs values."""
    for field in fields(kind):
        assert callable(options_of(kind, field.name))


def test_no_intent_is_left_out() -> None:
    """Those that are not made up are the window's own reports, and no value is for a field that is gone."""
    assert set(KINDS) == {*MADE, *REPORTS}
    names = {field.name for kind in MADE for field in fields(kind)}
    named = {f"{kind.__name__}.{field.name}" for kind in MADE for field in fields(kind)}
    assert set(VALUES) <= names | named
