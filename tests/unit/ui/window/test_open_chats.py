"""Tabs of open chats: opening, closing, their drafts, and which of them the user looks at."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.pages import settle
from tests.fakes.views import GENERATING, answered, asked, chat, row
from tests.fakes.window_hands import tab
from ui.intents.chat import (
    CloseTab,
    InChat,
    Open,
    SaveDraft,
    Stop,
)
from ui.intents.library import Attend, FocusTab, NewChat
from ui.intents.notice import Notice
from ui.intents.settings import RecoverLibrary, RestoreBackup, UndoRestore
from ui.sidebar.conversations_model import ConversationRole
from ui.state.chat import ChatPhase, ChatStatus, ChatView
from ui.state.library import OpenTabs
from ui.window.main_window import MainWindow
from ui.window.open_chats import ClosedTab


def test_tabs_that_open_at_the_start_are_not_read(window: MainWindow) -> None:
    """Each of them is in front for a moment. The user looks only at the one that stays."""
    said = heard(window)
    window.activateWindow()
    window.chats.begin_restoring(OpenTabs(("a", "b")))
    for name in ("a", "b"):
        window.chats.open(chat(name))
    window.chats.end_restoring()
    seen = [intent.conversations for intent in said if isinstance(intent, Attend)]
    assert {conversation for conversations in seen for conversation in conversations} == {"b"}


def test_what_the_user_asks_for_while_tabs_open_stays_in_front(window: MainWindow) -> None:
    """A link may be opened at the start: to a chat whose tab is open already or not, or to one that had no tab."""
    for wanted in ("a", "b", "new"):
        window.chats.begin_restoring(OpenTabs(("a", "b", "c"), "c"))
        window.chats.open(chat("a"))
        if wanted != "a":
            window.chats.open(chat("b"))
            window.chats.open(chat(wanted))
        else:
            window.chats.bring_to_front("a")
        window.chats.open(chat("c"))
        window.chats.end_restoring()
        assert window.tabs.current() == wanted
        for name in window.tabs.order():
            window.chats.close_anyway(name)


@pytest.mark.parametrize("intent", [RestoreBackup("b"), UndoRestore(), RecoverLibrary(), RecoverLibrary(-1)])
def test_a_draft_is_saved_before_another_library_may_close_its_chat(window: MainWindow, intent: object) -> None:
    """The user may type and click at once. The app hears of the draft first."""
    window.chats.open(chat("a"))
    tab(window, "a").composer.edit.setPlainText("half a thought")
    said = heard(window)
    window.requested.emit(intent)
    assert said == [InChat("a", SaveDraft("half a thought")), intent]


def test_a_conversation_without_a_tab_lives_in_the_sidebar(window: MainWindow) -> None:
    """The answer of a closed tab continues, and the sidebar shows its status."""
    window.store.conversations.put((row("a"),))
    window.set_status("a", ChatStatus(phase=ChatPhase.QUEUED))
    assert window.chats.tab("a") is None
    window.chats.set_title("a", "title")
    window.chats.remove("a")
    assert window.tabs.count() == 0
    assert window.sidebar.model.index_of("a").data(ConversationRole.LIVE) == "Waiting"


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
    window.store.conversations.put((row("a"), row("b")))
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
    assert tab(window, "a").composer.edit.toPlainText() == "newer"
    assert window.tabs.count() == 1


def test_an_open_chat_is_shown_where_the_user_reads(window: MainWindow, qtbot: QtBot) -> None:
    """A click on its row, also from the models page, brings the tab to the front. The text does not move."""
    window.chats.open(chat("a", *(answered(f"m{at}", "word " * 300) for at in range(9))))
    bar = tab(window, "a").transcript.verticalScrollBar()
    settle(qtbot, tab(window, "a").transcript)
    bar.setValue(bar.maximum() // 3)
    place = bar.value()
    window.chats.open(chat("b"))
    window.stage.show_models()
    window.chats.bring_to_front("a")
    settle(qtbot, tab(window, "a").transcript)
    assert place > 0
    assert (window.tabs.current(), bar.value()) == ("a", place)
    assert window.stage.shows_chats()


def test_a_deleted_chat_can_not_be_reopened(window: MainWindow) -> None:
    """Reopen leads only to chats that exist."""
    window.chats.open(chat("a"))
    window.chats.close("a")
    assert window.actions_by_name["reopen_tab"].isEnabled()
    window.chats.remove("a")
    assert not window.actions_by_name["reopen_tab"].isEnabled()


def test_a_reopened_tab_is_where_it_was(window: MainWindow) -> None:
    """Behind the nearest tab before it that is still open, also if other tabs came or went. It comes to the front."""
    for name in "abcd":
        window.chats.open(chat(name))
    for name in "cb":
        window.chats.close(name)
    window.chats.open(chat("e"))
    for name in "bc":
        window.chats.reopen()
        window.chats.open(chat(name))
        assert window.tabs.current() == name
    assert window.tabs.order() == ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("now", "order"),
    [(("a", "c"), ("a", "b", "c")), (("c",), ("b", "c")), (("c", "a", "x"), ("c", "a", "b", "x")), ((), ("b",))],
)
def test_the_place_of_a_closed_tab(now: tuple[str, ...], order: tuple[str, ...]) -> None:
    """It follows the tab that it followed, and is the first without one."""
    assert ClosedTab("b", ("a", "b", "c")).order_with(now) == order


def test_a_deleted_chat_that_comes_back_is_where_it_was(window: MainWindow) -> None:
    """Its tab opens behind the same neighbour, and so do the tabs of several chats that were deleted together."""
    for name in "abcd":
        window.chats.open(chat(name))
    for name in "bc":
        window.chats.remove(name)
    for name in "cb":
        window.chats.open(chat(name))
    assert window.tabs.order() == ("a", "b", "c", "d")


def test_a_closed_chat_that_is_opened_otherwise_comes_last(window: MainWindow) -> None:
    """As every chat does that is opened from the sidebar."""
    for name in "ab":
        window.chats.open(chat(name))
    window.chats.close("a")
    window.chats.open(chat("a"))
    assert window.tabs.order() == ("b", "a")


def test_a_click_in_the_sidebar_opens(window: MainWindow, qtbot: QtBot) -> None:
    """A single click opens a chat. A click on a heading does not."""
    window.store.conversations.put((row("a"),))
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
    assert window.pages.home.isVisible()
    button = window.pages.home.findChild(QAbstractButton, "homeNewChat")
    assert button is not None
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewChat)):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    window.chats.open(chat("a"))
    assert not window.pages.home.isVisible()
    window.chats.close("a")
    assert window.pages.home.isVisible()


@pytest.mark.sweep(1)
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


def test_a_notice_about_a_chat_stays_with_its_tab(window: MainWindow) -> None:
    """It is not shown over another chat, and comes back with its own."""
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.show_notice(Notice("full:a", "This chat is too long.", conversation="a"))
    assert window.notices.keys() == ()
    window.tabs.show_tab("a")
    assert window.notices.keys() == ("full:a",)
    window.stage.show_models()
    assert window.notices.keys() == ()


def test_a_new_chat_does_not_take_a_chat_with_typed_words(window: MainWindow) -> None:
    """What was typed is saved before a new chat is asked for, which would use an empty one again."""
    window.chats.open(chat("a"))
    tab(window, "a").composer.edit.setPlainText("half a thought")
    intents = heard(window, SaveDraft, NewChat)
    window.sidebar.new_button.click()
    assert intents == [InChat("a", SaveDraft("half a thought")), NewChat()]


def test_a_chat_with_a_new_answer_is_marked_everywhere(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """On its tab, in its row, and as a count on the Dock."""
    counts = list[int]()
    monkeypatch.setattr(window.notifier, "set_count", counts.append)
    window.store.conversations.put((row("a"), row("b")))
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.store.unread.put(frozenset({"a"}))
    listed = window.sidebar.model.index_of("a")
    assert listed.data(ConversationRole.UNREAD)
    assert "new answer" in str(listed.data(Qt.ItemDataRole.AccessibleTextRole))
    assert window.tabs.accessibleTabName(0) == "Title a, new answer"
    window.store.unread.put(frozenset())
    assert not window.sidebar.model.index_of("a").data(ConversationRole.UNREAD)
    assert counts == [1, 0]


def test_the_app_hears_what_the_user_looks_at(window: MainWindow, qtbot: QtBot) -> None:
    """The chat in front of an active window; nothing on another page or while the window is in the background."""
    asked = heard(window, Attend)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.chats.open(chat("a"))
    window.chats.open(chat("b"))
    window.stage.show_models()
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
