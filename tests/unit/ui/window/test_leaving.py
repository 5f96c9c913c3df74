"""Closing a private chat, or the window, asks before words are lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import GENERATING, answered, answering, asked, chat
from ui.intents.chat import (
    CloseTab,
    InChat,
    SaveDraft,
)
from ui.intents.library import ArrangeTabs, DeleteChats, ExportChats, NewPrivateChat
from ui.state.chat import AttachmentView, ChatView
from ui.window.main_window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier


def test_a_private_chat_is_asked_for(window: MainWindow, qtbot: QtBot) -> None:
    """By key, and by a button on the home page."""
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewPrivateChat)):
        QTest.keyClick(window, Qt.Key.Key_N, CTRL | Qt.KeyboardModifier.ShiftModifier)
    button = window.pages.home.findChild(QPushButton, "homeNewPrivate")
    assert button is not None
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewPrivateChat)):
        button.click()


def test_a_private_tab_that_is_closed_is_gone(window: MainWindow, qtbot: QtBot) -> None:
    """It cannot be reopened, to delete it is to close it, and actions on listed chats are disabled."""
    window.chats.open(replace(chat("p"), private=True))
    assert window.windowTitle() == "Private chat", "its words stand in no list of windows"
    assert not any(window.actions_by_name[name].isEnabled() for name in ("pin", "tags", "keep_warm"))
    with unasked(window, DeleteChats), qtbot.waitSignal(window.requested, check_params_cb=is_a(CloseTab)) as closed:
        window.actions_by_name["delete"].trigger()
    assert closed.args == [InChat("p", CloseTab())]
    assert not window.actions_by_name["reopen_tab"].isEnabled()


def test_a_private_chat_is_exported_like_any_other(window: MainWindow, qtbot: QtBot) -> None:
    """By its key and by the menu of its tab. The user chooses the file, so the export is deliberate."""
    window.chats.open(ChatView("p", "Secret", private=True))
    QTest.keyClick(window, Qt.Key.Key_E, CTRL | Qt.KeyboardModifier.ShiftModifier)
    asked = window.findChild(QFileDialog, "exportDialog")
    assert asked is not None
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(ExportChats)) as said:
        asked.filesSelected.emit(["/x/Secret.md"])
    assert said.args == [ExportChats(("p",), "/x/Secret.md")]
    asked.reject()


@pytest.mark.parametrize(
    "view",
    [
        chat("p", asked("q"), answering("a"), status=GENERATING),
        chat("p", asked("q"), answered("a")),
        chat("p", draft="half a thought"),
        replace(chat("p"), attachments=(AttachmentView("f", "notes.txt"),)),
    ],
)
def test_a_private_chat_with_content_is_erased_only_after_a_question(
    window: MainWindow, qtbot: QtBot, view: ChatView
) -> None:
    """The question says that the chat is gone then. Return keeps it; the other button closes it."""
    window.chats.open(replace(view, private=True))
    with unasked(window, CloseTab):
        QTest.keyClick(window, Qt.Key.Key_W, CTRL)
        box = window.findChild(QMessageBox, "question")
        assert box is not None
        assert "cannot be brought back" in box.informativeText()
        assert ("still being written" in box.informativeText()) == (view.status is GENERATING)
        QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.chats.tab("p") is not None
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window.actions_by_name["close_tab"].trigger()
    box = window.findChild(QMessageBox, "question")
    assert box is not None
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(CloseTab)):
        next(button for button in box.buttons() if button.text() == "Close and erase").click()
    assert window.chats.tab("p") is None


def test_a_deleted_chat_keeps_the_last_words_of_its_draft(window: MainWindow) -> None:
    """They are saved before the chat goes, and are there again after Undo."""
    window.chats.open(chat("a"))
    tab = window.chats.current_tab()
    assert tab is not None
    tab.composer.edit.setPlainText("half a thought")
    said = heard(window)
    window.actions_by_name["delete"].trigger()
    kept = InChat("a", SaveDraft("half a thought"))
    assert said.index(kept) < said.index(DeleteChats(("a",)))


def test_quitting_with_a_private_chat_asks_as_closing_its_tab_does(window: MainWindow, qtbot: QtBot) -> None:
    """The chat in front stays there: Return keeps Hearth open where the user was, and the next start begins there. A
    second try does not ask twice.
    """
    window.chats.open(replace(chat("p", asked("q"), answered("a")), private=True))
    window.chats.open(replace(chat("e"), private=True))
    window.chats.open(chat("a"))
    said = heard(window, ArrangeTabs)
    with qtbot.assertNotEmitted(window.closing):
        window.actions_by_name["quit"].trigger()
        window.close()
        (box,) = window.findChildren(QMessageBox, "question")
        assert (box.text(), window.tabs.current()) == ("Quit and erase 1 private chat?", "a")
        QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.chats.tab("p") is not None
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window.actions_by_name["quit"].trigger()
    (box,) = window.findChildren(QMessageBox, "question")
    with qtbot.waitSignal(window.closing):
        next(button for button in box.buttons() if button.text() == "Quit and erase").click()
    assert (window.isVisible(), said) == (False, [])


@pytest.mark.parametrize("private", [True, False])
def test_words_that_cannot_be_saved_are_lost_after_a_question_only(
    window: MainWindow,
    qtbot: QtBot,
    private: bool,  # noqa: FBT001 - a parameter
) -> None:
    """One question, also if a private chat goes with them, and also after a change of the language."""
    window.are_words_refused = lambda: True
    window.rebuild()
    window.chats.open(replace(chat("p", asked("q"), answered("a")), private=private))
    with qtbot.assertNotEmitted(window.closing):
        window.close()
    (box,) = window.findChildren(QMessageBox, "question")
    assert box.text() == "Quit and lose the newest words?"
    assert ("Private chats" in box.informativeText()) == private
    with qtbot.waitSignal(window.closing):
        next(button for button in box.buttons() if button.text() == "Quit and lose them").click()


def test_a_signal_of_the_system_quits_without_a_question(window: MainWindow, qtbot: QtBot) -> None:
    """While the system shuts down, no user is there to answer it."""
    window.chats.open(replace(chat("p", draft="half a thought"), private=True))
    with qtbot.waitSignal(window.closing):
        window.leaving.leave()
