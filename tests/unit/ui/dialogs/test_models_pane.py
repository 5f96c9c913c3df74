"""The settings page about the model in memory."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from ui.dialogs.settings_dialog import ModelsPane
from ui.intents.settings import SetUnloadAfter
from ui.theme.appearance import appearance
from ui.theme.theme import DARK


def test_the_time_is_shown_and_picked(qtbot: QtBot) -> None:
    """A time that only the settings file has is offered beside the others."""
    pane = ModelsPane(context())
    qtbot.addWidget(pane)
    store().unload_after.put(45)
    assert pane.controls["unload_after"].text() == "After 45 minutes"
    names = [action.text() for action in pane.controls["unload_after"].choices.actions()]
    assert names == [
        "Never",
        "After 5 minutes",
        "After 15 minutes",
        "After 30 minutes",
        "After 45 minutes",
        "After 1 hour",
        "After 4 hours",
    ]
    intents = heard(sent())
    pane.controls["unload_after"].choices.actions()[0].trigger()
    assert intents == [SetUnloadAfter(0)]
    appearance.turn_to(DARK)
