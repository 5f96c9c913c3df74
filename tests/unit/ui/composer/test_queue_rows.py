"""The messages that wait, above the text field."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import heard
from ui.composer.composer import Composer
from ui.composer.queue_rows import QueueRows
from ui.intents.chat import DropQueued, EditQueued, SendQueued, SendQueuedNow
from ui.state.chat import QueuedView, QueueView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK

TWO = (QueuedView("a", "First,\nin two lines"), QueuedView("b", "", 2))


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer(context())
    qtbot.addWidget(made)
    made.resize(700, 200)
    made.show()
    return made


@pytest.fixture
def queue(composer: Composer) -> QueueRows:
    return composer.queue


def test_each_message_has_a_row(queue: QueueRows) -> None:
    """With its words on one line, or the number of its files. Without messages nothing is there."""
    assert not queue.isVisible()
    queue.set_queue(QueueView(TWO))
    assert queue.isVisible()
    assert [row.accessibleName() for row in queue.rows] == ["First, in two lines", "2 files"]
    queue.set_queue(QueueView())
    assert not queue.isVisible()


def test_a_message_can_be_edited_dropped_and_sent_now(queue: QueueRows) -> None:
    """Each button names its message."""
    queue.set_queue(QueueView(TWO))
    said = heard(sent(), EditQueued, DropQueued, SendQueuedNow)
    queue.rows[0].edit_button.click()
    queue.rows[1].drop_button.click()
    queue.rows[1].now_button.click()
    assert said == [EditQueued("a"), DropQueued("b"), SendQueuedNow("b")]


def test_the_keyboard_reaches_the_rows_from_the_message_box(composer: Composer, queue: QueueRows, qtbot: QtBot) -> None:
    """Shift and Tab lead upwards through them, as they stand: from the last row to the first."""
    queue.set_queue(QueueView(TWO))
    first, last = queue.rows
    qtbot.waitUntil(last.drop_button.isVisible)
    composer.edit.setFocus()
    reached = []
    for _ in range(6):
        QTest.keyClick(QApplication.focusWidget() or composer, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
        reached.append(QApplication.focusWidget())
    assert reached == [*reversed(last.buttons), *reversed(first.buttons)]


def test_a_paused_queue_says_so_and_can_be_sent(queue: QueueRows) -> None:
    """While it is not paused, there is nothing to send: it goes by itself."""
    queue.set_queue(QueueView(TWO))
    assert not queue.send_button.isVisible()
    queue.set_queue(QueueView(TWO, paused=True))
    said = heard(sent(), SendQueued)
    queue.send_button.click()
    assert said == [SendQueued()]
    appearance.turn_to(DARK)
    assert queue.send_button.isVisible()


def test_a_very_long_queue_has_rows_for_its_beginning(queue: QueueRows) -> None:
    """A row for each of thousands, as a copy of another person may have, would stop the window at each start. Each
    message that is sent makes room for another row.
    """
    messages = tuple(QueuedView(str(number), "text") for number in range(60))
    queue.set_queue(QueueView(messages, paused=True))
    assert [row.message for row in queue.rows] == list(messages[:50])
    queue.set_queue(QueueView(messages[1:]))
    assert [row.message for row in queue.rows] == list(messages[1:51])


def test_a_long_queue_leaves_room_for_the_text(queue: QueueRows) -> None:
    """More than three rows scroll."""
    queue.set_queue(QueueView((*TWO, QueuedView("c", "3"))))
    height = queue.sizeHint().height()
    queue.set_queue(QueueView(tuple(QueuedView(str(number), "text") for number in range(20))))
    assert queue.sizeHint().height() == height
