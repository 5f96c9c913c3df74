"""One open conversation: its intents, its attachments and its layout."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.events import counted
from tests.fakes.intents import heard, is_a
from tests.fakes.views import answered, asked, chat
from ui.chat.chat_tab import ChatTab
from ui.intents.chat import Attach, CountDraft, Detach, FindWarmModels, SaveDraft, ShowEarlier, Submit
from ui.state.chat import AttachmentView, ChatPhase, ChatStatus, DraftView, MessageView, Warmth
from ui.state.engine import EngineState, EngineView, ModelView, OfferedModels
from ui.theme.theme import LIGHT

FILE = AttachmentView("f", "train.py", "4.1 KB")
COPY, LEFT, NO_KEY = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def tab(qtbot: QtBot) -> ChatTab:
    made = ChatTab(chat("c", asked("m60"), answered("m61")), context())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def enter(tab: ChatTab, data: QMimeData) -> bool:
    event = QDragEnterEvent(QPoint(10, 10), COPY, data, LEFT, NO_KEY)
    event.ignore()
    QApplication.sendEvent(tab, event)
    return event.isAccepted()


def rim(tab: ChatTab) -> str:
    image = tab.composer.grab().toImage()
    return image.pixelColor(image.width() // 2, 1).name()


def test_the_picker_of_a_chat_marks_its_own_warm_models(tab: ChatTab) -> None:
    """The tab passes them on, and asks for them when the picker opens."""
    asked = heard(sent())
    tab.composer.show_models((ModelView("m", "Mine", identity="a"),), "m")
    tab.composer.model_chip.click()
    tab.show_warm_models(frozenset({"a"}))
    assert tab.composer.model_chip.choices.actions()[0].text() == "Mine\nready for this chat"
    assert asked == [FindWarmModels()]
    tab.composer.model_chip.choices.hide()


def test_new_figures_repaint_the_strip_alone(qtbot: QtBot, tab: ChatTab) -> None:
    """They come several times a second for each answer. Nothing is laid out, and no button or menu is looked at."""
    tab.set_status(ChatStatus(ChatPhase.GENERATING, tokens_per_second=10.0, context_tokens=9))
    qtbot.waitUntil(tab.composer.button.isEnabled)
    QApplication.processEvents()
    with counted(tab) as events, qtbot.assertNotEmitted(tab.changed):
        for at in range(10, 20):
            tab.set_status(ChatStatus(ChatPhase.GENERATING, tokens_per_second=float(at), context_tokens=at * at))
            QApplication.processEvents()
    assert not any(kind is QEvent.Type.LayoutRequest for kind, _ in events)
    repainted = {name for kind, name in events if kind is QEvent.Type.Paint}
    assert "statusStrip" in repainted
    assert not repainted & {"transcript", "composer", "prompt", "send"}


def test_files_dropped_anywhere_are_attached(tab: ChatTab, tmp_path: Path) -> None:
    """Each is requested by its path, in order. The composer is marked while they are dragged."""
    paths = [tmp_path / name for name in ("a.txt", "b.txt")]
    for path in paths:
        path.write_text("words")
    said = heard(sent())
    data = files(*paths)
    assert enter(tab, data)
    assert rim(tab) == LIGHT.accent
    QApplication.sendEvent(tab, QDropEvent(QPointF(10, 10), COPY, data, LEFT, NO_KEY))
    assert said == [Attach(tuple(map(str, paths)))]
    assert rim(tab) == LIGHT.hairline


def test_files_that_are_dragged_away_leave_no_mark(tab: ChatTab, tmp_path: Path) -> None:
    """The mark goes when the files leave."""
    (tmp_path / "a.txt").write_text("words")
    data = files(tmp_path / "a.txt")
    enter(tab, data)
    QApplication.sendEvent(tab, QDragLeaveEvent())
    assert rim(tab) == LIGHT.hairline


def test_folders_are_taken_and_web_addresses_are_not(tab: ChatTab, tmp_path: Path) -> None:
    """Only what is on this computer is accepted."""
    web = QMimeData()
    web.setUrls([QUrl("https://example.org/a.txt")])
    assert enter(tab, files(tmp_path))
    assert not enter(tab, web)


def test_attached_files_are_shown_and_sent_alone(tab: ChatTab, qtbot: QtBot) -> None:
    """A message may consist of files only. They stay until the app has taken them."""
    assert not tab.composer.button.isEnabled()
    tab.composer.set_attachments((FILE,))
    assert tab.composer.button.isEnabled()
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Submit)) as said:
        tab.composer.button.click()
    assert said.args == [Submit("")]
    assert tab.composer.attachments.draft == (FILE,)
    tab.composer.set_attachments(())
    assert not tab.composer.button.isEnabled()


def test_taking_a_file_away_is_asked_for(tab: ChatTab, qtbot: QtBot) -> None:
    """The intent carries the attachment's id."""
    tab.composer.set_attachments((FILE,))
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Detach)) as asked_for:
        tab.composer.attachments.chips()[0].close_button.click()
    assert asked_for.args == [Detach("f")]


def test_a_chat_opens_with_the_files_of_its_draft(tab: ChatTab) -> None:
    """The attachments of the last run are shown."""
    tab.show_view(replace(chat("c", asked("m")), attachments=(FILE,)))
    assert tab.composer.attachments.draft == (FILE,)


def test_what_is_not_kept_is_said(tab: ChatTab) -> None:
    """In the status strip and in the greeting."""
    assert tab.strip.accessibleName() == ""
    tab.show_view(replace(chat("c"), private=True))
    assert "Private" in tab.strip.accessibleName()
    assert "private" in tab.greeting.explanation.text()
    tab.show_view(replace(chat("c"), cached=False))
    assert "Not kept ready" in tab.strip.accessibleName()
    assert "private" not in tab.greeting.explanation.text()


def test_an_empty_chat_says_on_which_macs_its_model_runs(tab: ChatTab) -> None:
    """Where it runs is a promise, so it must be true. It changes only with a model that is ready."""
    said = tab.greeting.explanation
    assert "on this computer" in said.text()
    store().engine.put(EngineView(EngineState.READY, macs=2))
    assert "on 2 Macs" in said.text()
    store().engine.put(EngineView(EngineState.RESTARTING, "The connection to studio was lost."))
    assert "on 2 Macs" in said.text()
    tab.show_view(replace(chat("c"), private=True))
    assert "private" in said.text()
    store().engine.put(EngineView(EngineState.READY, macs=3))
    assert "private" in said.text()
    tab.show_view(chat("c"))
    assert "on 3 Macs" in said.text()
    store().engine.put(EngineView(EngineState.READY))
    assert "on this computer" in said.text()


def test_earlier_messages_come_first(tab: ChatTab, qtbot: QtBot) -> None:
    """They are requested by the first message on the screen, and inserted above it."""
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(ShowEarlier)) as asked_for:
        tab.show_view(replace(chat("c", asked("m60"), answered("m61")), earlier=True))
    assert asked_for.args == [ShowEarlier("m60")]
    tab.show_earlier((asked("m58"), answered("m59")), earlier=False)
    newest, question = tab.transcript.messages.newest(), tab.transcript.messages.newest_of("user")
    assert newest is not None
    assert question is not None
    assert (newest.id, question.id) == ("m61", "m60")
    tab.editing.begin("m58")
    assert tab.composer.edit.toPlainText() == "Why?"


@pytest.mark.parametrize("messages", [(), (asked("m"), answered("n"))])
def test_what_is_written_is_seen_whole_in_a_low_window(tab: ChatTab, messages: tuple[MessageView, ...]) -> None:
    """The transcript gives up its height for the composer."""
    tab.show_view(replace(chat("c", *messages), attachments=(FILE,)))
    tab.composer.set_draft("line\n" * 12)
    tab.setMinimumSize(1, 1)  # as in the window, which has its own
    tab.resize(448, 400)
    QApplication.processEvents()
    assert tab.composer.height() >= tab.composer.sizeHint().height() > 250


def test_an_edit_that_waits_is_saved_with_the_draft(tab: ChatTab, qtbot: QtBot) -> None:
    """A user who edits one message, turns to another and closes the tab finds both edits again."""
    tab.show_view(chat("c", asked("m0"), answered("m1"), asked("m2")))
    tab.composer.set_draft("a draft")
    tab.editing.begin("m0")
    tab.composer.edit.setPlainText("first")
    tab.editing.begin("m2")
    tab.composer.edit.setPlainText("second")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(SaveDraft)) as saved:
        tab.composer.flush_draft()
    assert saved.args == [SaveDraft("a draft", (("m0", "first"), ("m2", "second")))]


def test_a_tab_opens_with_the_edits_that_were_not_sent(qtbot: QtBot) -> None:
    """The last one goes on, with the draft behind it. An edit of another message waits. Nothing is saved again."""
    view = chat("c", asked("m0"), answered("m1"), asked("m2"))
    tab = ChatTab(replace(view, draft="a draft", edits=(("m0", "first"), ("m2", "second"))), context())
    qtbot.addWidget(tab)
    said = heard(sent(), SaveDraft)
    tab.composer.flush_draft()
    assert (tab.composer.edited, tab.composer.edit.toPlainText(), said) == ("m2", "second", [])
    tab.editing.begin("m0")
    assert tab.composer.edit.toPlainText() == "first"
    tab.composer.end_edit()
    assert tab.composer.edit.toPlainText() == "a draft"


def test_an_edit_shows_its_own_figures_alone(tab: ChatTab) -> None:
    """What follows the message goes, so nothing is promised of the chat. That is back at the end of the edit."""
    warm = ChatStatus(warmth=Warmth.WARM, context_tokens=736, context_limit=8192, draft=DraftView(7))
    tab.show_view(chat("c", asked("m0"), answered("m1"), asked("m2"), answered("m3")))
    tab.set_status(warm)
    tab.editing.begin("m0")
    tab.set_status(replace(warm, draft=DraftView(587)))
    assert tab.strip.accessibleName() == "587 / 8,192 context · this message: 587 tokens"
    tab.set_status(replace(warm, phase=ChatPhase.GENERATING))
    assert "743 / 8,192" in tab.strip.toolTip()
    tab.set_status(warm)
    tab.composer.end_edit()
    assert tab.strip.accessibleName() == "ready at once · 743 / 8,192 context · this message: 7 tokens"


def test_an_edit_is_counted_with_its_message(tab: ChatTab, qtbot: QtBot) -> None:
    """The app is told which message the words replace, and which of its files were taken off."""
    counted = heard(sent(), CountDraft)
    tab.show_view(chat("c", replace(asked("m0", "Hello"), attachments=(FILE,)), answered("m1")))
    tab.editing.begin("m0")
    qtbot.waitUntil(lambda: counted[-1:] == [CountDraft("Hello", "m0")])
    tab.composer.attachments.chips()[0].close_button.click()
    assert counted[-1] == CountDraft("Hello", "m0", (FILE.id,))
    tab.composer.end_edit()
    assert counted[-1] == CountDraft("")


def test_the_strip_is_about_the_model_that_answers_next(tab: ChatTab) -> None:
    """A chat with a model of its own shows what its next message does, also if another model is ready, rests or has
    failed. The figures of that other model are left out. What happens to the process concerns every chat.
    """
    both = (ModelView("a", "Alpha"), ModelView("b", "Beta"))
    store().models.put(OfferedModels(both, "a"))
    tab.set_status(ChatStatus(warmth=Warmth.WARM, context_tokens=9, context_limit=8, draft=DraftView(3, seconds=9.0)))
    tab.show_model("b", "Beta")
    for state in (EngineState.READY, EngineState.UNLOADED, EngineState.FAILED):
        store().engine.put(EngineView(state, "Alpha is like this.", model="a"))
        assert tab.strip.accessibleName() == (
            "Beta is not in memory · the next message loads it · this message: about 3 tokens"
        )
    tab.show_model("a", "Alpha")
    assert tab.strip.accessibleName().startswith("Alpha is like this")
    tab.show_model("b", "Beta")
    store().engine.put(EngineView(EngineState.READY, model="b"))
    assert tab.strip.accessibleName().startswith("12 / 8 context, too long")
    store().engine.put(EngineView(EngineState.FAILED, "The engine keeps stopping."))
    assert tab.strip.accessibleName().startswith("The engine keeps stopping")


def test_the_chats_own_model_is_named_even_if_it_is_not_offered(tab: ChatTab) -> None:
    """The next message goes to it: its folder may only have been dropped from those that Hearth looks into."""
    store().models.put(OfferedModels((ModelView("a", "Alpha"),), "a"))
    store().engine.put(EngineView(EngineState.UNLOADED, "Alpha rests", model="a"))
    tab.show_model("b", "Beta")
    assert (tab.composer.model, tab.composer.model_chip.text()) == ("b", "Beta")
    assert tab.strip.accessibleName().startswith("Beta is not in memory")
    store().models.put(OfferedModels((ModelView("a", "Alpha"), ModelView("b", "Mine")), "a"))
    assert [model.id for model in tab.models()] == ["a", "b"]
    assert tab.strip.accessibleName().startswith("Mine is not in memory")
    tab.show_model("", "")
    assert (tab.composer.model, tab.strip.accessibleName()) == ("a", "Alpha rests")


def test_a_click_beside_the_words_of_an_empty_chat_chooses_it(qtbot: QtBot) -> None:
    """In two chats beside each other, the next tab opens in the half that was clicked."""
    tab = ChatTab(chat("a"), context())
    qtbot.addWidget(tab)
    tab.resize(700, 600)
    with qtbot.waitActive(tab):
        tab.show()
    tab.setFocus()
    QTest.mouseClick(tab.window().windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(20, 120))
    assert tab.composer.edit.hasFocus()
