"""The commands of the menus on the chat in front, by key and by entry."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import GENERATING, answered, answering, asked, chat, row
from tests.fakes.window_hands import tab
from ui.intents.chat import (
    EVERYTHING,
    Fork,
    InChat,
    MoveToFolder,
    Open,
    Regenerate,
    Rename,
    SetTags,
    ShowEarlier,
    Step,
    Stop,
)
from ui.intents.chat_settings import SetSwitch
from ui.intents.library import DeleteChats, NewChat, PinChats, UndoDelete
from ui.intents.models import FreeModel
from ui.intents.notice import Notice, undo_notice
from ui.intents.voice import ReadAloud, StopReading
from ui.state.chat import VoiceView
from ui.state.engine import EngineState, EngineView
from ui.window.main_window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_new_chat_by_either_key(window: MainWindow, qtbot: QtBot) -> None:
    """New chat and new tab are the same command."""
    for key in (Qt.Key.Key_N, Qt.Key.Key_T):
        with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewChat)):
            QTest.keyClick(window, key, CTRL)


def test_a_closed_tab_is_reopened_by_the_app(window: MainWindow, qtbot: QtBot) -> None:
    """The tab that was closed last is reopened first."""
    for name in "ab":
        window.chats.open(chat(name))
    for _ in "ab":
        QTest.keyClick(window, Qt.Key.Key_W, CTRL)
    for name in "ab":
        with qtbot.waitSignal(window.requested, check_params_cb=is_a(Open)) as opened:
            QTest.keyClick(window, Qt.Key.Key_T, CTRL | SHIFT)
        assert opened.args == [InChat(name, Open())]
    assert not window.actions_by_name["reopen_tab"].isEnabled()


def test_tabs_by_number_and_in_turn(window: MainWindow) -> None:
    """Next and previous wrap around."""
    for name in "abc":
        window.chats.open(chat(name))
    QTest.keyClick(window, Qt.Key.Key_1, CTRL)
    assert window.tabs.current() == "a"
    window.actions_by_name["previous_tab"].trigger()
    assert window.tabs.current() == "c"
    window.actions_by_name["next_tab"].trigger()
    assert window.tabs.current() == "a"
    QTest.keyClick(window, Qt.Key.Key_9, CTRL)
    assert window.tabs.current() == "a"


def test_escape_stops_the_shown_answer_only_while_there_is_one(window: MainWindow, qtbot: QtBot) -> None:
    """Answers in other tabs continue."""
    window.chats.open(chat("a", status=GENERATING))
    window.chats.open(chat("b"))
    with unasked(window, Stop):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    window.tabs.show_tab("a")
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Stop)) as stopped:
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert stopped.args == [InChat("a", Stop())]
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Stop)):
        QTest.keyClick(window, Qt.Key.Key_Period, CTRL)


def test_regenerate_asks_for_the_newest_reply(window: MainWindow, qtbot: QtBot) -> None:
    """Only if that has ended and no answer is in progress."""
    window.chats.open(chat("a", asked("1"), answered("2"), asked("3"), answering("4"), status=GENERATING))
    assert not window.actions_by_name["regenerate"].isEnabled()
    window.set_status("a", chat("a").status)
    assert not window.actions_by_name["regenerate"].isEnabled()
    tab(window, "a").replace_message(answered("4"))
    window.set_status("a", GENERATING)
    assert not window.actions_by_name["regenerate"].isEnabled()
    window.set_status("a", chat("a").status)
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Regenerate)) as asked_again:
        QTest.keyClick(window, Qt.Key.Key_R, CTRL)
    assert asked_again.args == [InChat("a", Regenerate("4", 1))]
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Regenerate)) as asked_again:
        QTest.keyClick(window, Qt.Key.Key_R, CTRL | SHIFT)
    assert asked_again.args == [InChat("a", Regenerate("4", 3))]


def test_alternatives_are_stepped_through_by_key(window: MainWindow, qtbot: QtBot) -> None:
    """Those of the newest message that has alternatives."""
    question, reply = replace(asked("1"), places=2), replace(answered("2"), place=2, places=2)
    window.chats.open(chat("a", question, reply, asked("3"), answered("4")))
    assert not window.actions_by_name["next_alternative"].isEnabled()
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Step)) as stepped:
        QTest.keyClick(window, Qt.Key.Key_BracketLeft, CTRL)
    assert stepped.args == [InChat("a", Step("2", -1))]
    tab(window, "a").show_branch((question, asked("3")))
    assert not window.actions_by_name["previous_alternative"].isEnabled()
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Step)) as stepped:
        QTest.keyClick(window, Qt.Key.Key_BracketRight, CTRL)
    assert stepped.args == [InChat("a", Step("1", 1))]


def test_the_last_question_is_edited_by_key(window: MainWindow) -> None:
    """Also while it is being answered."""
    window.chats.open(chat("a", asked("1"), answered("2"), asked("3", "How?"), answering("4"), status=GENERATING))
    QTest.keyClick(window, Qt.Key.Key_E, CTRL)
    found = window.chats.tab("a")
    assert found is not None
    assert found.composer.edit.toPlainText() == "How?"


def test_a_chat_is_forked_at_its_last_message(window: MainWindow, qtbot: QtBot) -> None:
    """The fork has what an answer in progress has said so far, and can be continued: it never ends in a question that
    nothing answers.
    """
    window.chats.open(chat("a", asked("1"), answered("2"), asked("3"), answering("4")))
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Fork)) as forked:
        QTest.keyClick(window, Qt.Key.Key_N, CTRL | Qt.KeyboardModifier.AltModifier)
    assert forked.args == [InChat("a", Fork("4"))]


def test_the_last_answer_is_copied_as_it_was_written(window: MainWindow) -> None:
    """As Markdown, with the text streamed so far."""
    window.chats.open(chat("a", asked("1"), answering("2")))
    tab(window, "a").append_delta("2", "**Because**")
    window.actions_by_name["copy_answer"].trigger()
    assert QGuiApplication.clipboard().text() == "**Because**"


def test_quit_closes_the_window_and_ends_nothing_else(window: MainWindow, qtbot: QtBot) -> None:
    """The app has to save before it quits."""
    application = QGuiApplication.instance()
    assert application is not None
    with qtbot.assertNotEmitted(application.aboutToQuit), qtbot.waitSignal(window.closing):
        QTest.keyClick(window, Qt.Key.Key_Q, CTRL)
    assert not window.isVisible()


def test_search_shows_a_hidden_sidebar(window: MainWindow) -> None:
    """The key focuses the search field. If the sidebar is hidden, it is shown first."""
    window.stage.sidebar_place.toggle()
    QTest.keyClick(window, Qt.Key.Key_K, CTRL)
    assert window.sidebar.isVisible()
    assert window.focusWidget() is window.sidebar.search


def test_editing_goes_to_the_text_with_the_keyboard(window: MainWindow) -> None:
    """The Edit menu acts on the focused text field, and does nothing without one."""
    window.chats.open(chat("a", draft="some words"))
    window.activateWindow()
    found = window.chats.tab("a")
    assert found is not None
    found.composer.edit.setFocus()
    for name in ("selectAll", "cut"):
        window.actions_by_name[name].trigger()
    assert (found.composer.edit.toPlainText(), QGuiApplication.clipboard().text()) == ("", "some words")
    window.actions_by_name["undo"].trigger()
    assert found.composer.edit.toPlainText() == "some words"
    window.sidebar.list.setFocus()
    window.actions_by_name["cut"].trigger()
    assert found.composer.edit.toPlainText() == "some words"


def test_undo_takes_back_what_came_last(window: MainWindow) -> None:
    """The key does what the newest notice offers, also from the message box, until more is typed there. A notice with
    another button is not pressed.
    """
    window.chats.open(chat("a"))
    window.activateWindow()
    edit, asked_for = tab(window, "a").composer.edit, heard(window, UndoDelete)
    edit.setFocus()
    QTest.keyClicks(edit, "old")
    window.show_notice(undo_notice("undo:b", "The chat was deleted.", UndoDelete("b")))
    window.show_notice(Notice("full", "The disk is full.", "Settings", intent=UndoDelete("c")))
    for field in (edit, window.sidebar.list):
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    assert (asked_for, edit.toPlainText()) == ([UndoDelete("b")] * 2, "old")
    edit.setFocus()
    QTest.keyClicks(edit, " new")
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL)
    assert (len(asked_for), "new" in edit.toPlainText()) == (2, False)
    window.clear_notice("undo:b")
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL)
    assert (len(asked_for), edit.toPlainText()) == (2, "")


def test_a_chat_is_renamed_in_a_sheet(window: MainWindow, qtbot: QtBot) -> None:
    """A dialog asks for the title, so that it works without the sidebar."""
    window.chats.open(chat("a"))
    window.actions_by_name["rename"].trigger()
    dialog = window.findChild(QInputDialog, "renameDialog")
    assert dialog is not None
    assert dialog.textValue() == "Title a"
    dialog.setTextValue(" Better ")
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Rename)) as renamed:
        dialog.accept()
    assert renamed.args == [InChat("a", Rename("Better"))]


def test_delete_names_the_shown_chat(window: MainWindow, qtbot: QtBot) -> None:
    """The window only asks: the app deletes, and offers to undo that."""
    window.store.conversations.put((row("a"), row("b")))
    window.chats.open(chat("a"))
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(DeleteChats)) as deleted:
        window.actions_by_name["delete"].trigger()
    assert deleted.args == [DeleteChats(("a",))]
    assert window.chats.tab("a") is not None


def test_keys_jump_from_message_to_message(window: MainWindow, qtbot: QtBot) -> None:
    """Up to the message before, down to the next one, to the top and to the newest; also from the message box."""
    turns = [message for n in range(9) for message in (asked(f"q{n}", "Why? " * 90), answered(f"a{n}", "So. " * 90))]
    window.chats.open(chat("a", *turns))
    shown = tab(window, "a").transcript
    qtbot.waitUntil(lambda: shown.is_settled and shown.loaded.start == 0)
    bar, alt = shown.verticalScrollBar(), Qt.KeyboardModifier.AltModifier
    edit = tab(window, "a").composer.edit

    def at_top() -> int:
        return min(range(len(turns)), key=lambda at: abs(shown.scrolling.top_of(at) - 20 - bar.value()))

    QTest.keyClick(edit, Qt.Key.Key_Home, alt)
    assert bar.value() == 0
    QTest.keyClick(edit, Qt.Key.Key_Down, alt)
    QTest.keyClick(edit, Qt.Key.Key_Down, alt)
    assert at_top() == 2
    QTest.keyClick(edit, Qt.Key.Key_Up, alt)
    assert at_top() == 1
    QTest.keyClick(edit, Qt.Key.Key_End, alt)
    assert bar.value() == bar.maximum()
    QTest.keyClick(edit, Qt.Key.Key_Up, alt)
    assert bar.value() < bar.maximum()


def test_the_top_of_a_long_chat_is_loaded(window: MainWindow, qtbot: QtBot) -> None:
    """A jump to the top asks for all earlier messages, and goes to the first one when they are there."""
    window.chats.open(chat("a", *(asked(f"q{n}", "Why? " * 50) for n in range(20))))
    shown = tab(window, "a")
    shown.show_earlier((), earlier=True)
    intents = heard(window, ShowEarlier)
    window.actions_by_name["scroll_to_top"].trigger()
    assert InChat("a", ShowEarlier("q0", EVERYTHING)) in intents
    qtbot.waitUntil(shown.transcript.busy_sign.isVisible)
    shown.show_earlier(tuple(asked(f"e{n}", "Who? " * 50) for n in range(80)), earlier=False)
    bar = shown.transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: shown.transcript.loaded.start == 0 and bar.value() == 0)
    qtbot.waitUntil(shown.transcript.busy_sign.isHidden)


def test_the_shown_chat_is_marked_by_menu(window: MainWindow) -> None:
    """The entries show the present state and toggle it."""
    window.store.conversations.put((replace(row("a"), pinned=True, cached=False, tags=("rust",)),))
    window.chats.open(chat("a"))
    pin, keep = window.actions_by_name["pin"], window.actions_by_name["keep_warm"]
    assert (pin.text(), keep.isChecked()) == ("Unpin chat", False)
    said = heard(window)
    pin.trigger()
    keep.trigger()
    assert said == [PinChats(("a",), pinned=False), InChat("a", SetSwitch("cached", is_on=True))]
    window.store.conversations.put((row("a"),))
    assert (pin.text(), keep.isChecked()) == ("Pin chat", True)


def test_the_shown_chat_is_filed_by_menu(window: MainWindow) -> None:
    """Dialogs offer the existing folders and tags."""
    window.store.conversations.put((replace(row("a"), folder="Home", tags=("rust",)),))
    window.store.folders.put(("Work", "Home"))
    window.chats.open(chat("a"))
    window.actions_by_name["folder"].trigger()
    window.actions_by_name["tags"].trigger()
    folder, tags = (window.findChild(QInputDialog, name) for name in ("folderDialog", "tagsDialog"))
    assert folder is not None
    assert tags is not None
    assert (folder.comboBoxItems(), folder.textValue(), tags.textValue()) == (["Home", "Work"], "Home", "rust")
    folder.setTextValue("Work")
    said = heard(window)
    folder.accept()
    tags.accept()
    assert said == [InChat("a", MoveToFolder("Work")), InChat("a", SetTags("rust"))]


def test_a_loaded_model_can_be_unloaded(window: MainWindow, qtbot: QtBot) -> None:
    """Only while one is in memory."""
    action = window.actions_by_name["unload"]
    for state in EngineState:
        window.store.engine.put(EngineView(state))
        assert action.isEnabled() == (state is EngineState.READY)
    window.store.engine.put(EngineView(EngineState.READY))
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(FreeModel)):
        action.trigger()


def test_find_in_chat_by_key(window: MainWindow) -> None:
    """Ctrl+F opens the find bar of the tab in front; F3 and Ctrl+G step through the hits, also from the message box."""
    window.chats.open(chat("a"))
    assert not window.actions_by_name["find"].isEnabled()
    window.chats.open(chat("a", asked("q", "a fox and a fox")))
    QTest.keyClick(window, Qt.Key.Key_F, CTRL)
    bar = tab(window, "a").find_bar
    assert bar.field.hasFocus()
    QTest.keyClicks(bar.field, "fox")
    tab(window, "a").composer.edit.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F3)
    assert bar.count.text() == "2 of 2"
    QTest.keyClick(window, Qt.Key.Key_G, CTRL | SHIFT)
    assert bar.count.text() == "1 of 2"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    QTest.keyClick(window, Qt.Key.Key_G, CTRL)
    assert bar.isVisible()


def test_a_maximised_window_is_maximised_again_after_full_screen(window: MainWindow) -> None:
    """And any other one is as large as it was."""
    trigger = window.actions_by_name["full_screen"].trigger
    for is_maximised in (True, False):
        window.showMaximized() if is_maximised else window.showNormal()
        trigger()
        assert window.isFullScreen()
        trigger()
        assert (window.isFullScreen(), window.isMaximized()) == (False, is_maximised)


def test_the_last_answer_is_read_aloud_and_escape_stops_the_voice_first(window: MainWindow) -> None:
    """The answer in progress goes on."""
    window.chats.open(chat("a", asked("m"), answered("n", "Yes.")))
    action, stop, asked_for = window.actions_by_name["read_aloud"], window.actions_by_name["stop"], heard(window)
    action.trigger()
    assert asked_for == [ReadAloud("n", "Yes.")]
    assert not stop.isEnabled()
    window.store.voice.put(VoiceView(message="n"))
    stop.trigger()
    assert asked_for[1:] == [StopReading()]
