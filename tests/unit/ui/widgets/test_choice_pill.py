"""A pill with a menu of choices."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from app.base.model_names import DEMO_DETAIL
from ui.theme.theme import DARK, LIGHT, Theme, ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.choice_pill import ChoicePill


@pytest.fixture(params=[LIGHT, DARK])
def theme(request: pytest.FixtureRequest) -> Theme:
    return cast("Theme", request.param)


@pytest.fixture
def pill(qtbot: QtBot) -> ChoicePill:
    made = ChoicePill("", "Model")
    qtbot.addWidget(made)
    return made


def test_a_detail_has_a_line_of_its_own(pill: ChoicePill) -> None:
    """What is said of the built-in model is there in full, also beside the mark of a chat that is ready."""
    pill.set_choices((("demo", "Hearth demo", DEMO_DETAIL),), "demo")
    pill.mark(["demo"], "ready for this chat")
    (action,) = pill.choices.actions()
    assert action.text() == f"Hearth demo\nready for this chat · {DEMO_DETAIL}"


def test_a_mark_that_comes_while_the_menu_is_open_has_room(qtbot: QtBot, pill: ChoicePill) -> None:
    """The engine may tell a moment later which models are ready."""
    with qtbot.waitExposed(pill):
        pill.show()
    pill.set_choices((("demo", "Hearth demo", DEMO_DETAIL),), "demo")
    pill.choices.open_above(pill)
    pill.mark(["demo"], "ready for this chat")
    whole = QFontMetrics(ui_font(12)).horizontalAdvance(f"ready for this chat · {DEMO_DETAIL}")
    assert pill.choices.width() > whole + 40
    pill.choices.hide()


def test_a_detail_is_quiet_and_below_its_name(qtbot: QtBot, pill: ChoicePill, theme: Theme) -> None:
    """In smaller letters. An entry without a detail that is no choice is as high as in any menu, and no entry is wider
    than its wider line.
    """
    pill.setStyleSheet(theme.qss())
    with qtbot.waitExposed(pill):
        pill.show()
    pill.set_choices((("a", "Alpha", "a detail that is longer than its name"), ("b", "Beta", "short")), "a")
    other = pill.choices.addAction("Manage models…")
    pill.choices.open_above(pill)
    image = pill.choices.grab().toImage()
    first, second, third = map(pill.choices.actionGeometry, (*pill.choices.group.actions(), other))
    assert first.height() == second.height() > 1.4 * third.height()
    assert first.width() < QFontMetrics(ui_font(12)).horizontalAdvance("a detail that is longer than its name") + 60

    def inks(lines: QRect) -> set[str]:
        return {image.pixelColor(x, y).name() for x in range(lines.left() + 28, lines.right()) for y in _rows(lines)}

    upper, lower = second.adjusted(0, 0, 0, -second.height() // 2), second.adjusted(0, second.height() // 2 + 2, 0, 0)
    assert (theme.text in inks(upper), theme.text in inks(lower)) == (True, False)
    assert theme.muted in inks(lower)
    pill.choices.hide()


def _rows(lines: QRect) -> range:
    return range(lines.top(), lines.bottom())


def test_long_names_are_elided_and_told_in_full(pill: ChoicePill) -> None:
    """Whatever is long: the menu stays narrow enough for the smallest window."""
    pill.set_choices((("m", "name " * 30, "detail " * 30),), "m")
    (action,) = pill.choices.actions()
    pill.setStyleSheet(LIGHT.qss())
    pill.choices.open_above(pill)
    assert pill.choices.width() < 560
    pill.choices.hide()
    assert "…" in action.text()
    assert action.toolTip() == plain_tip(f"{'name ' * 30}\n{'detail ' * 30}")
