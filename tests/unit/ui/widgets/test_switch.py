"""The painted switch of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.theme.theme import DARK, LIGHT
from ui.widgets.switch import Switch

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def colour(switch: Switch) -> str:
    """Of the track, left of its middle, where no knob stands."""
    return switch.grab().toImage().pixelColor(switch.width() // 2, 4).name()


def make(qtbot: QtBot) -> Switch:
    switch = Switch("Warm", LIGHT)
    qtbot.addWidget(switch)
    switch.show()
    return switch


def test_a_click_turns_it_on_and_off_and_is_told(qtbot: QtBot) -> None:
    """The knob follows, and the colour says which way it is."""
    switch = make(qtbot)
    told: list[bool] = []
    switch.clicked.connect(lambda on: told.append(on))  # noqa: PLW0108 - a built-in takes no argument from Qt
    switch.click()
    qtbot.waitUntil(lambda: colour(switch) == LIGHT.accent)
    switch.click()
    qtbot.waitUntil(lambda: colour(switch) == LIGHT.button_off)
    assert told == [True, False]


def test_what_the_app_sets_is_there_at_once_and_not_told(qtbot: QtBot) -> None:
    """A setting that is shown is not a setting that was made."""
    switch = make(qtbot)
    told: list[bool] = []
    switch.clicked.connect(lambda on: told.append(on))  # noqa: PLW0108 - a built-in takes no argument from Qt
    switch.set_on(True)
    assert colour(switch) == LIGHT.accent
    assert told == []


def test_it_has_a_name_and_follows_the_theme(qtbot: QtBot) -> None:
    """It can be heard, and seen in the dark."""
    switch = make(qtbot)
    switch.set_on(True)
    switch.set_theme(DARK)
    assert switch.accessibleName() == "Warm"
    assert colour(switch) == DARK.accent
