"""The keyboard on the transcript's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtTest import QTest

from tests.fakes.documents import texts
from tests.fakes.intents import is_a
from tests.fakes.pages import anchor_point, settle
from ui.intents import Retry
from ui.state import MessageView
from ui.theme.theme import LIGHT
from ui.transcript.anchors import AnchorAction, parse_action
from ui.transcript.transcript import Transcript

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

TAB, BACK, ENTER = Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Return


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show_messages(
        (MessageView("u", "user", "Question?"), MessageView("a", "assistant", "Yes.", reasoning="Hm.", places=2))
    )
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


def verb(transcript: Transcript) -> str:
    action = parse_action(transcript.focused.href)
    return action.verb if action else ""


def test_the_tab_key_reaches_all_that_can_be_clicked(transcript: Transcript) -> None:
    """From top to bottom and back, without selecting anything."""
    seen = []
    for _ in range(6):
        QTest.keyClick(transcript, TAB)
        seen.append(verb(transcript))
    assert seen == ["edit", "fold", "copy", "alternatives", "fork", "step"]
    assert not transcript.textCursor().hasSelection()
    QTest.keyClick(transcript, BACK)
    assert verb(transcript) == "fork"


def test_return_clicks(qtbot: QtBot, transcript: Transcript) -> None:
    """And the keyboard stays where it is."""
    for _ in range(2):
        QTest.keyClick(transcript, TAB)
    QTest.keyClick(transcript, ENTER)
    assert "Hm." in texts(transcript.document(), "text")
    QTest.keyClick(transcript, ENTER)
    assert "Hm." not in texts(transcript.document(), "text")
    for _ in range(2):
        QTest.keyClick(transcript, TAB)
    with qtbot.waitSignal(transcript.requested, check_params_cb=is_a(Retry)) as asked:
        QTest.keyClick(transcript, ENTER)
    assert asked.args == [Retry("a", 1)]


def test_it_begins_with_what_is_in_view(qtbot: QtBot, transcript: Transcript) -> None:
    """Nobody wants to be taken to the beginning of a long chat."""
    transcript.show_messages(tuple(MessageView(f"m{at}", "assistant", "word " * 60) for at in range(60)))
    settle(qtbot, transcript)
    value = transcript.verticalScrollBar().value()
    QTest.keyClick(transcript, TAB)
    assert transcript.viewport().rect().contains(anchor_point(transcript, transcript.focused.href))
    assert transcript.verticalScrollBar().value() == value


def test_a_ring_shows_where_it_is_until_it_leaves(transcript: Transcript) -> None:
    """In the accent's colour; a menu does not take it away."""
    QTest.keyClick(transcript, TAB)
    spot = anchor_point(transcript, AnchorAction("edit", "u").href)

    def ring() -> bool:
        image = transcript.viewport().grab().toImage()
        return any(image.pixelColor(spot.x() + x, spot.y()).name() == LIGHT.accent for x in range(-14, 14))

    assert ring()
    QGuiApplication.sendEvent(transcript, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason))
    assert verb(transcript) == "edit"
    QGuiApplication.sendEvent(transcript, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason))
    assert verb(transcript) == ""
    assert not ring()
