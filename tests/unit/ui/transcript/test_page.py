"""The page: a column in the middle of any window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QPaintEvent, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.documents import shown
from tests.fakes.pages import settle
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import COLUMN_PX, LIGHT
from ui.transcript.block_formats import GUTTER_PX
from ui.transcript.transcript import Transcript

FULL = COLUMN_PX + 2 * GUTTER_PX


def long_chat() -> Transcript:
    made = Transcript(LIGHT)
    made.show_messages(tuple(MessageView(f"m{at}", "user", f"{at} " + "word " * 60) for at in range(20)))
    return made


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = long_chat()
    qtbot.addWidget(made)
    made.resize(1000, 400)
    made.show()
    return made


@pytest.mark.parametrize("width", [790, 1000, 1600])
def test_the_column_is_centred(transcript: Transcript, width: int) -> None:
    """The scroll bar does not shift it."""
    transcript.resize(width, 400)
    view = transcript.viewport().geometry()
    assert view.width() == FULL
    assert abs(view.center().x() - (width - 1) / 2) <= 1


def test_a_narrow_window_wraps_to_its_width(qtbot: QtBot, transcript: Transcript) -> None:
    """Nothing is cut off, and a wide window restores the column."""
    transcript.resize(520, 400)
    qtbot.waitUntil(lambda: transcript.document().textWidth() <= transcript.viewport().width())
    assert transcript.document().size().width() <= transcript.viewport().width()
    transcript.resize(1000, 400)
    qtbot.waitUntil(lambda: transcript.document().textWidth() == FULL)


def test_a_pane_that_opens_beside_the_text_moves_it_once(transcript: Transcript) -> None:
    """The column is wrapped in the same moment, not some frames later, and the line at the top stays there."""
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = transcript.cursorForPosition(QPoint(0, 0)).block().text()[:3]
    transcript.resize(620, 400)
    assert transcript.document().textWidth() <= transcript.viewport().width() < 620
    assert transcript.cursorForPosition(QPoint(0, 0)).block().text()[:3] == before


def test_a_dragged_edge_wraps_when_it_rests(qtbot: QtBot, transcript: Transcript) -> None:
    """To wrap a long chat for each pixel would be slow."""
    transcript.resize(620, 400)
    first = transcript.document().textWidth()
    for width in range(610, 500, -10):
        transcript.resize(width, 400)
    assert transcript.document().textWidth() == first
    qtbot.waitUntil(lambda: transcript.document().textWidth() <= transcript.viewport().width())


def test_a_drag_that_ends_while_the_rest_is_written(qtbot: QtBot, transcript: Transcript) -> None:
    """What was out of view was written for the first width of the drag, and its questions stayed in those places."""
    other = long_chat()
    qtbot.addWidget(other)
    other.resize(520, 400)
    other.show()
    settle(qtbot, transcript)
    settle(qtbot, other)
    transcript.resize(700, 400)
    transcript.resize(520, 400)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: shown(transcript.document()) == shown(other.document()))
    settle(qtbot, transcript)
    assert transcript.document().textWidth() == other.document().textWidth()


def test_a_window_resized_while_another_page_is_in_front(qtbot: QtBot) -> None:
    """The text leaves room for the scroll bar, as if the page had been visible."""
    stack, transcript, other = QStackedWidget(), long_chat(), QWidget()
    qtbot.addWidget(stack)
    stack.addWidget(transcript)
    stack.addWidget(other)
    stack.resize(700, 400)
    stack.show()
    qtbot.waitUntil(lambda: transcript.document().textWidth() <= transcript.viewport().width() < FULL)
    stack.setCurrentWidget(other)
    stack.resize(620, 400)
    stack.setCurrentWidget(transcript)
    qtbot.waitUntil(lambda: transcript.document().textWidth() < 620)
    assert transcript.document().textWidth() <= transcript.viewport().width()


def test_resizing_keeps_the_end_in_view(transcript: Transcript) -> None:
    """The view follows the end at any height."""
    bar = transcript.verticalScrollBar()
    for height in (300, 600, 200):
        transcript.resize(1000, height)
        assert bar.value() == bar.maximum()


def wheel(*, control: bool) -> QWheelEvent:
    keys = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    down, still = QPoint(0, 120), Qt.ScrollPhase.NoScrollPhase
    return QWheelEvent(QPointF(5, 200), QPointF(5, 200), QPoint(), down, Qt.MouseButton.NoButton, keys, still, False)  # noqa: FBT003 - Qt's parameter: not inverted


def test_the_wheel_scrolls_over_the_margin(transcript: Transcript) -> None:
    """The margins scroll like the column."""
    before = transcript.verticalScrollBar().value()
    QApplication.sendEvent(transcript, wheel(control=False))
    assert transcript.verticalScrollBar().value() < before


def test_the_wheel_never_zooms(transcript: Transcript) -> None:
    """The control key does not change the font's size."""
    before = transcript.font()
    QApplication.sendEvent(transcript.viewport(), wheel(control=True))
    assert transcript.font() == before


def test_nothing_is_read_from_disk(transcript: Transcript, tmp_path: Path) -> None:
    """The page loads no image from a file."""
    kind = QTextDocument.ResourceType.ImageResource.value
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"secret")
    for name in (picture.as_posix(), picture.as_uri()):
        assert not transcript.document().resource(kind, QUrl(name))


def test_the_page_cannot_be_edited(transcript: Transcript) -> None:
    """The page is read-only and has no undo."""
    assert transcript.isReadOnly()
    assert not transcript.document().isUndoRedoEnabled()


def test_a_word_repaints_only_what_it_may_change(qtbot: QtBot) -> None:
    """A word at the end of a full page does not paint the whole page again."""
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 900)
    views = (
        MessageView("a", "assistant", "Paragraph.\n\n" * 40),
        MessageView("b", "assistant", "One", MessageState.OPEN),
    )
    transcript.show_messages(views)
    transcript.show()
    settle(qtbot, transcript)
    QApplication.processEvents()
    painted = PaintedHeights(transcript.viewport())
    transcript.append_delta("b", " word")
    transcript.updates.flush()
    qtbot.waitUntil(lambda: bool(painted.heights))
    assert max(painted.heights) < 400


class PaintedHeights(QObject):
    """Notes how high each repainted area is."""

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self.heights: list[int] = []
        viewport.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QPaintEvent):
            self.heights.append(event.rect().height())
        return False
