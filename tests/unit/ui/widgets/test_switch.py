"""The painted switch of the settings."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT
from ui.widgets.switch import Switch


def colour(switch: Switch) -> str:
    """The colour of the track left of its middle, which the knob does not cover."""
    return switch.grab().toImage().pixelColor(switch.width() // 2, 4).name()


def make(qtbot: QtBot) -> Switch:
    switch = Switch("Warm")
    qtbot.addWidget(switch)
    switch.show()
    return switch


def test_a_click_toggles_it_and_is_reported(qtbot: QtBot) -> None:
    """The knob moves, and the colour of the track shows the state."""
    switch = make(qtbot)
    reported: list[bool] = []
    switch.clicked.connect(lambda on: reported.append(on))  # noqa: PLW0108 - a built-in takes no argument from Qt
    switch.click()
    qtbot.waitUntil(lambda: colour(switch) == LIGHT.accent)
    switch.click()
    qtbot.waitUntil(lambda: colour(switch) == LIGHT.edge)
    assert reported == [True, False]


def test_setting_it_is_immediate_and_not_reported(qtbot: QtBot) -> None:
    """Only the user's clicks are reported."""
    switch = make(qtbot)
    reported: list[bool] = []
    switch.clicked.connect(lambda on: reported.append(on))  # noqa: PLW0108 - a built-in takes no argument from Qt
    switch.set_on(True)
    assert colour(switch) == LIGHT.accent
    assert reported == []


def test_it_has_a_name_and_follows_the_theme(qtbot: QtBot) -> None:
    """A screen reader can name it, and it changes with the theme."""
    switch = make(qtbot)
    switch.set_on(True)
    appearance.turn_to(DARK)
    assert switch.accessibleName() == "Warm"
    assert colour(switch) == DARK.accent
