"""Formulas that are wider than the column scroll sideways. Code and tables do so too: see `test_wide_code`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QTextBlock, QTextDocument
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.pages import settle
from tests.fakes.paper import done
from tests.fakes.sideways import drag, drag_bar, turn_wheel
from ui.markdown.lines import LineKind
from ui.search.matching import Matcher
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import BODY_PX, LIGHT, SMALL_PX
from ui.transcript.blocks import TextProperty
from ui.transcript.messages import ShownMessages
from ui.transcript.pdf import printed_document
from ui.transcript.sideways import WideCard
from ui.transcript.transcript import Transcript

NONE = Qt.KeyboardModifier.NoModifier
LONG = "+".join(f"x_{{{n}}}" for n in range(60))
SHORT = "x_{0}+x_{59}"


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
    return shown(qtbot, f"Text\n\n$${LONG}$$.\n\nThe end.")


def card(transcript: Transcript, at: int = 0) -> WideCard:
    return transcript.sideways.cards()[at]


def heights(document: QTextDocument) -> list[float]:
    """The heights of the pictures, from top to bottom."""
    return [rect.height() for block in blocks(document) for rect in pictures(block)]


def blocks(document: QTextDocument) -> list[QTextBlock]:
    return [document.findBlockByNumber(number) for number in range(document.blockCount())]


def pictures(block: QTextBlock) -> list[QRectF]:
    """The rows of a block that begin with a formula's picture."""
    layout = block.layout()
    if block.blockFormat().stringProperty(TextProperty.KIND) == LineKind.FOOTER.value:
        return []
    rows = [layout.lineAt(number) for number in range(layout.lineCount())]
    return [row.naturalTextRect() for row in rows if block.text()[row.textStart() :].startswith("\ufffc")]


@pytest.mark.parametrize("source", [f"$${LONG}$$", f"\\[{LONG}\\]"], ids=["dollars", "brackets"])
def test_a_wide_display_formula_keeps_the_size_of_its_text(qtbot: QtBot, source: str) -> None:
    """It is as high as a short one, scrolls alone, and the page itself does not scroll sideways."""
    transcript = shown(qtbot, f"{source}\n\n$${SHORT}$$")
    wide, narrow = heights(transcript.document())
    assert wide == pytest.approx(narrow, abs=1)
    assert len(transcript.sideways.cards()) == 1
    assert card(transcript).most > 1_000
    assert transcript.horizontalScrollBar().maximum() == 0


def test_formulas_follow_the_zoom(transcript: Transcript, qtbot: QtBot) -> None:
    """A wide one grows as the text does."""
    before = card(transcript).width
    transcript.look.set_theme(replace(LIGHT, reading=replace(LIGHT.reading, zoom=200)))
    settle(qtbot, transcript)
    assert card(transcript).width == pytest.approx(2 * before, rel=0.01)


def test_a_full_stop_stays_beside_the_formula(transcript: Transcript) -> None:
    """It is at the end of the row that scrolls."""
    block = transcript.document().find(".").block()
    assert block.text() == "\ufffc."
    assert block.layout().lineCount() == 1


@pytest.mark.parametrize(("x", "y", "modifiers"), [(-120, 0, NONE), (0, -120, Qt.KeyboardModifier.ShiftModifier)])
def test_the_wheel_scrolls_the_formula(transcript: Transcript, x: int, y: int, modifiers: Qt.KeyboardModifier) -> None:
    """Sideways, or with shift."""
    turn_wheel(transcript, x, y, modifiers)
    assert card(transcript).offset == 72


def test_arrow_keys_and_the_bar_scroll_the_formula(transcript: Transcript) -> None:
    """As they do with code."""
    QTest.keyClick(transcript, Qt.Key.Key_Right)
    assert card(transcript).offset == 48
    drag_bar(transcript)
    assert card(transcript).offset == card(transcript).most


def test_a_selection_scrolls_the_formula_to_its_end(qtbot: QtBot, transcript: Transcript) -> None:
    """As long as the mouse is beside it. What is copied is the TeX."""
    view, room = transcript.viewport(), card(transcript).room
    QTest.mousePress(view, Qt.MouseButton.LeftButton, NONE, QPoint(round(room.left()) + 2, round(room.center().y())))
    beside = QPoint(round(room.right()) + 200, round(room.center().y()))
    drag(transcript, beside)
    qtbot.waitUntil(lambda: card(transcript).offset == card(transcript).most)
    drag(transcript, beside, QEvent.Type.MouseButtonRelease)
    transcript.copy()
    assert QGuiApplication.clipboard().text() == f"$${LONG}$$."


def test_the_formula_is_painted_in_its_room_only(transcript: Transcript) -> None:
    """Beside the column the page keeps its colour, and inside it the picture moves."""
    before = transcript.grab().toImage()
    room = card(transcript).room.toRect()
    left = transcript.viewportMargins().left()
    rows = range(room.top(), room.bottom())
    beside = {before.pixelColor(x, y).name() for x in range(left + room.right() + 10, 890) for y in rows}
    assert beside == {LIGHT.page}
    transcript.sideways.scroll(card(transcript), 30)
    assert transcript.grab().toImage() != before


def test_a_hit_in_a_scrolled_formula_comes_into_view(transcript: Transcript) -> None:
    """The formula is shown from its beginning, as any part of its TeX may be the hit."""
    transcript.sideways.scroll(card(transcript), 500)
    marks = transcript.find_marks
    marks.matcher = Matcher(("x_{7}",))
    (hit,) = marks.between(0, transcript.document().characterCount())
    transcript.scrolling.bring_into_view(marks.rect(hit))
    assert card(transcript).offset == 0


def test_a_wide_formula_in_a_paragraph_is_no_smaller_than_small_text(qtbot: QtBot) -> None:
    """It shrinks to the column if its letters stay readable. If not, its row of the paragraph scrolls, and not the
    words around it.
    """
    little = "+".join(f"x_{{{n}}}" for n in range(19))
    transcript = shown(qtbot, f"Words ${little}$ words\n\nWords ${LONG}$ words\n\n${SHORT}$")
    (fits,), (wide,), (narrow,) = (pictures(block) for block in list(blocks(transcript.document()))[:3])
    assert 730 <= fits.width() <= 740
    assert SMALL_PX / BODY_PX <= wide.height() / narrow.height() < 1
    assert [one.room.height() for one in transcript.sideways.cards()] == [wide.height()]


def test_two_formulas_of_a_paragraph_scroll_alone(qtbot: QtBot) -> None:
    """Each has a bar of its own."""
    transcript = shown(qtbot, f"Words ${LONG}$ words ${LONG}$ words")
    assert len(transcript.sideways.cards()) == 2
    transcript.sideways.scroll(card(transcript, 1), 100)
    assert [one.offset for one in transcript.sideways.cards()] == [0, 100]


def test_a_formula_that_is_streamed_scrolls_when_it_is_typeset(qtbot: QtBot) -> None:
    """Also if its paragraph is edited in place, and if code follows that scrolls too."""
    transcript = shown(qtbot, "", MessageState.OPEN)
    for piece in ("Words $", LONG, "$ words\n\n$$", LONG, "$$", ".\n\n```\n", "word " * 40, "\n```\n\nEnd"):
        transcript.append_delta("a", piece)
        settle(qtbot, transcript)
    assert len(transcript.sideways.cards()) == 3
    for at in range(3):
        transcript.sideways.scroll(card(transcript, at), 100 + at)
    assert [one.offset for one in transcript.sideways.cards()] == [100, 101, 102]


def test_a_formula_among_hebrew_words_begins_at_its_left(qtbot: QtBot) -> None:
    """Formulas are read from the left, in a paragraph and in a list."""
    transcript = shown(qtbot, f"מילים ${LONG}$ מילים\n\n- מילים\n  $${LONG}$$")
    assert [one.offset for one in transcript.sideways.cards()] == [0, 0]
    page, left = transcript.grab().toImage(), transcript.viewportMargins().left()
    for one in transcript.sideways.cards():
        room = one.room.toRect()
        begin = {
            page.pixelColor(left + room.left() + x, y).name()
            for x in range(12)
            for y in range(room.top(), room.bottom())
        }
        assert begin != {LIGHT.page}


def test_a_wide_formula_in_a_cell_widens_its_table(qtbot: QtBot) -> None:
    """It is as large as a narrow one."""
    transcript = shown(qtbot, f"| a | b |\n|---|---|\n| ${LONG}$ | ${SHORT}$ |")
    wide, narrow = heights(transcript.document())
    assert wide == pytest.approx(narrow, abs=1)
    assert card(transcript).width > 1_000


def test_on_paper_formulas_fit(qtbot: QtBot) -> None:  # noqa: ARG001 - an application must exist
    """Paper does not scroll: they shrink to the page, to their list, and to their share of a table."""
    text = f"$${LONG}$$.\n\n- Words\n  $${LONG}$$\n\nWords ${LONG}$\n\n| a | b |\n|---|---|\n| ${LONG}$ | ${LONG}$ |"
    document = done(printed_document(ShownMessages([MessageView("a", "assistant", text)]), (), 900))
    ends = [
        document.documentLayout().blockBoundingRect(block).left() + rect.right()
        for block in blocks(document)
        for rect in pictures(block)
    ]
    assert len(ends) == 5
    assert max(ends) <= 690


def test_a_bar_of_any_size_takes_little_memory(qtbot: QtBot) -> None:
    """A model may draw a rule of thousands of pixels. It shrinks, and the answer is shown."""
    transcript = shown(qtbot, r"$$\rule{4000pt}{2000pt}$$")
    (picture,) = pictures(transcript.document().begin())
    assert picture.width() * picture.height() <= 2_100_000
