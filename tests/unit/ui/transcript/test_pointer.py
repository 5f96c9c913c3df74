"""The mouse on the transcript's page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes.intents import is_a, unasked
from tests.fakes.pages import anchor_point
from ui.intents.chat import Regenerate
from ui.state.chat import MessageView
from ui.theme.theme import LIGHT
from ui.transcript.anchors import AnchorAction, Verb
from ui.transcript.pointer import LONG_PRESS_MS
from ui.transcript.transcript import Transcript

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
PALE = 160
"""The lightness between that of an icon and that of a surface."""
FIELD = QColor(LIGHT.field)
PLAIN = Qt.KeyboardModifier.NoModifier
AGAIN = AnchorAction("alternatives", "a", 1).href


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show_messages((MessageView("u", "user", "Question?"), MessageView("a", "assistant", "Yes.")))
    made.show()
    return made


def move(transcript: Transcript, point: QPoint) -> None:
    place = QPointF(transcript.viewport().mapToGlobal(point))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(point), place, NONE, NONE, PLAIN)
    QGuiApplication.sendEvent(transcript.viewport(), event)


def darkest(transcript: Transcript, around: QPoint) -> int:
    image = transcript.viewport().grab().toImage()
    return min(
        image.pixelColor(around.x() + x, around.y() + y).lightness() for x in range(-9, 10) for y in range(-9, 10)
    )


def colours(transcript: Transcript, around: QPoint) -> set[str]:
    image = transcript.viewport().grab().toImage()
    return {image.pixelColor(around.x() + x, around.y() + y).name() for x in range(-9, 10) for y in range(-9, 10)}


def test_the_anchor_under_the_mouse_has_a_pill(transcript: Transcript) -> None:
    """The pill goes when the mouse leaves."""
    spot = anchor_point(transcript, AGAIN)
    assert LIGHT.field not in colours(transcript, spot)
    move(transcript, spot)
    assert transcript.pointer.href == AGAIN
    assert LIGHT.field in colours(transcript, spot)
    QGuiApplication.sendEvent(transcript.viewport(), QEvent(QEvent.Type.Leave))
    assert LIGHT.field not in colours(transcript, spot)


@pytest.mark.parametrize("verb", ["copy", "edit", "delete"])
def test_the_icons_are_seen_while_the_mouse_is_on_the_question(transcript: Transcript, verb: Verb) -> None:
    """They always have their space, so nothing moves when they appear."""
    spot, height = anchor_point(transcript, AnchorAction(verb, "u").href), transcript.document().size().height()
    assert darkest(transcript, spot) > PALE
    move(transcript, transcript.cursorRect(transcript.document().find("Question")).center())
    assert darkest(transcript, spot) < PALE
    assert transcript.document().size().height() == height
    move(transcript, anchor_point(transcript, AGAIN))
    assert darkest(transcript, spot) > PALE


def test_the_icons_are_level_with_the_alternatives(transcript: Transcript) -> None:
    """Those that the mouse brings stand in one row with those that are always there."""
    transcript.show_messages((MessageView("u", "user", "Question?", place=1, places=2),))
    move(transcript, transcript.cursorRect(transcript.document().find("Question")).center())
    image = transcript.viewport().grab().toImage()

    def middle(href: str) -> float:
        spot = anchor_point(transcript, href)
        heights = range(spot.y() - 14, spot.y() + 15)
        dark = [y for y in heights for x in range(-7, 8) if image.pixelColor(spot.x() + x, y).lightness() < PALE]
        return (min(dark) + max(dark)) / 2

    assert abs(middle(AnchorAction("delete", "u").href) - middle(AnchorAction("step", "u", 1).href)) <= 1


def test_an_icon_has_a_square_pill(transcript: Transcript) -> None:
    """It is about as high as wide."""
    spot = anchor_point(transcript, AGAIN)
    move(transcript, spot)
    image = transcript.viewport().grab().toImage()
    field = [(x, y) for x in range(-30, 31) for y in range(-30, 31) if image.pixelColor(spot + QPoint(x, y)) == FIELD]
    width, height = (max(one) - min(one) for one in zip(*field, strict=True))
    assert abs(width - height) <= 2


def test_the_page_is_repainted_only_for_another_anchor_or_block(qtbot: QtBot, transcript: Transcript) -> None:
    """Moving the mouse over one paragraph repaints nothing."""
    spot = transcript.cursorRect(transcript.document().find("Yes")).center()
    move(transcript, spot)
    with qtbot.assertNotEmitted(transcript.pointer.moved):
        move(transcript, spot + QPoint(3, 0))
    with qtbot.waitSignal(transcript.pointer.moved):
        move(transcript, anchor_point(transcript, AGAIN))


def test_the_page_is_repainted_if_an_anchor_moves_below_the_mouse(qtbot: QtBot, transcript: Transcript) -> None:
    """Qt repaints the lines that changed, and would leave a part of the former pill."""
    yes = transcript.cursorRect(transcript.document().find("Yes")).center()
    move(transcript, anchor_point(transcript, AGAIN))
    with qtbot.waitSignal(transcript.pointer.moved):
        transcript.show_messages((MessageView("u", "user", "Question?"), MessageView("a", "assistant", "Yes.\n\nNo.")))
    move(transcript, yes)
    QApplication.processEvents()
    with qtbot.assertNotEmitted(transcript.pointer.moved, wait=20):
        transcript.show_messages((MessageView("u", "user", "Question?"), MessageView("a", "assistant", "Yes. No.")))


def test_a_long_press_requests_the_menu_and_is_no_click(qtbot: QtBot, transcript: Transcript) -> None:
    """The menu opens while the button is down."""
    spot = anchor_point(transcript, AGAIN)
    transcript.pointer.menu_requested.disconnect()
    with unasked(transcript, Regenerate):
        with qtbot.waitSignal(transcript.pointer.menu_requested, timeout=4 * LONG_PRESS_MS) as more:
            QTest.mousePress(transcript.viewport(), LEFT, PLAIN, spot)
        QTest.mouseRelease(transcript.viewport(), LEFT, PLAIN, spot)
    assert more.args[0] == AGAIN


def test_a_click_is_no_long_press(qtbot: QtBot, transcript: Transcript) -> None:
    """A click is also a click right after a long press."""
    spot = anchor_point(transcript, AGAIN)
    with (
        qtbot.assertNotEmitted(transcript.pointer.menu_requested),
        qtbot.waitSignal(transcript.requested, check_params_cb=is_a(Regenerate)),
    ):
        QTest.mouseClick(transcript.viewport(), LEFT, PLAIN, spot)


def test_an_alt_click_requests_the_menu(qtbot: QtBot, transcript: Transcript) -> None:
    """The menu opens on the press."""
    spot = anchor_point(transcript, AGAIN)
    transcript.pointer.menu_requested.disconnect()
    with (
        unasked(transcript, Regenerate),
        qtbot.waitSignal(transcript.pointer.menu_requested) as more,
    ):
        QTest.mouseClick(transcript.viewport(), LEFT, Qt.KeyboardModifier.AltModifier, spot)
    assert more.args[0] == AGAIN


def test_selecting_text_is_no_long_press(transcript: Transcript) -> None:
    """A drag that starts on an icon selects text."""
    spot = anchor_point(transcript, AGAIN)
    QTest.mousePress(transcript.viewport(), LEFT, PLAIN, spot)
    assert transcript.pointer._hold.isActive()
    move(transcript, spot + QPoint(30, 0))
    assert not transcript.pointer._hold.isActive()
