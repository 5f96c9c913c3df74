"""Where the view of a transcript stands: at the end, where the user scrolled, and in a long history."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPaintEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.documents import texts
from tests.fakes.pages import settle
from tests.fakes.transcripts import ANSWER, long_history, make, stream
from ui.state.chat import MessageView
from ui.theme.theme import LIGHT, Theme
from ui.transcript.pending_messages import HISTORY_CHARACTERS
from ui.transcript.transcript import Transcript


class Painted(Transcript):
    """Notes how many messages it has at each paint."""

    def __init__(self, theme: Theme) -> None:
        self.painted: list[int] = []
        super().__init__(theme)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self.painted.append(len(self.loaded))
        super().paintEvent(event)


def test_the_view_follows_the_end(qtbot: QtBot, transcript: Transcript) -> None:
    """A view at the end stays at the end while the answer grows."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()


def test_the_view_stays_where_the_user_scrolled(qtbot: QtBot, transcript: Transcript) -> None:
    """Away from the end the view does not move, and a button scrolls back."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(bar.maximum() - 41)
    value = bar.value()
    stream(qtbot, transcript, ANSWER * 2, 40)
    assert bar.value() == value
    assert transcript.scrolling.newest_button.isVisible()
    transcript.scrolling.newest_button.click()
    assert bar.value() == bar.maximum()
    assert not transcript.scrolling.newest_button.isVisible()


def test_the_text_stays_in_its_place_while_a_notice_is_there(qtbot: QtBot, transcript: Transcript) -> None:
    """A notice takes room above the page. What the user reads, or is about to click, does not move on the screen."""
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(transcript)
    page.resize(800, 500)
    page.show()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    read = transcript.cursorForPosition(QPoint(0, 200))

    def height() -> int:
        return transcript.viewport().mapTo(page, transcript.cursorRect(read).topLeft()).y()

    before = height()
    page.setContentsMargins(0, 60, 0, 0)
    QApplication.processEvents()
    assert (transcript.geometry().top(), height()) == (60, before)
    page.setContentsMargins(0, 0, 0, 0)
    QApplication.processEvents()
    assert (transcript.geometry().top(), height()) == (0, before)
    transcript.setParent(None)  # qtbot closes each of them


def test_smaller_letters_do_not_move_the_view(qtbot: QtBot) -> None:
    """Nor near the end, where the page gets shorter than the view was scrolled."""
    transcript = make(qtbot, *long_history(100))
    transcript.look.set_theme(replace(LIGHT, reading=replace(LIGHT.reading, zoom=150)))
    transcript.show()
    settle(qtbot, transcript)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() - 1_500)
    at = next(at for at in transcript.loaded if transcript.scrolling.top_of(at) > bar.value())
    before = transcript.scrolling.top_of(at) - bar.value()
    transcript.look.set_theme(LIGHT)
    settle(qtbot, transcript)
    assert abs(transcript.scrolling.top_of(at) - bar.value() - before) < 40


def test_a_long_message_that_leaves_the_page_does_not_move_the_view(qtbot: QtBot) -> None:
    """It is higher than what is below the view."""
    views = long_history(60, "word " * 120)
    transcript = make(qtbot, MessageView("long", "assistant", "Some words.\n\n" * 2_000), *views)
    transcript.show()
    settle(qtbot, transcript)
    transcript.older.load_to(0)
    settle(qtbot, transcript)
    bar = transcript.verticalScrollBar()
    while 0 in transcript.loaded:
        bar.setValue(bar.maximum() - 100)
        at = transcript.loaded[-1]
        before = transcript.scrolling.top_of(at) - bar.value()
        settle(qtbot, transcript)
        assert abs(transcript.scrolling.top_of(at) - bar.value() - before) <= 1


def test_the_view_follows_within_forty_pixels(qtbot: QtBot, transcript: Transcript) -> None:
    """A small distance to the end still counts as being at the end."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(bar.maximum() - 40)
    stream(qtbot, transcript, ANSWER, 40)
    assert bar.value() == bar.maximum()


def test_the_users_own_message_is_scrolled_to(qtbot: QtBot, transcript: Transcript) -> None:
    """The user sees the message that was just sent."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(0)
    transcript.add_message(MessageView("u2", "user", "And?"))
    assert bar.value() == bar.maximum()


def test_a_long_history_opens_at_its_end(qtbot: QtBot) -> None:
    """The newest messages are written at once and the others in chunks. The view does not move."""
    transcript = make(qtbot, *long_history(150))
    transcript.show()
    first = texts(transcript.document(), "text")
    assert 0 < len(first) < 150
    assert first[-1].startswith("149 ")
    settle(qtbot, transcript)
    assert [text.split()[0] for text in texts(transcript.document(), "text")] == [str(at) for at in range(150)]
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_the_first_paint_waits_for_what_is_in_view_alone(qtbot: QtBot) -> None:
    """A tall view is full, a low one no more than that. Older messages are written after the paint."""
    for height in (300, 1200):
        transcript = Painted(LIGHT)
        qtbot.addWidget(transcript)
        transcript.show_messages(long_history(150))
        transcript.resize(800, height)
        transcript.show()
        assert 0 < transcript.verticalScrollBar().maximum() < 600
        written = len(transcript.loaded)
        settle(qtbot, transcript)
        assert transcript.painted[0] == written < len(transcript.loaded) == 150


def test_older_messages_do_not_move_the_view(qtbot: QtBot) -> None:
    """Away from the end, the text in view stays at the same height."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() - 300)
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(transcript.writer.bounds(98)[0])
    before = transcript.cursorRect(cursor).top()
    settle(qtbot, transcript)
    cursor.setPosition(transcript.writer.bounds(98)[0])
    assert transcript.loaded.start == 0
    assert abs(transcript.cursorRect(cursor).top() - before) <= 1


def test_a_very_long_history_waits_for_the_user(qtbot: QtBot) -> None:
    """Loading stops at a limit and continues when the user scrolls up."""
    transcript = make(qtbot, *long_history(60, "word " * 2_000))
    transcript.show()
    settle(qtbot, transcript)
    first = transcript.loaded.start
    assert first > 0
    characters = sum(len(transcript.messages[index].text) for index in transcript.loaded)
    assert HISTORY_CHARACTERS <= characters < HISTORY_CHARACTERS + 20_000
    transcript.verticalScrollBar().setValue(0)
    settle(qtbot, transcript)
    assert transcript.loaded.start < first


def test_a_change_of_a_message_that_is_not_loaded_is_shown_later(qtbot: QtBot) -> None:
    """Changes far above are shown when their messages load."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    transcript.replace_message(MessageView("m0", "assistant", "changed"))
    settle(qtbot, transcript)
    assert [text.split()[0] for text in texts(transcript.document(), "text")[:2]] == ["changed", "1"]
