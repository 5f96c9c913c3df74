"""Branches of a conversation: another one is shown with few edits of the document."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.fakes.documents import shown
from tests.fakes.intents import is_a
from tests.fakes.pages import anchor_point, settle
from tests.fakes.transcripts import ANSWER, DONE, OPEN, long_history, make, stream
from ui.intents.chat import Regenerate
from ui.state.chat import MessageView
from ui.transcript.anchors import AnchorAction
from ui.transcript.transcript import Transcript


def branch(count: int, *views: MessageView) -> tuple[MessageView, ...]:
    return (*long_history(count), *views)


def test_another_branch_keeps_shared_messages_in_place(qtbot: QtBot) -> None:
    """This holds wherever the user has scrolled to in the part that is replaced."""
    long = MessageView("x", "assistant", "first\n\n" + "word " * 600, place=1, places=2)
    transcript = make(qtbot, *branch(30, long))
    transcript.show()
    settle(qtbot, transcript)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.value() - 300)
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(transcript.writer.bounds(29)[0])
    before = transcript.cursorRect(cursor).top()
    other = MessageView("y", "assistant", "second\n\n" + "word " * 900, place=2, places=2)
    transcript.show_branch(branch(30, other))
    cursor.setPosition(transcript.writer.bounds(29)[0])
    assert transcript.cursorRect(cursor).top() == before
    fresh = make(qtbot, *branch(30, other))
    fresh.show()
    settle(qtbot, fresh)
    assert shown(transcript.document()) == shown(fresh.document())


def test_a_shorter_branch_ends_at_its_end(qtbot: QtBot) -> None:
    """Nothing is below the last message, and the view follows new text."""
    transcript = make(qtbot, *branch(30), MessageView("x", "assistant", "word " * 900))
    transcript.show()
    settle(qtbot, transcript)
    transcript.show_branch((*branch(30), OPEN))
    bar = transcript.verticalScrollBar()
    assert (bar.value(), transcript.scrolling.is_following) == (bar.maximum(), True)
    stream(qtbot, transcript, ANSWER * 3)
    assert bar.value() == bar.maximum()


@pytest.mark.parametrize("at_end", [True, False], ids=["at the end", "scrolled up"])
def test_a_turn_that_returns_at_the_end_is_shown_there(qtbot: QtBot, *, at_end: bool) -> None:
    """After an undo the user sees what came back, unless the view was elsewhere."""
    transcript = make(qtbot, *branch(30, replace(DONE, text="word " * 900)))
    transcript.show()
    settle(qtbot, transcript)
    transcript.show_branch(branch(30))
    bar = transcript.verticalScrollBar()
    if not at_end:
        bar.setValue(bar.value() - 300)
    before = bar.value()
    transcript.show_branch(branch(30, replace(DONE, text="word " * 900)))
    settle(qtbot, transcript)
    assert bar.value() == (bar.maximum() if at_end else before)
    assert transcript.scrolling.is_following == at_end


def test_another_version_of_the_first_message_stays_where_the_user_chose_it(qtbot: QtBot) -> None:
    """The view does not jump to the end of a long chat."""
    first, *rest = long_history(30, "word " * 60)
    transcript = make(qtbot, first, *rest)
    transcript.show()
    settle(qtbot, transcript)
    transcript.scrolling.to_top()
    settle(qtbot, transcript)
    transcript.verticalScrollBar().setValue(30)
    transcript.show_branch(tuple(replace(view, id=f"o{view.id}") for view in (first, *rest)))
    settle(qtbot, transcript)
    assert transcript.verticalScrollBar().value() == 30
    assert not transcript.scrolling.is_following


@pytest.mark.parametrize("kept", range(1, 5))
@pytest.mark.parametrize("loaded", [0, 2, 4])
def test_a_branch_of_which_nothing_shared_is_on_the_page_is_shown(qtbot: QtBot, loaded: int, kept: int) -> None:
    """An edit in a chat behind another tab, whose page is empty: it was `loaded` so far, and then it grew."""
    first, other = replace(OPEN, id="first"), replace(DONE, id="other")
    transcript = make(qtbot, *branch(4)[:loaded])
    for view in branch(4)[loaded:]:
        transcript.add_message(view)
    transcript.show_branch((*branch(4)[:kept], first))
    transcript.show_branch((*branch(4)[:kept], other))
    transcript.show()
    settle(qtbot, transcript)
    fresh = make(qtbot, *branch(4)[:kept], other)
    fresh.show()
    settle(qtbot, fresh)
    assert shown(transcript.document()) == shown(fresh.document())


@pytest.mark.parametrize("kept", [0, 5, 60], ids=["nothing", "what is not loaded", "nearly all"])
def test_any_branch_equals_the_same_messages_shown_at_once(qtbot: QtBot, kept: int) -> None:
    """This holds if the branches part in history that is not loaded, and for a hidden transcript."""
    history = long_history(61)
    other = (*history[:kept], *(replace(view, id=f"o{view.id}") for view in history[kept:60]))
    transcript, hidden, fresh = make(qtbot, *history), make(qtbot, *history), make(qtbot, *other)
    transcript.show()
    for one in (transcript, hidden):
        one.show_branch(other)
    hidden.show()
    fresh.show()
    for one in (transcript, hidden, fresh):
        settle(qtbot, one)
    assert shown(transcript.document()) == shown(fresh.document()) == shown(hidden.document())


def test_an_arrow_beside_the_icon_offers_more_alternatives(qtbot: QtBot, transcript: Transcript) -> None:
    """At the newest answer, so that they can be found without a right click. The menu opens right below the arrow,
    wherever the system believes the mouse is.
    """
    QCursor.setPos(0, 0)
    transcript.replace_message(DONE)
    transcript.updates.flush()
    place = anchor_point(transcript, AnchorAction("choose", "a").href)
    QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    (menu,) = transcript.findChildren(QMenu)
    below = menu.geometry().topLeft() - transcript.viewport().mapToGlobal(place)
    assert abs(below.x()) < 30
    assert abs(below.y()) < 30 or abs(below.y() + menu.height()) < 30
    with qtbot.waitSignal(transcript.requested, check_params_cb=is_a(Regenerate)) as asked:
        next(action for action in menu.actions() if action.text().startswith("3 alternatives\n")).trigger()
    assert asked.args == [Regenerate("a", 3)]
    menu.close()


def test_more_alternatives_are_offered_on_a_right_click(qtbot: QtBot, transcript: Transcript) -> None:
    """The menu opens over the icon that regenerates, and nowhere else."""
    transcript.replace_message(DONE)
    for href in (AnchorAction("fork", "a").href, "https://a.example"):
        transcript.pointer.menu_requested.emit(href, QPoint(0, 0))
    assert not transcript.findChildren(QMenu)
    transcript.pointer.menu_requested.emit(AnchorAction("alternatives", "a", 1).href, QPoint(0, 0))
    (menu,) = transcript.findChildren(QMenu)
    with qtbot.waitSignal(transcript.requested, check_params_cb=is_a(Regenerate)) as asked:
        next(action for action in menu.actions() if action.text().startswith("3 alternatives\n")).trigger()
    assert asked.args == [Regenerate("a", 3)]
    menu.close()


def test_a_selection_of_everything_does_not_grow_into_new_messages(qtbot: QtBot) -> None:
    """A question that the user sends, or another branch, removes it. A selection in the middle stays."""
    transcript = make(qtbot, *branch(4))
    transcript.show()
    settle(qtbot, transcript)
    transcript.selectAll()
    transcript.add_message(MessageView("q", "user", "My code word is tulip"))
    assert not transcript.textCursor().hasSelection()
    transcript.selectAll()
    transcript.show_branch(branch(4, MessageView("r", "user", "My code word is rose")))
    assert not transcript.textCursor().hasSelection()
    cursor = transcript.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(5, QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    transcript.add_message(OPEN)
    assert (transcript.textCursor().selectionStart(), transcript.textCursor().selectionEnd()) == (0, 5)
