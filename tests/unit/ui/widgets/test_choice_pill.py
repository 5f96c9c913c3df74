"""A pill with a menu of choices."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.base.model_names import DEMO_DETAIL
from ui.widgets.choice_pill import ChoicePill


@pytest.fixture
def pill(qtbot: QtBot) -> ChoicePill:
    made = ChoicePill("", "Model")
    qtbot.addWidget(made)
    return made


def test_a_detail_has_the_room_that_a_short_name_leaves(pill: ChoicePill) -> None:
    """What is said of the built-in model is there in full, also beside the mark of a chat that is ready."""
    pill.set_choices((("demo", "Hearth demo", DEMO_DETAIL),), "demo")
    pill.mark(["demo"], "ready for this chat")
    (action,) = pill.choices.actions()
    assert action.text() == f"Hearth demo  —  ready for this chat · {DEMO_DETAIL}"


def test_long_names_are_elided_and_told_in_full(pill: ChoicePill) -> None:
    """Whatever is long: the menu stays narrow enough for the smallest window."""
    pill.set_choices((("m", "name " * 30, "detail " * 30),), "m")
    (action,) = pill.choices.actions()
    assert pill.choices.sizeHint().width() < 720
    assert "…" in action.text()
    assert action.toolTip() == f"{'name ' * 30}  —  {'detail ' * 30}"
