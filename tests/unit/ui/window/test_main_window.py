from __future__ import annotations

import sys
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import GENERATING, LARGE, PRESETS, TINY, answered, answering, asked, chat, row
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.chat import (
    Attach,
    CloseTab,
    Edit,
    InChat,
    Open,
    Pause,
    Pin,
    Retry,
    SaveDraft,
    ShowEarlier,
    Stop,
    Submit,
)
from ui.intents.chat_settings import SetPreset, SetSystem, SetThinking, ShowChatSettings
from ui.intents.library import Attend, FocusTab, NewChat, RenameFolder
from ui.intents.models import PickModel
from ui.intents.settings import SetPreferences
from ui.sidebar.conversations_model import ConversationRole
from ui.state.chat import AttachmentView, ChatPhase, ChatStatus, ChatView, MessageState, MessageView
from ui.state.chat_settings import ChatSettingsView
from ui.state.engine import EngineState, EngineView, MemoryView, ModelCapabilities
from ui.state.notice import Notice
from ui.state.preferences import Preferences
from ui.theme.theme import DARK, LIGHT
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.chat.chat_tab import ChatTab


def tab(window: MainWindow, conversation: str) -> ChatTab:
    found = window.chats.tab(conversation)
    assert found is not None
    return found


def type_and_send(window: MainWindow, conversation: str, text: str) -> None:
    composer = tab(window, conversation).composer
    composer.edit.setPlainText(text)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)


def newest_answer(window: MainWindow) -> tuple[str, str, MessageState]:
    messages = tab(window, "a").transcript.messages
    answer = messages.newest_of("assistant")
    assert answer is not None
    return answer.id, messages.text_of(answer.id), answer.state


def colour_at(window: MainWindow, x: int, y: int) -> str:
    return window.grab().toImage().pixelColor(x, y).name()


def test_an_intent_of_a_tab_names_its_conversation(window: MainWindow, qtbot: QtBot) -> None:
    """An intent of a tab names its conversation, also if another tab is in front."""
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.set_presets(PRESETS)
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Submit)) as sent:
        type_and_send(window, "a", "Hello")
    assert sent.args == [InChat("a", Submit("Hello"))]
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(SetPreset)) as picked:
        tab(window, "a").composer.preset_chip.picked.emit("precise")
    assert picked.args == [InChat("a", SetPreset("precise"))]


def test_the_strip_follows_how_a_chat_is_kept(window: MainWindow) -> None:
    """As soon as the list says so, also for a chat that is open."""
    window.chats.open(chat("a"))
    window.show_conversations((replace(row("a"), cached=False),))
    assert "Not kept ready" in tab(window, "a").strip.accessibleName()
    window.show_conversations((row("a"),))
    assert "Not kept ready" not in tab(window, "a").strip.accessibleName()


def test_intents_about_a_turn_name_their_conversation(window: MainWindow) -> None:
    """Each intent is wrapped with its conversation."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    window.chats.open(chat("b"))
    shown = tab(window, "a")
    said = heard(window)
    shown.transcript.requested.emit(Retry("n", 3))
    shown.composer.pause_button.requested.emit(Pause())
    shown.composer.think_chip.click()
    shown.composer.requested.emit(PickModel("large"))
    wanted = (Retry("n", 3), Pause(), SetThinking(thinking=True))
    assert said == [*(InChat("a", intent) for intent in wanted), PickModel("large")]


def test_an_edited_question_is_sent_by_its_name(window: MainWindow, qtbot: QtBot) -> None:
    """The edit names its message. The message is marked while it is edited, and the draft comes back."""
    window.chats.open(chat("a", asked("m"), answered("n"), draft="half a thought"))
    shown = tab(window, "a")
    shown.transcript.edit_started.emit("m")
    assert (shown.composer.text(), shown.transcript.writer.lines(0)[0].level) == ("Why?", 1)
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Edit)) as edited:
        type_and_send(window, "a", "Why not?")
    assert edited.args == [InChat("a", Edit("m", "Why not?"))]
    assert (shown.composer.text(), shown.transcript.writer.lines(0)[0].level) == ("half a thought", 0)


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
    """The text of an unsent edit is kept while another message is edited. Removing a message ends its edit."""
    window.chats.open(chat("a", asked("m", "One?"), answered("n"), asked("o", "Two?")))
    shown = tab(window, "a")
    shown.editing.begin("m")
    shown.composer.edit.setPlainText("One, really?")
    shown.editing.begin("o")
    assert shown.composer.text() == "Two?"
    shown.editing.begin("m")
    assert shown.composer.text() == "One, really?"
    tab(window, "a").remove_message("m")
    assert (shown.composer.text(), shown.composer.banner.isVisible()) == ("", False)


def test_an_edit_shows_the_files_of_its_message(window: MainWindow) -> None:
    """They are part of it. Cancel leaves them where they are."""
    question = replace(asked("m", "One?"), attachments=(AttachmentView("f", "notes.md"),))
    window.chats.open(chat("a", question, answered("n")))
    shown = tab(window, "a")
    shown.editing.begin("m")
    assert [chip.file.name for chip in shown.composer.attachments.chips()] == ["notes.md"]
    shown.composer.end_edit()
    assert shown.composer.attachments.chips() == []


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
    window.set_capabilities(ModelCapabilities(thinks=True))
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
    assert (shown.composer.text(), shown.composer.edit.hasFocus()) == ("", False)
    QTest.keyClicks(focused, "H")
    assert (shown.composer.text(), shown.composer.edit.hasFocus()) == ("H", True)


def test_what_is_pasted_onto_the_transcript_goes_into_the_message(window: MainWindow) -> None:
    """The command is the window's, so it reaches whatever has the focus."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    shown = tab(window, "a")
    QGuiApplication.clipboard().setText("From elsewhere")
    window.activateWindow()
    shown.transcript.setFocus()
    window.actions_by_name["paste"].trigger()
    assert (shown.composer.text(), shown.composer.edit.hasFocus()) == ("From elsewhere", True)


def test_tabs_that_open_at_the_start_are_not_read(window: MainWindow) -> None:
    """Each of them is in front for a moment. The user looks only at the one that stays."""
    said = heard(window)
    window.activateWindow()
    window.chats.begin_restoring()
    for name in ("a", "b"):
        window.chats.open(chat(name))
    window.chats.end_restoring()
    seen = [intent.conversations for intent in said if isinstance(intent, Attend)]
    assert {conversation for conversations in seen for conversation in conversations} == {"b"}


def test_leaving_the_search_leads_to_the_message(window: MainWindow) -> None:
    """Escape in the empty field of the search."""
    window.chats.open(chat("a"))
    window.activateWindow()
    window.sidebar.search.setFocus()
    QTest.keyClick(window.sidebar.search, Qt.Key.Key_Escape)
    assert tab(window, "a").composer.edit.hasFocus()


def test_an_answer_on_its_way_is_not_asked_for_again(window: MainWindow) -> None:
    """Also not by the icon of an older reply."""
    window.chats.open(chat("a", asked("m"), answered("n"), asked("o"), answering("p"), status=GENERATING))
    with unasked(window, Retry):
        tab(window, "a").transcript.requested.emit(Retry("n"))


def test_capabilities_reach_present_and_later_tabs(window: MainWindow) -> None:
    """Every tab offers what the model can do. Whether to think is set for each chat."""
    window.chats.open(chat("a"))
    window.set_capabilities(ModelCapabilities(thinks=True))
    window.chats.open(replace(chat("b"), thinking=True))
    chips = [tab(window, name).composer.think_chip for name in "ab"]
    assert [(chip.isHidden(), chip.isChecked()) for chip in chips] == [(False, False), (False, True)]


def test_another_branch_is_shown_and_counted_on(window: MainWindow) -> None:
    """Deltas go to the messages of the new branch only."""
    window.chats.open(chat("a", asked("m"), answering("n")))
    tab(window, "a").append_delta("n", "Old")
    tab(window, "a").show_branch((asked("m"), answering("o")))
    tab(window, "a").append_delta("n", "late")
    tab(window, "a").append_delta("o", "Hm.", "reasoning")
    tab(window, "a").append_delta("o", "New")
    assert newest_answer(window) == ("o", "New", MessageState.OPEN)
    tab(window, "a").show_branch(())
    assert tab(window, "a").greeting.isVisible()


def test_a_status_reaches_its_own_conversation_alone(window: MainWindow) -> None:
    """While one chat is answered, the other can send."""
    window.show_conversations((row("a"), row("b")))
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.set_status("a", GENERATING)
    assert tab(window, "a").composer.button.is_busy()
    assert not tab(window, "b").composer.button.is_busy()
    model = window.sidebar.model
    assert (model.index_of("a").data(ConversationRole.LIVE), model.index_of("b").data(ConversationRole.LIVE)) == (
        "Generating · 64 tok/s",
        "",
    )


def test_a_conversation_without_a_tab_lives_in_the_sidebar(window: MainWindow) -> None:
    """The answer of a closed tab continues, and the sidebar shows its status."""
    window.show_conversations((row("a"),))
    window.set_status("a", ChatStatus(phase=ChatPhase.QUEUED))
    assert window.chats.tab("a") is None
    window.chats.set_title("a", "title")
    window.chats.remove("a")
    assert window.tabs.count() == 0
    assert window.sidebar.model.index_of("a").data(ConversationRole.LIVE) == "Waiting"


def test_submitting_waits_for_no_engine(window: MainWindow, qtbot: QtBot) -> None:
    """Messages can be sent while the engine starts."""
    window.set_engine(EngineView(EngineState.STARTING))
    window.chats.open(chat("a"))
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Submit)):
        type_and_send(window, "a", "Hello")


def test_closing_a_tab_stops_nothing(window: MainWindow, qtbot: QtBot) -> None:
    """Only Stop ends an answer."""
    window.chats.open(chat("a", status=GENERATING))
    with unasked(window, Stop), qtbot.waitSignal(window.requested, check_params_cb=is_a(CloseTab)) as closed:
        window.tabs.close_requested.emit("a")
    assert closed.args == [InChat("a", CloseTab())]
    assert window.chats.tab("a") is None


def test_drafts_are_saved_before_a_tab_closes(window: MainWindow) -> None:
    """A draft is saved when another tab comes to the front, and before its tab is closed."""
    said = heard(window, SaveDraft, CloseTab)
    window.closing.connect(lambda: said.append("closing"))
    for name in ("a", "b"):
        window.chats.open(chat(name))
        tab(window, name).composer.edit.setPlainText(f"draft {name}")
    window.chats.close("b")
    window.close()
    drafts = [InChat(name, SaveDraft(f"draft {name}")) for name in "ab"]
    assert said == [*drafts, InChat("b", CloseTab()), "closing"]


def test_a_closing_window_saves_the_draft(window: MainWindow) -> None:
    """The draft is saved before the window announces that it closes."""
    window.chats.open(chat("a"))
    said = heard(window, SaveDraft)
    window.closing.connect(lambda: said.append("closing"))
    tab(window, "a").composer.edit.setPlainText("not yet sent")
    window.close()
    assert said == [InChat("a", SaveDraft("not yet sent")), "closing"]


def test_the_shown_tab_is_announced_once(window: MainWindow) -> None:
    """Also when the last tab was closed."""
    shown = heard(window, FocusTab)
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.chats.open(chat("b"))
    window.tabs.show_tab("a")
    window.chats.close("b")
    window.chats.close("a")
    assert shown == [FocusTab(name) for name in ("a", "b", "a", "")]


def test_the_sidebar_marks_the_shown_tab(window: MainWindow) -> None:
    """However a tab comes to the front."""
    window.show_conversations((row("a"), row("b")))
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    assert window.sidebar.current() == "b"
    window.tabs.show_tab("a")
    assert window.sidebar.current() == "a"
    window.chats.close("a")
    window.chats.close("b")
    assert window.sidebar.current() == ""


def test_opening_again_keeps_what_is_being_written(window: MainWindow) -> None:
    """The text in the field is newer than the draft on disk."""
    window.chats.open(chat("a", draft="old"))
    tab(window, "a").composer.edit.setPlainText("newer")
    window.chats.open(chat("a", asked("m"), draft="old"))
    assert tab(window, "a").composer.text() == "newer"
    assert window.tabs.count() == 1


def test_a_deleted_chat_can_not_be_reopened(window: MainWindow) -> None:
    """Reopen leads only to chats that exist."""
    window.chats.open(chat("a"))
    window.chats.close("a")
    assert window.actions_by_name["reopen_tab"].isEnabled()
    window.chats.remove("a")
    assert not window.actions_by_name["reopen_tab"].isEnabled()


def test_a_click_in_the_sidebar_opens(window: MainWindow, qtbot: QtBot) -> None:
    """A single click opens a chat. A click on a heading does not."""
    window.show_conversations((row("a"),))
    view = window.sidebar.list
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Open)) as opened:
        place = view.visualRect(window.sidebar.model.index_of("a")).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert opened.args == [InChat("a", Open())]
    with unasked(window, Open):
        place = view.visualRect(window.sidebar.model.index(0, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_without_a_tab_the_page_offers_a_chat(window: MainWindow, qtbot: QtBot) -> None:
    """The empty window has a button for a new chat, and no focus ring yet."""
    assert window.home.isVisible()
    button = window.home.findChild(QAbstractButton, "homeNewChat")
    assert button is not None
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewChat)):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    window.chats.open(chat("a"))
    assert not window.home.isVisible()
    window.chats.close("a")
    assert window.home.isVisible()


def test_an_empty_chat_greets_and_an_example_fills_the_field(window: MainWindow) -> None:
    """An example is only inserted, not sent."""
    window.chats.open(chat("a"))
    greeting = tab(window, "a").greeting
    assert greeting.isVisible()
    with unasked(window, Submit):
        example = greeting.findChild(QAbstractButton, "example1")
        assert example is not None
        QTest.mouseClick(example, Qt.MouseButton.LeftButton)
    assert tab(window, "a").composer.text() == "My code word is marigold. Please remember it."
    tab(window, "a").add_message(asked("m"))
    assert not greeting.isVisible()


def test_examples_stay_whole_in_a_low_window(window: MainWindow) -> None:
    """If a long draft takes their room, the greeting hides its decoration instead."""
    window.resize(720, 520)
    window.chats.open(chat("a", draft="line\n" * 12))
    QGuiApplication.processEvents()
    greeting = tab(window, "a").greeting
    places = [button.geometry() for button in greeting.findChildren(QAbstractButton)]
    assert len(places) == 3
    assert all(greeting.rect().contains(place) for place in places)
    assert all(two.top() - one.bottom() > 8 for one, two in pairwise(sorted(places, key=lambda place: place.y())))


def test_every_button_has_a_name(window: MainWindow) -> None:
    """A screen reader can read every button."""
    window.set_models((TINY, LARGE), "tiny")
    window.chats.open(chat("a"))
    window.show_notice(Notice("k", "Something", "Act"))
    window.sidebar.search.setText("with a cross to clear it")
    buttons = [button for button in window.findChildren(QAbstractButton) if button.isVisible()]
    assert len(buttons) >= 10
    assert [button.objectName() for button in buttons if not (button.accessibleName() or button.text())] == []


def test_models_reach_present_and_later_tabs(window: MainWindow) -> None:
    """A tab that is opened later offers the same models."""
    window.chats.open(chat("a"))
    window.set_models((TINY, LARGE), "large")
    window.chats.open(chat("b"))
    assert [tab(window, name).composer.model_chip.text() for name in "ab"] == ["Large & slow", "Large & slow"]


def test_the_engines_state_is_told_in_strip_and_foot(window: MainWindow) -> None:
    """Every tab shows that the engine has a problem, until it is ready again."""
    window.set_memory(MemoryView(2 * 1024**3, 8 * 1024**3, 2))
    window.chats.open(chat("a"))
    window.set_engine(EngineView(EngineState.RESTARTING))
    window.chats.open(chat("b"))
    assert [tab(window, name).strip.accessibleName() for name in "ab"] == ["Restarting the engine…"] * 2
    assert window.sidebar.footer.text() == "Restarting the engine…"
    window.set_engine(EngineView(EngineState.READY))
    assert window.sidebar.footer.text() == "2.0 of 8 GB · 2 chats loaded"


def test_a_new_appearance_repaints_everything(window: MainWindow) -> None:
    """At run time, from light to dark and back, also in tabs that are opened later."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    places = ((100, 700), (700, 30), (300, 200), (776, 730))
    light = [colour_at(window, *place) for place in places]
    window.set_theme(DARK)
    assert [colour_at(window, *place) for place in places] == [DARK.sidebar, DARK.page, DARK.page, DARK.raised]
    window.chats.open(chat("b"))
    assert colour_at(window, 300, 200) == DARK.page
    window.set_theme(LIGHT)
    window.tabs.show_tab("a")
    assert [colour_at(window, *place) for place in places] == light


def test_it_follows_the_system(qtbot: QtBot) -> None:
    """When the system's appearance changes, the window takes its theme."""
    themes = iter((LIGHT, DARK))
    window = MainWindow(system=lambda: next(themes))
    qtbot.addWidget(window)
    assert colour_at(window, 100, 700) == LIGHT.sidebar
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert colour_at(window, 100, 700) == DARK.sidebar


def test_the_sidebar_hides_and_can_be_brought_back(window: MainWindow) -> None:
    """While it is hidden, a button shows it again."""
    assert not window.tab_row.sidebar_button.isVisible()
    QTest.mouseClick(window.sidebar.hide_button, Qt.MouseButton.LeftButton)
    assert not window.sidebar.isVisible()
    QTest.mouseClick(window.tab_row.sidebar_button, Qt.MouseButton.LeftButton)
    assert window.sidebar.isVisible()


def test_streaming_moves_nothing_around_the_transcript(window: MainWindow) -> None:
    """Composer and status strip do not move during an answer."""
    window.set_models((TINY,), "tiny")
    window.chats.open(chat("a", asked("m"), answering("n")))
    composer = tab(window, "a").composer
    seen = set()
    for status in (
        ChatStatus(phase=ChatPhase.QUEUED),
        ChatStatus(phase=ChatPhase.PREFILL, prefill_done=1, prefill_total=2),
        GENERATING,
        ChatStatus(tokens_per_second=1.0, context_limit=10),
    ):
        window.set_status("a", status)
        QGuiApplication.processEvents()
        seen.add((composer.geometry().getRect(), tab(window, "a").strip.geometry().getRect()))
    assert len(seen) == 1


@pytest.mark.parametrize(
    "title",
    ["x" * 500, "مرحبا بالعالم كيف حالك اليوم يا صديقي العزيز", "🎂🎉" * 40, "a\nb & c"],
    ids=["long", "right to left", "emoji", "odd"],
)
def test_twenty_tabs_with_any_title_leave_the_window_its_size(window: MainWindow, title: str) -> None:
    """Tabs shrink, then some are hidden. The current tab and the plus button stay visible."""
    window.resize(720, 520)
    for number in range(20):
        window.chats.open(ChatView(str(number), title))
    QGuiApplication.processEvents()
    window.grab()
    assert window.size().toTuple() == (720, 520)
    shown = window.tabs.tabRect(window.tabs.currentIndex())
    assert window.tabs.rect().contains(shown.center())
    assert shown.left() >= window.tabs.width() / 2, "room that was not used before is used for the tabs on the left"
    assert window.rect().contains(window.tab_row.plus.mapTo(window, window.tab_row.plus.rect().center()))


def test_a_message_says_how_it_ends(window: MainWindow) -> None:
    """A reply grows by deltas and is then replaced by its final version."""
    window.chats.open(chat("a", asked("m"), answering("n")))
    tab(window, "a").append_delta("n", "Bec")
    tab(window, "a").append_delta("n", "ause")
    assert newest_answer(window) == ("n", "Because", MessageState.OPEN)
    tab(window, "a").replace_message(MessageView("n", "assistant", "Because.", MessageState.STOPPED))
    assert newest_answer(window) == ("n", "Because.", MessageState.STOPPED)


def test_the_end_of_the_visible_answer_is_announced(window: MainWindow) -> None:
    """A screen reader announces the end of an answer once, for the chat in front only."""
    said: list[str] = []
    window.chats.open(chat("a", answering("n")))
    window.chats.open(chat("b", answering("n")))
    for name in "ab":
        tab(window, name).announced.connect(said.append)
    tab(window, "a").replace_message(answered("n"))
    tab(window, "b").replace_message(MessageView("n", "assistant", "Be", MessageState.STOPPED))
    tab(window, "b").replace_message(MessageView("n", "assistant", "Be", MessageState.STOPPED, footer="1 token"))
    assert said == ["Answer stopped"]


def test_calls_into_qt_keep_the_references_to_none(window: MainWindow) -> None:
    """A wheel that was built for another Python loses one reference to None per call, and crashes within seconds."""
    assert window
    pixmap = QPixmap(4, 4)
    painter = QPainter(pixmap)
    before = sys.getrefcount(None)
    for _ in range(1000):
        painter.save()
        painter.restore()
    after = sys.getrefcount(None)
    painter.end()
    assert before - after < 500


def test_what_the_list_wants_goes_to_the_app(window: MainWindow) -> None:
    """The window passes on the sidebar's intents."""
    said = heard(window)
    for intent in (InChat("a", Pin(pinned=True)), RenameFolder("Work", "Office")):
        window.sidebar.requested.emit(intent)
        assert said.pop() == intent


def test_files_and_earlier_messages_name_their_conversation(window: MainWindow) -> None:
    """The app gets the conversation with the request, and answers to its tab."""
    window.chats.open(replace(chat("a", asked("m"), answered("n")), earlier=True))
    shown = tab(window, "a")
    said = heard(window)
    for intent in (Attach(("/x/notes.txt",)), ShowEarlier("m")):
        shown.requested.emit(intent)
        assert said.pop() == InChat("a", intent)
    shown.show_earlier((asked("k"), answered("l")), earlier=False)
    shown.show_attachments((AttachmentView("f", "notes.txt"),))
    assert shown.composer.attachments.attachments() == (AttachmentView("f", "notes.txt"),)
    messages = shown.transcript.messages
    assert [messages.view(at).id for at in range(len(messages))] == [
        "k",
        "l",
        "m",
        "n",
    ]


def test_a_notice_about_a_chat_stays_with_its_tab(window: MainWindow) -> None:
    """It is not shown over another chat, and comes back with its own."""
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.show_notice(Notice("full:a", "This chat is too long.", conversation="a"))
    assert window.notices.keys() == ()
    window.tabs.show_tab("a")
    assert window.notices.keys() == ("full:a",)
    window.show_models()
    assert window.notices.keys() == ()


def test_the_inspector_is_about_the_chat_in_front(window: MainWindow) -> None:
    """It asks for the settings of that chat when it opens and when another tab comes to the front, and shows no
    others. The button in the tab row stands where the pane's own is.
    """
    window.chats.open(chat("a"))
    said = heard(window)
    window.tab_row.inspector_button.click()
    assert said[-1] == InChat("a", ShowChatSettings())
    window.show_chat_settings(ChatSettingsView("a", system="Be kind."))
    assert window.desk.inspector.instructions.toPlainText() == "Be kind."
    window.chats.open(chat("b"))
    assert InChat("b", ShowChatSettings()) in said
    window.show_chat_settings(ChatSettingsView("b", system="Be brief."))
    window.show_chat_settings(ChatSettingsView("a", system="Be kind."))
    assert window.desk.inspector.instructions.toPlainText() == "Be brief."
    window.desk.inspector.close_button.click()
    assert (window.desk.inspecting, window.tab_row.inspector_button.isHidden()) == (False, False)


def test_words_typed_into_the_inspector_belong_to_their_chat(window: MainWindow) -> None:
    """Instructions that were being typed are saved for their chat when another one comes to the front, and when the
    window closes.
    """
    window.chats.open(chat("a"))
    window.actions_by_name["toggle_inspector"].trigger()
    window.show_chat_settings(ChatSettingsView("a"))
    said = heard(window)
    window.desk.inspector.instructions.setPlainText("Answer in verse.")
    window.chats.open(chat("b"))
    window.show_chat_settings(ChatSettingsView("b"))
    assert InChat("a", SetSystem("Answer in verse.")) in said
    window.desk.inspector.instructions.setPlainText("Answer in prose.")
    window.close()
    assert InChat("b", SetSystem("Answer in prose.")) in said


def test_the_inspector_follows_the_labels_of_the_sidebar(window: MainWindow) -> None:
    """A chat that is moved in the sidebar shows its new folder in the inspector."""
    window.chats.open(chat("a"))
    window.show_chat_settings(ChatSettingsView("a"))
    window.show_conversations((replace(row("a"), folder="Trips", tags=("sea",)),))
    labels = window.desk.inspector.labels
    assert (labels.folder.text(), labels.tags.text()) == ("Trips", "sea")


def test_a_new_chat_does_not_take_a_chat_with_typed_words(window: MainWindow) -> None:
    """What was typed is saved before a new chat is asked for, which would use an empty one again."""
    window.chats.open(chat("a"))
    tab(window, "a").composer.edit.setPlainText("half a thought")
    intents = heard(window, SaveDraft, NewChat)
    window.sidebar.new_button.click()
    assert intents == [InChat("a", SaveDraft("half a thought")), NewChat()]


def test_preferences_hold_at_once(window: MainWindow) -> None:
    """Colours, the size of the text, the key that sends and shortcuts; chats that open later have them too."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    edit = tab(window, "a").composer.edit
    before = edit.fontMetrics().height()
    window.set_preferences(Preferences(send="command", theme="dark", zoom=150, shortcuts=(("new_chat", "Ctrl+J"),)))
    assert colour_at(window, 700, 400) == DARK.page
    assert edit.fontMetrics().height() > before
    assert edit.viewport().font().pixelSize() == 22, "the placeholder has the size of the text"
    assert tab(window, "a").transcript.document().defaultFont().pixelSize() == 22
    assert [key.toString() for key in window.actions_by_name["new_chat"].shortcuts()] == ["Ctrl+J", "Ctrl+T"]
    window.chats.open(chat("b"))
    said = heard(window, Submit)
    type_and_send(window, "b", "Hello")
    assert said == []
    QTest.keyClick(tab(window, "b").composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said == [InChat("b", Submit("Hello"))]


def test_the_text_is_made_larger_by_keys(window: MainWindow) -> None:
    """Step by step within limits, and back to the usual size."""
    said = heard(window, SetPreferences)
    window.set_preferences(Preferences(zoom=190))
    for name in ("zoom_in", "zoom_out", "zoom_reset"):
        window.actions_by_name[name].trigger()
    window.set_preferences(Preferences(zoom=200))
    window.actions_by_name["zoom_in"].trigger()
    assert [one.preferences.zoom for one in said if isinstance(one, SetPreferences)] == [200, 180, 100, 200]


def test_the_settings_show_the_keys_that_hold(window: MainWindow) -> None:
    """Every action that can be changed is listed, also one without keys."""
    window.set_preferences(Preferences(shortcuts=(("new_chat", "Ctrl+J"), ("quit", ""))))
    window.dialogs.open_settings()
    settings = window.findChild(SettingsDialog)
    assert settings is not None
    buttons = settings.shortcuts.buttons
    assert [buttons[name].text() for name in ("new_chat", "quit", "rename")] == ["Ctrl+J, Ctrl+T", "None", "None"]
    assert "copy" not in buttons


def test_a_chat_with_a_new_answer_is_marked_everywhere(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """On its tab, in its row, and as a count on the Dock."""
    counts = list[int]()
    monkeypatch.setattr(window.notifier, "set_count", counts.append)
    window.show_conversations((row("a"), row("b")))
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.set_unread(frozenset({"a"}))
    listed = window.sidebar.model.index_of("a")
    assert listed.data(ConversationRole.UNREAD)
    assert "new answer" in str(listed.data(Qt.ItemDataRole.AccessibleTextRole))
    assert window.tabs.accessibleTabName(0) == "Title a, new answer"
    window.set_unread(frozenset())
    assert not window.sidebar.model.index_of("a").data(ConversationRole.UNREAD)
    assert counts == [1, 0]


def test_the_app_hears_what_the_user_looks_at(window: MainWindow, qtbot: QtBot) -> None:
    """The chat in front of an active window; nothing on another page or while the window is in the background."""
    asked = heard(window, Attend)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.show_models()
    window.models.left.emit()
    window.tabs.show_tab("a")
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    looked = [(intent.conversations, intent.is_active) for intent in asked if isinstance(intent, Attend)]
    assert looked[-1] == ((), False)
    assert [seen for seen, is_active in looked if is_active][-5:] == [("a",), ("b",), (), ("b",), ("a",)]


def test_typing_goes_on_after_a_notice_was_answered_by_key(window: MainWindow, qtbot: QtBot) -> None:
    """The keyboard returns to the message box, not to the next button of the window."""
    window.chats.open(chat("a"))
    window.show_notice(Notice("undo:b", "The chat was deleted.", "Undo"))
    button = window.findChild(QPushButton, "noticeAction")
    assert button is not None
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    window.clear_notice("undo:b")
    assert tab(window, "a").composer.edit.hasFocus()
