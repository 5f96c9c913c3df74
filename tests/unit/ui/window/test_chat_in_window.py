"""A chat in the window: its intents name it, and what the app sends reaches this chat alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import GENERATING, LARGE, PRESETS, TINY, answered, answering, asked, chat, row
from tests.fakes.window_hands import tab, type_and_send
from ui.chat import chat_tab
from ui.intents.chat import (
    Attach,
    CloseTab,
    InChat,
    Regenerate,
    ShowEarlier,
    Stop,
    Submit,
)
from ui.intents.chat_settings import SetPreset, SetSwitch, SetSystem, ShowChatSettings
from ui.intents.models import PickModel
from ui.sidebar.conversations_model import ConversationRole
from ui.state.chat import AttachmentView, ChatPhase, ChatStatus, MessageState, MessageView
from ui.state.chat_memory import ChatMemoryView, TurnBlock
from ui.state.chat_settings import ChatSettingsView
from ui.state.engine import EngineState, EngineView, ModelCapabilities, OfferedModels
from ui.window.main_window import MainWindow


def newest_answer(window: MainWindow) -> tuple[str, str, MessageState]:
    messages = tab(window, "a").transcript.messages
    answer = messages.newest_of("assistant")
    assert answer is not None
    return answer.id, messages.text_of(answer.id), answer.state


def test_an_intent_of_a_tab_names_its_conversation(window: MainWindow, qtbot: QtBot) -> None:
    """An intent of a tab names its conversation, also if another tab is in front."""
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.store.presets.put(PRESETS)
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Submit)) as sent:
        type_and_send(window, "a", "Hello")
    assert sent.args == [InChat("a", Submit("Hello"))]
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(SetPreset)) as picked:
        tab(window, "a").composer.preset_chip.picked.emit("precise")
    assert picked.args == [InChat("a", SetPreset("precise"))]


def test_the_strip_follows_how_a_chat_is_kept(window: MainWindow) -> None:
    """As soon as the list says so, also for a chat that is open."""
    window.chats.open(chat("a"))
    window.store.conversations.put((replace(row("a"), cached=False),))
    assert "Not kept ready" in tab(window, "a").strip.accessibleName()
    window.store.conversations.put((row("a"),))
    assert "Not kept ready" not in tab(window, "a").strip.accessibleName()


def test_intents_about_a_turn_name_their_conversation(window: MainWindow) -> None:
    """Each intent is wrapped with its conversation."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    window.chats.open(chat("b"))
    shown = tab(window, "a")
    said = heard(window)
    shown.transcript.requested.emit(Regenerate("n", 3))
    shown.composer._context.send(Stop())
    shown.composer.think_chip.click()
    shown.composer._context.send(PickModel("large"))
    wanted = (Regenerate("n", 3), Stop(), SetSwitch("thinking", is_on=True))
    assert said == [*(InChat("a", intent) for intent in wanted), PickModel("large")]


def test_an_answer_on_its_way_is_not_asked_for_again(window: MainWindow) -> None:
    """Also not by the icon of an older reply."""
    window.chats.open(chat("a", asked("m"), answered("n"), asked("o"), answering("p"), status=GENERATING))
    with unasked(window, Regenerate):
        tab(window, "a").transcript.requested.emit(Regenerate("n"))


def test_capabilities_reach_present_and_later_tabs(window: MainWindow) -> None:
    """Every tab offers what the model can do. Whether to think is set for each chat."""
    window.chats.open(chat("a"))
    window.store.capabilities.put(ModelCapabilities(thinks=True))
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
    window.store.conversations.put((row("a"), row("b")))
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.set_status("a", GENERATING)
    assert tab(window, "a").composer.button.is_busy
    assert not tab(window, "b").composer.button.is_busy
    model = window.sidebar.model
    assert (model.index_of("a").data(ConversationRole.LIVE), model.index_of("b").data(ConversationRole.LIVE)) == (
        "Answering",
        "",
    )


def test_submitting_waits_for_no_engine(window: MainWindow, qtbot: QtBot) -> None:
    """Messages can be sent while the engine starts."""
    window.store.engine.put(EngineView(EngineState.STARTING))
    window.chats.open(chat("a"))
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Submit)):
        type_and_send(window, "a", "Hello")


def test_models_reach_present_and_later_tabs(window: MainWindow) -> None:
    """A tab that is opened later offers the same models."""
    window.chats.open(chat("a"))
    window.store.models.put(OfferedModels((TINY, LARGE), "large"))
    window.chats.open(chat("b"))
    assert [tab(window, name).composer.model_chip.text() for name in "ab"] == ["Large & slow", "Large & slow"]


def test_streaming_moves_nothing_around_the_transcript(window: MainWindow) -> None:
    """Composer and status strip do not move during an answer."""
    window.store.models.put(OfferedModels((TINY,), "tiny"))
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


def test_a_message_says_how_it_ends(window: MainWindow) -> None:
    """A reply grows by deltas and is then replaced by its final version."""
    window.chats.open(chat("a", asked("m"), answering("n")))
    tab(window, "a").append_delta("n", "Bec")
    tab(window, "a").append_delta("n", "ause")
    assert newest_answer(window) == ("n", "Because", MessageState.OPEN)
    tab(window, "a").replace_message(MessageView("n", "assistant", "Because.", MessageState.STOPPED))
    assert newest_answer(window) == ("n", "Because.", MessageState.STOPPED)


def test_the_end_of_the_visible_answer_is_announced(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen reader announces the end of an answer once, for the chat in front only."""
    said: list[str] = []
    monkeypatch.setattr(chat_tab, "announce", lambda _tab, words: said.append(words))
    window.chats.open(chat("a", answering("n")))
    window.chats.open(chat("b", answering("n")))
    tab(window, "a").replace_message(answered("n"))
    tab(window, "b").replace_message(MessageView("n", "assistant", "Be", MessageState.STOPPED))
    tab(window, "b").replace_message(MessageView("n", "assistant", "Be", MessageState.STOPPED, footer="1 token"))
    assert said == ["Answer stopped"]


def test_files_and_earlier_messages_name_their_conversation(window: MainWindow) -> None:
    """The app gets the conversation with the request, and answers to its tab."""
    window.chats.open(replace(chat("a", asked("m"), answered("n")), earlier=True))
    shown = tab(window, "a")
    said = heard(window)
    for intent in (Attach(("/x/notes.txt",)), ShowEarlier("m")):
        shown._context.send(intent)
        assert said.pop() == InChat("a", intent)
    shown.show_earlier((asked("k"), answered("l")), earlier=False)
    shown.show_attachments((AttachmentView("f", "notes.txt"),))
    assert shown.composer.attachments.draft == (AttachmentView("f", "notes.txt"),)
    messages = shown.transcript.messages
    assert [messages[at].view.id for at in range(len(messages))] == [
        "k",
        "l",
        "m",
        "n",
    ]


def test_the_inspector_is_about_the_chat_in_front(window: MainWindow) -> None:
    """It asks for the settings of that chat when it opens and when another tab comes to the front, and shows no
    others. The button in the tab row stands where the pane's own is.
    """
    window.chats.open(chat("a"))
    said = heard(window)
    window.tab_row.inspector_button.click()
    assert said[-1] == InChat("a", ShowChatSettings())
    window.store.chat_settings.put(ChatSettingsView("a", system="Be kind."))
    assert window.desk.inspector.instructions.toPlainText() == "Be kind."
    window.chats.open(chat("b"))
    assert InChat("b", ShowChatSettings()) in said
    window.store.chat_settings.put(ChatSettingsView("b", system="Be brief."))
    window.store.chat_settings.put(ChatSettingsView("a", system="Be kind."))
    assert window.desk.inspector.instructions.toPlainText() == "Be brief."
    window.desk.inspector.close_button.click()
    assert (window.desk.inspecting, window.tab_row.inspector_button.isHidden()) == (False, False)


def test_the_inspector_never_shows_or_sends_for_the_chat_of_before(window: MainWindow) -> None:
    """While the app is busy, it shows what was known of the chat in front, and takes no word: the instructions may be
    older than those that the user typed before. Of what is kept, the figures are unknown and stand where they stood.
    """
    for name in "ab":
        window.chats.open(chat(name))
        view = ChatSettingsView(name, system=f"Instructions of {name}.", tags=(name,), private=name == "b")
        window.store.chat_settings.put(view)
    window.desk.set_inspecting(inspecting=True)
    inspector = window.desk.inspector
    facts = (("On disk", "148 MB"),)
    kept = ChatMemoryView("b", "", "Ready at once", (TurnBlock(9, "kept"),), facts, can_clear=True)
    window.store.chat_memory.put(kept)
    memory, height = inspector.memory, inspector.memory.sizeHint().height()
    inspector.instructions.setFocus()
    said = heard(window)
    window.tabs.show_tab("a")
    window.chats.show_current()
    shown = (inspector.instructions.toPlainText(), inspector.labels.tags.text(), inspector.saved.text())
    assert shown == ("Instructions of a.", "a", "These settings are saved with this chat.")
    QTest.keyClicks(inspector.instructions, "Not yet.")
    QTest.mouseClick(memory.map, Qt.MouseButton.LeftButton)
    QTest.mouseClick(memory.clear_button, Qt.MouseButton.LeftButton)
    inspector.flush()
    assert inspector.instructions.toPlainText() == "Instructions of a."
    assert {intent.intent for intent in said if isinstance(intent, InChat)} == {ShowChatSettings()}
    assert (memory.pill.isVisibleTo(memory), memory.map.accessibleName()) == (False, "0 of 0 turns kept")
    assert ([one.text() for one in memory.facts.findChildren(QLabel)], memory.sizeHint().height()) == (
        ["On disk", "…"],
        height,
    )
    window.store.chat_settings.put(ChatSettingsView("a", system="Newer."))
    QTest.keyClicks(inspector.instructions, "Yes! ")
    inspector.flush()
    assert said[-1] == InChat("a", SetSystem("Yes! Newer."))


def test_a_turn_of_the_map_leads_to_its_question(window: MainWindow, qtbot: QtBot) -> None:
    """The question stands at the top of the chat."""
    messages = [one for at in range(9) for one in (asked(f"u{at}"), answered(f"a{at}", "So it is.\n\n" * 20))]
    window.chats.open(chat("a", *messages))
    window.desk.set_inspecting(inspecting=True)
    window.store.chat_settings.put(ChatSettingsView("a"))
    window.store.chat_memory.put(ChatMemoryView("a", turns=(TurnBlock(9, "kept", 1, 1, "u3"),)))
    transcript = tab(window, "a").transcript
    qtbot.waitUntil(lambda: transcript.is_settled)
    QTest.mouseClick(window.desk.inspector.memory.map, Qt.MouseButton.LeftButton)
    top = transcript.scrolling.top_of(6)
    qtbot.waitUntil(lambda: 0 < top - transcript.verticalScrollBar().value() < 40)


def test_words_typed_into_the_inspector_belong_to_their_chat(window: MainWindow) -> None:
    """Instructions that were being typed are saved for their chat when another one comes to the front, and when the
    window closes.
    """
    window.chats.open(chat("a"))
    window.actions_by_name["toggle_inspector"].trigger()
    window.store.chat_settings.put(ChatSettingsView("a"))
    said = heard(window)
    window.desk.inspector.instructions.setPlainText("Answer in verse.")
    window.chats.open(chat("b"))
    window.store.chat_settings.put(ChatSettingsView("b"))
    assert InChat("a", SetSystem("Answer in verse.")) in said
    window.desk.inspector.instructions.setPlainText("Answer in prose.")
    window.close()
    assert InChat("b", SetSystem("Answer in prose.")) in said


def test_words_typed_into_the_inspector_are_saved_before_their_tab_closes(window: MainWindow) -> None:
    """Otherwise the chat counts as untouched, and is deleted."""
    window.chats.open(chat("a"))
    window.actions_by_name["toggle_inspector"].trigger()
    window.store.chat_settings.put(ChatSettingsView("a"))
    window.desk.inspector.instructions.setPlainText("Answer in verse.")
    said = heard(window)
    window.chats.close("a")
    assert said.index(InChat("a", SetSystem("Answer in verse."))) < said.index(InChat("a", CloseTab()))


def test_instructions_that_are_not_saved_yet_stay_in_the_field(window: MainWindow) -> None:
    """Whatever else of the chat is shown meanwhile. Another chat with the former words shows its own."""
    window.chats.open(chat("a"))
    window.actions_by_name["toggle_inspector"].trigger()
    window.store.chat_settings.put(ChatSettingsView("a", system="Be kind."))
    field = window.desk.inspector.instructions
    field.setPlainText("Be kind, and answer in verse.")
    field.flush()
    window.store.conversations.put((replace(row("a"), folder="Trips"),))
    assert field.toPlainText() == "Be kind, and answer in verse."
    window.chats.open(chat("b"))
    window.store.chat_settings.put(ChatSettingsView("b", system="Be kind."))
    assert field.toPlainText() == "Be kind."


def test_the_inspector_follows_the_labels_of_the_sidebar(window: MainWindow) -> None:
    """A chat that is moved in the sidebar shows its new folder in the inspector."""
    window.chats.open(chat("a"))
    window.store.chat_settings.put(ChatSettingsView("a"))
    window.store.conversations.put((replace(row("a"), folder="Trips", tags=("sea",)),))
    labels = window.desk.inspector.labels
    assert (labels.folder.text(), labels.tags.text()) == ("Trips", "sea")
