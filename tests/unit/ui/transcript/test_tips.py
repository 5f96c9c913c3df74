"""The tool tips of the icons under messages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from tests.fakes.pages import anchor_point
from ui.state.chat import AttachmentView, MessageView
from ui.theme.theme import LIGHT
from ui.transcript.anchors import AnchorAction
from ui.transcript.transcript import Transcript

KEYS = {
    "copy_answer": "Ctrl+Shift+C",
    "regenerate": "Ctrl+R",
    "alternatives": "Ctrl+Shift+R",
    "fork": "Ctrl+Alt+N",
    "edit_last": "Ctrl+E",
}


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 600)
    file = AttachmentView("f", "note.txt", "12 tokens")
    made.show_messages(
        (
            MessageView("u", "user", "Question?", attachments=(file,)),
            MessageView("a", "assistant", "Yes."),
            MessageView("v", "user", "Another?"),
            MessageView("b", "assistant", "No."),
        )
    )
    made.pointer.keys = KEYS
    with qtbot.waitActive(made):
        made.show()
    return made


@pytest.mark.parametrize("across", [-7, 0, 7])
@pytest.mark.parametrize(
    ("action", "words"),
    [
        (AnchorAction("copy", "b"), "Copy this answer\nCtrl+Shift+C"),
        (AnchorAction("alternatives", "b", 1), "Write this answer again (right click for more)\nCtrl+R"),
        (AnchorAction("choose", "b"), "Write several answers\nCtrl+Shift+R"),
        (AnchorAction("fork", "b"), "Fork: go on from here in a new chat\nCtrl+Alt+N"),
        (AnchorAction("edit", "v"), "Edit this message\nCtrl+E"),
        (AnchorAction("copy", "a"), "Copy this answer"),
        (AnchorAction("edit", "u"), "Edit this message"),
    ],
)
def test_every_icon_says_what_it_does(transcript: Transcript, action: AnchorAction, words: str, across: int) -> None:
    """Anywhere on an icon, the tool tip names its action. Only the newest message has the key of the menu's action."""
    spot = anchor_point(transcript, action.href) + QPoint(across, 0)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, spot, transcript.viewport().mapToGlobal(spot))
    QGuiApplication.sendEvent(transcript.viewport(), event)
    assert QToolTip.text() == words


def test_plain_text_has_no_tool_tip(transcript: Transcript) -> None:
    """A tip that is shown goes where there is nothing to say."""
    assert transcript.pointer.tip_at(QPoint(2, 2)) == ""
