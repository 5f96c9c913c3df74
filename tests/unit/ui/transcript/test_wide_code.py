"""Code that is wider than the column scrolls sideways."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.pages import settle
from tests.fakes.sideways import drag_bar, turn_wheel
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import LIGHT, mono_font
from ui.transcript.anchors import AnchorAction
from ui.transcript.sideways import WideCard
from ui.transcript.transcript import Transcript

ROW = "".join(f"word{number:02} " for number in range(40))
ANSWER = f"Text\n\n```\nshort\n{ROW}\n```\n\n```\nnarrow\n```\n\n```\n{ROW}\n```\n\nThe end."
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show_messages((MessageView("a", "assistant", ANSWER),))
    made.show()
    settle(qtbot, made)
    return made


def card(transcript: Transcript, at: int = 0) -> WideCard:
    return transcript.sideways.cards()[at]


def test_only_wide_code_scrolls(transcript: Transcript) -> None:
    """The card of short lines has no bar."""
    assert len(transcript.sideways.cards()) == 2
    assert all(one.most > 1_000 for one in transcript.sideways.cards())


def test_a_line_of_code_does_not_wrap(transcript: Transcript) -> None:
    """Each line is one row, and the page itself does not scroll sideways."""
    block = transcript.document().find("word39").block()
    assert block.layout().lineCount() == 1
    assert transcript.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize(("x", "y", "modifiers"), [(-120, 0, NONE), (0, -120, Qt.KeyboardModifier.ShiftModifier)])
def test_the_wheel_scrolls_the_card_below_the_mouse(
    transcript: Transcript, x: int, y: int, modifiers: Qt.KeyboardModifier
) -> None:
    """Sideways, or with shift. The other card stays."""
    turn_wheel(transcript, x, y, modifiers)
    assert (card(transcript).offset, card(transcript, 1).offset) == (72, 0)
    turn_wheel(transcript, 100 * -x, 100 * -y, modifiers)
    assert card(transcript).offset == 0
    turn_wheel(transcript, 1_000 * x, 1_000 * y, modifiers)
    assert card(transcript).offset == card(transcript).most


def test_the_wheel_scrolls_the_page_up_and_down(transcript: Transcript) -> None:
    """Code in the way of the mouse does not stop that."""
    transcript.resize(900, 200)
    transcript.verticalScrollBar().setValue(0)
    turn_wheel(transcript, 0, -120)
    assert transcript.verticalScrollBar().value() > 0
    assert all(one.offset == 0 for one in transcript.sideways.cards())


def test_arrow_keys_scroll_the_code_in_view(transcript: Transcript) -> None:
    """The first block of code, if the mouse is over none."""
    transcript.setFocus()
    QTest.keyClick(transcript, Qt.Key.Key_Right)
    QTest.keyClick(transcript, Qt.Key.Key_Right)
    QTest.keyClick(transcript, Qt.Key.Key_Left)
    assert card(transcript).offset == 48


def test_the_tab_key_picks_the_code_that_arrow_keys_scroll(transcript: Transcript) -> None:
    """The card at or below the button with the focus: each one is reached without a mouse."""
    first, second = (AnchorAction("copy", "a", number).href for number in (0, 2))
    for href, offsets in ((first, [48, 0]), (second, [48, 48])):
        while transcript.focused.href != href:
            QTest.keyClick(transcript, Qt.Key.Key_Tab)
        QTest.keyClick(transcript, Qt.Key.Key_Right)
        assert [one.offset for one in transcript.sideways.cards()][:2] == offsets


def test_the_bar_is_dragged(transcript: Transcript) -> None:
    """From one end to the other."""
    drag_bar(transcript)
    assert card(transcript).offset == card(transcript).most
    assert not transcript.textCursor().hasSelection()


def test_the_mouse_selects_the_word_that_it_is_over(transcript: Transcript) -> None:
    """In scrolled code too. The whole line is copied, not just what shows."""
    transcript.sideways.scroll(card(transcript), 500)
    cursor = transcript.document().find("word11")
    cursor.setPosition(cursor.selectionStart() + 2)
    place = transcript.cursorRect(cursor).center() - QPoint(500, 0)
    QTest.mouseDClick(transcript.viewport(), Qt.MouseButton.LeftButton, NONE, place)
    assert transcript.textCursor().selectedText() == "word11"
    transcript.selectAll()
    transcript.copy()
    assert ROW.strip() in QGuiApplication.clipboard().text()


def test_long_lines_are_painted_in_their_card_only(transcript: Transcript) -> None:
    """Beside the card the page keeps its colour, and inside it the text moves."""
    before = transcript.grab().toImage()
    room = card(transcript).room.toRect()
    left = transcript.viewportMargins().left()
    beside = {before.pixelColor(x, room.center().y()).name() for x in range(left + room.right() + 10, 890)}
    assert beside == {LIGHT.page}
    transcript.sideways.scroll(card(transcript), 30)
    assert transcript.grab().toImage() != before


def test_a_streamed_line_joins_its_card(qtbot: QtBot) -> None:
    """Rows that arrive later scroll with the first."""
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages((MessageView("a", "assistant", "", MessageState.OPEN),))
    transcript.show()
    for piece in ("```\n", ROW, "\n", "next\n", ROW, "\n```\n", "After.\n\n```\n", ROW):
        transcript.append_delta("a", piece)
        settle(qtbot, transcript)
    states = []
    block = transcript.document().begin()
    while block.isValid():
        states.append(block.userState())
        block = block.next()
    assert states[:5] == [1] * 5
    assert states[5] == -1
    assert states[6:9] == [2] * 3


def test_code_has_no_ligatures() -> None:
    """An arrow of two dashes stays two dashes."""
    from PySide6.QtGui import QFont

    assert mono_font().featureValue(QFont.Tag("calt")) == 0


def test_a_new_width_forgets_the_offsets(qtbot: QtBot, transcript: Transcript) -> None:
    """The code is written anew."""
    transcript.sideways.scroll(card(transcript), 500)
    transcript.resize(500, 700)
    qtbot.waitUntil(lambda: card(transcript).offset == 0)
    cursor = QTextCursor(transcript.document())
    assert not cursor.hasSelection()
