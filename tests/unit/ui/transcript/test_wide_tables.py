"""Tables that are wider than the column scroll sideways. Code does so too: see `test_wide_code`."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextTable
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.pages import settle
from tests.fakes.paper import done
from tests.fakes.sideways import drag, drag_bar, turn_wheel
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import BODY_PX, DARK, LIGHT
from ui.transcript.messages import ShownMessages
from ui.transcript.pdf import printed_document
from ui.transcript.sideways import WideCard
from ui.transcript.transcript import Transcript

NONE = Qt.KeyboardModifier.NoModifier


def table(columns: int, rows: int = 3, word: str = "letters") -> str:
    lines = [[f"{word}{row}x{column:02}" for column in range(columns)] for row in range(rows)]
    lines.insert(1, ["---"] * columns)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


WIDE = table(12)
HEBREW = table(12, word="תתתתתתת")


def shown(qtbot: QtBot, text: str, state: MessageState = MessageState.DONE) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show_messages((MessageView("a", "assistant", text, state),))
    made.show()
    settle(qtbot, made)
    return made


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    return shown(qtbot, f"Text\n\n{WIDE}\n\nThe end.")


def card(transcript: Transcript) -> WideCard:
    return transcript.sideways.cards()[0]


def cells(transcript: Transcript) -> list[QTextCursor]:
    """A cursor at the beginning of each cell, in the order of the document."""
    frames = transcript.document().rootFrame().childFrames()
    tables = [frame for frame in frames if isinstance(frame, QTextTable)]
    return [one.cellAt(0, column).firstCursorPosition() for one in tables for column in range(one.columns())]


def left(cursor: QTextCursor) -> float:
    return cursor.document().documentLayout().blockBoundingRect(cursor.block()).left()


def test_a_wide_table_breaks_no_word(transcript: Transcript) -> None:
    """Each cell has one line, and the page itself does not scroll sideways."""
    assert card(transcript).most > 300
    assert {cell.block().layout().lineCount() for cell in cells(transcript)} == {1}
    assert transcript.horizontalScrollBar().maximum() == 0


def test_a_narrow_table_does_not_scroll(qtbot: QtBot) -> None:
    """Long cells wrap before that."""
    long = "| a | b |\n|---|---|\n| 1 | " + "many words " * 40 + "|"
    assert shown(qtbot, f"{table(3)}\n\n{table(1)}\n\n{long}").sideways.cards() == []


def test_the_columns_of_all_rows_are_equal(transcript: Transcript) -> None:
    """Each row is laid out alone, under the head."""
    lefts = [left(cell) for cell in cells(transcript)]
    assert lefts[:12] == lefts[12:24] == lefts[24:]


@pytest.mark.parametrize(("x", "y", "modifiers"), [(-120, 0, NONE), (0, -120, Qt.KeyboardModifier.ShiftModifier)])
def test_the_wheel_scrolls_the_table(transcript: Transcript, x: int, y: int, modifiers: Qt.KeyboardModifier) -> None:
    """Sideways, or with shift."""
    turn_wheel(transcript, x, y, modifiers)
    assert card(transcript).offset == 72


def test_arrow_keys_and_the_bar_scroll_the_table(transcript: Transcript) -> None:
    """As they do with code."""
    QTest.keyClick(transcript, Qt.Key.Key_Right)
    assert card(transcript).offset == 48
    drag_bar(transcript)
    assert card(transcript).offset == card(transcript).most


def test_a_selection_scrolls_the_table_to_its_end_and_back(qtbot: QtBot, transcript: Transcript) -> None:
    """As long as the mouse is beside the table. What comes into view is selected."""
    room, view = card(transcript).room, transcript.viewport()
    start = transcript.cursorRect(transcript.document().find("letters1x00")).center()
    right, left = (QPoint(round(x), start.y()) for x in (room.right() + 200, room.left() - 200))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, NONE, start)
    drag(transcript, right)
    qtbot.waitUntil(lambda: card(transcript).offset == card(transcript).most)
    assert "letters1x05" in transcript.textCursor().selectedText()
    drag(transcript, left)
    qtbot.waitUntil(lambda: card(transcript).offset == 0)
    drag(transcript, right)
    drag(transcript, right, QEvent.Type.MouseButtonRelease)
    assert not transcript.sideways._drift.isActive()


def test_a_click_in_a_scrolled_table_meets_the_word_under_the_mouse(transcript: Transcript) -> None:
    """And the whole table is copied, in both forms."""
    transcript.sideways.scroll(card(transcript), 500)
    cursor = transcript.document().find("letters1x08")
    cursor.setPosition(cursor.selectionStart() + 2)
    place = transcript.cursorRect(cursor).center() - QPoint(500, 0)
    QTest.mouseDClick(transcript.viewport(), Qt.MouseButton.LeftButton, NONE, place)
    assert transcript.textCursor().selectedText() == "letters1x08"
    transcript.selectAll()
    transcript.copy()
    copied = QGuiApplication.clipboard().mimeData()
    assert "letters0x11\nletters1x00\tletters1x01\t" in copied.text()
    assert "\u200b" not in copied.text()
    assert copied.html().count("<table>") == 1
    assert copied.html().count("<tr>") == 3


def test_rows_can_be_copied_without_the_head(transcript: Transcript) -> None:
    """A selection over several rows has all their cells."""
    cursor = transcript.document().find("letters1x03")
    cursor.setPosition(transcript.document().find("letters2x01").position(), QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    transcript.copy()
    first, second = QGuiApplication.clipboard().text().split("\n")
    assert (first.split("\t")[0], second.split("\t")[-1]) == ("letters1x00", "letters2x11")


def test_a_hit_that_is_scrolled_away_comes_into_view(transcript: Transcript) -> None:
    """At the right edge, and back at the left one."""
    for word in ("letters2x11", "letters0x00"):
        found = transcript.document().find(word)
        rect = QRectF(transcript.cursorRect(found)).translated(0, transcript.verticalScrollBar().value())
        transcript.scrolling.bring_into_view(rect)
        seen = rect.translated(-card(transcript).offset, 0)
        assert card(transcript).room.adjusted(0, -5, 0, 5).contains(seen)


def test_a_focused_link_comes_into_view(qtbot: QtBot) -> None:
    """The tab key scrolls the table to it."""
    transcript = shown(qtbot, WIDE.replace("letters1x11", "[letters1x11](https://example.org)"))
    transcript.setFocus()
    QTest.keyClick(transcript, Qt.Key.Key_Tab)
    assert transcript.focused.href == "https://example.org"
    assert card(transcript).offset > 300


def test_what_is_behind_the_text_scrolls_with_it(qtbot: QtBot) -> None:
    """The pill of inline code stays behind its word."""
    transcript = shown(qtbot, WIDE.replace("letters1x08", "`letters1x08`"))
    transcript.sideways.scroll(card(transcript), 500)
    found = transcript.document().find("letters1x08")
    rect = transcript.document().documentLayout().blockBoundingRect(found.block())
    at = QPoint(round(rect.left()) + 1 - 500 + transcript.viewportMargins().left(), round(rect.center().y()))
    assert transcript.grab().toImage().pixelColor(at).name() == LIGHT.inline_code


def test_a_table_fades_where_it_goes_on(transcript: Transcript) -> None:
    """The hairlines get the colour of the page at the right, and not where the table ends."""

    def has_line_at_edge() -> bool:
        room, image = card(transcript).room, transcript.grab().toImage()
        x = int(room.right()) - 2 + transcript.viewportMargins().left()
        rows = range(int(room.top()), int(room.bottom()) + 2)
        return LIGHT.hairline in {image.pixelColor(x, y).name() for y in rows}

    before = has_line_at_edge()
    transcript.sideways.scroll(card(transcript), card(transcript).most)
    assert (before, has_line_at_edge()) == (False, True)


def test_a_hebrew_table_begins_at_the_right(qtbot: QtBot) -> None:
    """Its first column is at the right edge, and is in view before the table is scrolled. It is copied in order."""
    transcript = shown(qtbot, HEBREW)
    assert card(transcript).offset == card(transcript).most
    first = transcript.document().find("תתתתתתת0x00")
    assert left(first) == max(left(cell) for cell in cells(transcript))
    QTest.keyClick(transcript, Qt.Key.Key_Left)
    assert card(transcript).offset == card(transcript).most - 48
    transcript.selectAll()
    transcript.copy()
    assert QGuiApplication.clipboard().text().startswith("תתתתתתת0x00\tתתתתתתת0x01\t")


def test_a_table_that_grows_keeps_its_offset_and_its_rows(qtbot: QtBot) -> None:
    """A new row lays out itself alone: no letter of another row is written again."""
    transcript = shown(qtbot, "", MessageState.OPEN)
    transcript.append_delta("a", table(12, 100) + "\n")
    settle(qtbot, transcript)
    transcript.verticalScrollBar().setValue(0)
    transcript.sideways.scroll(card(transcript), 300)
    width, end = card(transcript).width, transcript.document().find("letters99x11").position()
    changed: list[int] = []
    transcript.document().contentsChange.connect(lambda at, _removed, _added: changed.append(at))
    for piece in ("| letters", "9", "x00", " | b |", "\n", "| c"):
        transcript.append_delta("a", piece)
        settle(qtbot, transcript)
    assert (card(transcript).offset, card(transcript).width) == (300, width)
    assert changed
    assert min(changed) >= end


def test_a_longer_word_widens_all_rows(qtbot: QtBot) -> None:
    """And the table stays as far scrolled as it was."""
    transcript = shown(qtbot, "", MessageState.OPEN)
    transcript.append_delta("a", WIDE + "\n")
    settle(qtbot, transcript)
    transcript.sideways.scroll(card(transcript), 100)
    before = card(transcript).width
    transcript.append_delta("a", "| averyverylongwordindeed | b |")
    settle(qtbot, transcript)
    lefts = [left(cell) for cell in cells(transcript)]
    assert lefts[:12] == lefts[36:]
    assert card(transcript).width > before
    assert card(transcript).offset == 100


def test_the_caret_is_in_the_cell_that_grows(qtbot: QtBot) -> None:
    """Not in the last cell of the row."""
    transcript = shown(qtbot, "| a | b |\n|---|---|\n| 1", MessageState.OPEN)
    caret = transcript.caret()
    assert caret is not None
    assert caret.position == transcript.document().find("1").position()


def test_on_paper_the_table_fits(qtbot: QtBot) -> None:
    """It wraps, or is written smaller if its words would break. Its head is repeated on each page."""
    long = "| a | b |\n|---|---|\n| 1 | " + "long" * 60 + " |"
    transcript = shown(qtbot, f"{table(12, 60)}\n\n{table(3)}\n\n{long}")
    document = done(printed_document(ShownMessages([transcript.messages[0].view]), (), 900))
    frames = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert [(one.rows(), one.columns()) for one in frames] == [(60, 12), (3, 3), (2, 2)]
    assert {one.format().toTableFormat().headerRowCount() for one in frames} == {1}
    assert all(one.format().toTableFormat().width().rawValue() == 680 for one in frames)
    words = [one.cellAt(1, 0).firstCursorPosition().block() for one in frames]
    sizes = [word.begin().fragment().charFormat().font().pixelSize() for word in words]
    assert sizes[0] < sizes[1] == sizes[2] == BODY_PX


def test_a_theme_and_a_width_fit_the_table_again(qtbot: QtBot, transcript: Transcript) -> None:
    """A narrow window shows less of the same columns."""
    before = card(transcript)
    transcript.look.set_theme(DARK)
    transcript.resize(500, 700)
    qtbot.waitUntil(lambda: card(transcript).room.width() < before.room.width())
    assert card(transcript).width >= before.width


def test_the_bar_of_a_tall_table_is_in_view(qtbot: QtBot) -> None:
    """At the lower edge, until the end of the table comes into view. It can be dragged there."""
    transcript = shown(qtbot, f"{table(12, 60)}\n\nThe end.\n\n" + "More.\n\n" * 40)
    bar, height = transcript.verticalScrollBar(), transcript.viewport().height()
    for value in (0, 300, 340):
        bar.setValue(value)
        assert card(transcript).thumb.bottom() == value + height - 5
    start = card(transcript).thumb.translated(0, -bar.value()).center().toPoint()
    QTest.mousePress(transcript.viewport(), Qt.MouseButton.LeftButton, NONE, start)
    QTest.mouseMove(transcript.viewport(), start + QPoint(2_000, 0))
    QTest.mouseRelease(transcript.viewport(), Qt.MouseButton.LeftButton, NONE, start)
    assert card(transcript).offset == card(transcript).most
    bar.setValue(round(card(transcript).room.bottom()) + 1_500 - height)
    assert all(not one.floats for one in transcript.sideways.cards())
