"""Typing in the window: a message, an edit of an earlier one, and words typed beside every field."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import GENERATING, answered, answering, asked, chat
from tests.fakes.window_hands import tab, type_and_send
from ui.intents.chat import (
    Edit,
    InChat,
    Stop,
    Submit,
)
from ui.intents.library import NewChat
from ui.intents.notice import undo_notice
from ui.state.chat import AttachmentView
from ui.state.engine import ModelCapabilities
from ui.widgets.text_field import LONGEST
from ui.window.main_window import MainWindow


def test_an_edited_question_is_sent_by_its_name(window: MainWindow, qtbot: QtBot) -> None:
    """The edit names its message. The message is marked while it is edited, and the draft comes back."""
    window.chats.open(chat("a", asked("m"), answered("n"), draft="half a thought"))
    shown = tab(window, "a")
    shown.transcript.edit_started.emit("m")
    assert (shown.composer.edit.toPlainText(), shown.transcript.writer.lines(0)[0].level) == ("Why?", 1)
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Edit)) as edited:
        type_and_send(window, "a", "Why not?")
    assert edited.args == [InChat("a", Edit("m", "Why not?"))]
    assert (shown.composer.edit.toPlainText(), shown.transcript.writer.lines(0)[0].level) == ("half a thought", 0)


def test_a_sent_edit_is_scrolled_to(window: MainWindow) -> None:
    """Only after an edit; showing another branch does not scroll."""
    talk = tuple(answered(str(at), "word " * 90) for at in range(20))
    window.chats.open(chat("a", *talk, asked("m")))
    shown = tab(window, "a")
    bar = shown.transcript.verticalScrollBar()
    shown.editing.begin("m")
    bar.setValue(0)
    type_and_send(window, "a", "Why not?")
    tab(window, "a").show_branch((*talk, asked("o")))
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    tab(window, "a").show_branch((*talk, asked("m")))
    assert bar.value() == 0


def test_one_edit_does_not_swallow_another(window: MainWindow) -> None:
    """The text of an unsent edit is kept while another message is edited. Deleting a message ends its edit, and undoing
    that brings its words back.
    """
    messages = asked("m", "One?"), answered("n"), asked("o", "Two?")
    window.chats.open(chat("a", *messages))
    shown = tab(window, "a")
    shown.editing.begin("m")
    shown.composer.edit.setPlainText("One, really?")
    shown.editing.begin("o")
    assert shown.composer.edit.toPlainText() == "Two?"
    shown.editing.begin("m")
    assert shown.composer.edit.toPlainText() == "One, really?"
    shown.show_branch(messages[2:])
    assert (shown.composer.edit.toPlainText(), shown.composer.banner.isVisible()) == ("", False)
    shown.show_branch(messages)
    shown.editing.begin("m")
    assert shown.composer.edit.toPlainText() == "One, really?"


def test_an_edit_shows_the_files_of_its_message(window: MainWindow) -> None:
    """They are part of it. Cancel leaves them where they are."""
    question = replace(asked("m", "One?"), attachments=(AttachmentView("f", "notes.md"),))
    window.chats.open(chat("a", question, answered("n")))
    shown = tab(window, "a")
    shown.editing.begin("m")
    assert [chip.file.name for chip in shown.composer.attachments.chips()] == ["notes.md"]
    shown.composer.end_edit()
    assert shown.composer.attachments.chips() == []


def test_a_question_that_no_field_can_hold_is_not_edited(window: MainWindow) -> None:
    """An import may bring one of megabytes: each key in it would take seconds. The draft stays."""
    window.chats.open(chat("a", replace(asked("m"), text="x" * (LONGEST + 1)), answered("n"), draft="half a thought"))
    shown = tab(window, "a")
    shown.editing.begin("m")
    assert (shown.composer.edit.toPlainText(), shown.composer.edited) == ("half a thought", "")
    assert QToolTip.text() == "This message is too long to be edited."


def test_escape_cancels_an_edit_before_it_stops_an_answer(window: MainWindow, qtbot: QtBot) -> None:
    """The first press cancels the edit, the second stops the answer."""
    window.chats.open(chat("a", asked("m"), answering("n"), status=GENERATING))
    shown = tab(window, "a")
    shown.editing.begin_newest()
    window.activateWindow()
    shown.composer.edit.setFocus()
    with unasked(window, Stop):
        QTest.keyClick(shown.composer.edit, Qt.Key.Key_Escape)
    assert not shown.composer.banner.isVisible()
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Stop)):
        QTest.keyClick(shown.composer.edit, Qt.Key.Key_Escape)


@pytest.mark.parametrize("place", ["transcript", "think_chip", "tabs"])
def test_what_is_typed_beside_a_field_goes_into_the_message(window: MainWindow, place: str) -> None:
    """Wherever a click or a menu has left the focus. Keys that write nothing, and those with a command, do not."""
    window.store.capabilities.put(ModelCapabilities(thinks=True))
    window.chats.open(chat("a", asked("m"), answered("n")))
    shown = tab(window, "a")
    no_keys, command = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
    focused: QWidget = {"transcript": shown.transcript, "think_chip": shown.composer.think_chip, "tabs": window.tabs}[
        place
    ]
    window.activateWindow()
    focused.setFocus()
    for key, modifiers in ((Qt.Key.Key_F7, no_keys), (Qt.Key.Key_Shift, no_keys), (Qt.Key.Key_J, command)):
        QTest.keyClick(focused, key, modifiers)
    assert (shown.composer.edit.toPlainText(), shown.composer.edit.hasFocus()) == ("", False)
    QTest.keyClicks(focused, "H")
    assert (shown.composer.edit.toPlainText(), shown.composer.edit.hasFocus()) == ("H", True)


def test_what_is_pasted_onto_the_transcript_goes_into_the_message(window: MainWindow) -> None:
    """The command is the window's, so it reaches whatever has the focus."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    shown = tab(window, "a")
    QGuiApplication.clipboard().setText("From elsewhere")
    window.activateWindow()
    shown.transcript.setFocus()
    window.actions_by_name["paste"].trigger()
    assert (shown.composer.edit.toPlainText(), shown.composer.edit.hasFocus()) == ("From elsewhere", True)


def test_leaving_the_search_leads_to_the_message(window: MainWindow) -> None:
    """Escape in the empty field of the search."""
    window.chats.open(chat("a"))
    window.activateWindow()
    window.sidebar.search.setFocus()
    QTest.keyClick(window.sidebar.search, Qt.Key.Key_Escape)
    assert tab(window, "a").composer.edit.hasFocus()


def test_an_empty_chat_greets_and_an_example_is_sent_at_one_click(window: MainWindow) -> None:
    """Once there is a message, the greeting goes."""
    window.chats.open(chat("a"))
    greeting = tab(window, "a").greeting
    assert greeting.isVisible()
    said = heard(window, Submit)
    example = greeting.findChild(QAbstractButton, "example1")
    assert example is not None
    QTest.mouseClick(example, Qt.MouseButton.LeftButton)
    assert InChat("a", Submit("My code word is marigold. Please remember it.")) in said
    tab(window, "a").add_message(asked("m"))
    assert not greeting.isVisible()


def test_typing_goes_on_after_a_notice_was_answered_by_key(window: MainWindow, qtbot: QtBot) -> None:
    """The keyboard returns to the message box, not to the next button of the window."""
    window.chats.open(chat("a"))
    window.show_notice(undo_notice("undo:b", "The chat was deleted.", NewChat()))
    button = window.findChild(QPushButton, "noticeAction")
    assert button is not None
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    window.clear_notice("undo:b")
    assert tab(window, "a").composer.edit.hasFocus()
