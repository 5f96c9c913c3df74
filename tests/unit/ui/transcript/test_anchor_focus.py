"""The keyboard focus on the transcript's page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.fakes.documents import texts
from tests.fakes.intents import is_a
from tests.fakes.pages import anchor_point, settle
from ui.intents.chat import Regenerate
from ui.state.chat import MessageView
from ui.theme.theme import LIGHT
from ui.transcript.anchors import AnchorAction, parse_action
from ui.transcript.transcript import Transcript
from ui.widgets.menu import MARGIN_PX

TAB, BACK, ENTER = Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Return


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show_messages(
        (MessageView("u", "user", "Question?"), MessageView("a", "assistant", "Yes.", reasoning="Hm.", places=2))
    )
    with qtbot.waitActive(made):
        made.show()
    made.setFocus()
    return made


def verb(transcript: Transcript) -> str:
    action = parse_action(transcript.focused.href)
    return action.verb if action else ""


def test_the_tab_key_visits_every_anchor(transcript: Transcript) -> None:
    """Tab visits the anchors from top to bottom, and back with shift. It selects no text."""
    seen = []
    for _ in range(9):
        QTest.keyClick(transcript, TAB)
        seen.append(verb(transcript))
    assert seen == ["copy", "edit", "delete", "fold", "copy", "alternatives", "choose", "fork", "step"]
    assert not transcript.textCursor().hasSelection()
    QTest.keyClick(transcript, BACK)
    assert verb(transcript) == "fork"


def test_return_clicks_the_focused_anchor(qtbot: QtBot, transcript: Transcript) -> None:
    """The focus stays on the anchor that return clicks."""
    for _ in range(4):
        QTest.keyClick(transcript, TAB)
    QTest.keyClick(transcript, ENTER)
    assert "Hm." in texts(transcript.document(), "text")
    QTest.keyClick(transcript, ENTER)
    assert "Hm." not in texts(transcript.document(), "text")
    for _ in range(2):
        QTest.keyClick(transcript, TAB)
    with qtbot.waitSignal(transcript.requested, check_params_cb=is_a(Regenerate)) as asked:
        QTest.keyClick(transcript, ENTER)
    assert asked.args == [Regenerate("a", 1)]


def test_tab_starts_at_the_anchors_in_view(qtbot: QtBot, transcript: Transcript) -> None:
    """Tab does not scroll a long chat to its beginning."""
    transcript.show_messages(tuple(MessageView(f"m{at}", "assistant", "word " * 60) for at in range(60)))
    settle(qtbot, transcript)
    value = transcript.verticalScrollBar().value()
    QTest.keyClick(transcript, TAB)
    assert transcript.viewport().rect().contains(anchor_point(transcript, transcript.focused.href))
    assert abs(transcript.verticalScrollBar().value() - value) < 40


def test_a_ring_marks_the_focused_anchor(transcript: Transcript) -> None:
    """The ring has the accent colour. It stays while a menu is open, and goes when the focus leaves."""
    QTest.keyClick(transcript, TAB)
    spot = anchor_point(transcript, AnchorAction("copy", "u").href)

    def ring() -> bool:
        image = transcript.viewport().grab().toImage()
        return any(image.pixelColor(spot.x() + x, spot.y()).name() == LIGHT.accent for x in range(-14, 14))

    assert ring()
    QGuiApplication.sendEvent(transcript, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason))
    assert verb(transcript) == "copy"
    QGuiApplication.sendEvent(transcript, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason))
    assert verb(transcript) == ""
    assert not ring()


def test_a_line_marks_the_focused_link(qtbot: QtBot, transcript: Transcript) -> None:
    """In a sentence, in a table and at a footnote: only the link itself, also if the same address comes twice. The line
    is below the letters, which nothing touches.
    """
    answer = (
        "A [word](https://a.b) and [another](https://a.b).[^1]\n\n| t |\n|-|\n| [cell](https://c.d) |\n\n[^1]: Note."
    )
    transcript.show_messages((MessageView("a", "assistant", answer),))
    settle(qtbot, transcript)
    seen: list[tuple[int, int]] = []
    for _ in range(4):
        before = transcript.viewport().grab().toImage()
        QTest.keyClick(transcript, TAB)
        shown = transcript.viewport().grab().toImage()
        around = transcript.focused.rect().toRect().translated(0, -transcript.verticalScrollBar().value())
        middle, lines = around.center().x(), range(around.top() - 4, around.bottom() + 5)
        rows = [y for y in lines if shown.pixelColor(middle, y) != before.pixelColor(middle, y)]
        assert [shown.pixelColor(middle, y).name() for y in rows] == [LIGHT.accent] * 2
        assert rows[0] > around.center().y()
        assert seen.count((middle, rows[0])) == 0
        seen.append((middle, rows[0]))
        for x, y in seen[:-1]:
            assert shown.pixelColor(x, y).name() != LIGHT.accent, "the line has left"
    assert transcript.focused.href == "https://c.d"


def test_the_menu_of_alternatives_opens_at_its_focused_arrow(transcript: Transcript) -> None:
    """By the return key, not at the mouse, which may be anywhere."""
    for _ in range(7):
        QTest.keyClick(transcript, TAB)
    assert verb(transcript) == "choose"
    QTest.keyClick(transcript, ENTER)
    (menu,) = transcript.findChildren(QMenu)
    arrow = transcript.focused.rect().translated(0, -transcript.verticalScrollBar().value())
    corner = transcript.viewport().mapFromGlobal(menu.mapToGlobal(QPoint(MARGIN_PX, MARGIN_PX)))
    assert 0 <= arrow.left() - corner.x() < 6, "at the edge of the mark around it"
    assert 0 <= corner.y() - arrow.bottom() < 10
    menu.close()
