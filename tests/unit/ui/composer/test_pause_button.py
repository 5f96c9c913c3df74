from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import is_a, unasked
from ui.composer.button_row import PauseButton
from ui.intents.chat import PauseAnswer, ResumeAnswer
from ui.state.chat import ChatPhase


@pytest.fixture
def button(qtbot: QtBot) -> PauseButton:
    made = PauseButton(context())
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        (ChatPhase.IDLE, ""),
        (ChatPhase.QUEUED, ""),
        (ChatPhase.RESTORING, ""),
        (ChatPhase.PREFILL, ""),
        (ChatPhase.GENERATING, "Pause"),
        (ChatPhase.PAUSED, "Resume"),
    ],
)
def test_it_is_seen_while_it_does_something(button: PauseButton, phase: ChatPhase, words: str) -> None:
    """It is hidden before the first word."""
    button.set_phase(phase)
    assert ("" if button.isHidden() else button.text()) == words


def test_one_button_pauses_and_resumes(button: PauseButton, qtbot: QtBot) -> None:
    """Its label says which."""
    button.set_phase(ChatPhase.GENERATING)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(PauseAnswer)), unasked(sent(), ResumeAnswer):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    button.set_phase(ChatPhase.PAUSED)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(ResumeAnswer)), unasked(sent(), PauseAnswer):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
