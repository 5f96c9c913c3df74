"""The sidebar: its rows, their titles and menus, its edge."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QMouseEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLineEdit, QListView, QMenu, QToolTip
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import GENERATING, clock, row
from ui.intents.chat import InChat, MoveToFolder, Open, Rename, SetTags
from ui.intents.chat_settings import SetSwitch
from ui.intents.library import DeleteChats, PinChats
from ui.sidebar.conversations_model import ConversationRole
from ui.sidebar.sidebar import NARROWEST_PX, WIDEST_PX, WIDTH_PX, Sidebar
from ui.state.engine import EngineState, EngineView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Reading, Theme

PLAIN = Qt.KeyboardModifier.NoModifier


def colours(sidebar: Sidebar, conversation: str) -> set[str]:
    view = sidebar.list
    image = view.viewport().grab(view.visualRect(sidebar.model.index_of(conversation))).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_a_live_row_is_painted_in_accent(sidebar: Sidebar) -> None:
    """The user sees at a glance which chats are active."""
    sidebar.model.set_status("b", GENERATING)
    assert LIGHT.accent in colours(sidebar, "b")
    assert LIGHT.accent not in colours(sidebar, "a")


def test_two_rows_with_one_beginning_look_different(sidebar: Sidebar) -> None:
    """Also if the end of both titles has no room."""
    story = "Tell me a short story about a"
    rows = (row("a", 0.1, f"{story} fox"), row("b", 0.1, f"{story} lighthouse"))
    sidebar.show_conversations(tuple(replace(one, snippet="") for one in rows))
    view = sidebar.list
    one, other = (view.viewport().grab(view.visualRect(sidebar.model.index_of(name))).toImage() for name in "ab")
    assert one != other


def test_a_folder_has_an_icon_as_the_pinned_chats_have(sidebar: Sidebar) -> None:
    """It stands before the name."""
    sidebar.show_conversations((replace(row("x"), folder="Tea"), replace(row("y"), pinned=True)))
    view = sidebar.list
    image = view.viewport().grab().toImage()
    for index in range(sidebar.model.rowCount()):
        if not sidebar.model.is_row(index):
            middle = view.visualRect(sidebar.model.index(index, 0)).center().y() + 5
            ground = image.pixelColor(5, middle)
            assert any(image.pixelColor(x, middle) != ground for x in range(18, 31)), "an icon"
            assert all(image.pixelColor(x, middle) == ground for x in range(31, 34)), "a gap"


def test_the_current_row_is_highlighted(sidebar: Sidebar) -> None:
    """No row is highlighted if the open chat is not listed."""
    sidebar.select("b")
    assert LIGHT.selected_row in colours(sidebar, "b")
    sidebar.select("gone")
    assert LIGHT.selected_row not in colours(sidebar, "b")
    assert sidebar.current() == ""


def test_new_rows_keep_the_current_row_and_the_scroll_position(sidebar: Sidebar) -> None:
    """A refresh does not move the list."""
    rows = tuple(row(str(number), 0.1) for number in range(60))
    sidebar.show_conversations(rows)
    sidebar.select("40")
    sidebar.list.verticalScrollBar().setValue(900)
    sidebar.show_conversations((row("new"), *rows))
    assert sidebar.current() == "40"
    assert sidebar.list.verticalScrollBar().value() == 900


def test_a_title_is_edited_in_its_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Enter requests the new title."""
    sidebar.rename("b")
    field = sidebar.findChild(QLineEdit, "rename")
    assert field is not None
    assert field.text() == "Title b"
    field.setText("Better")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Rename)) as renamed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == [InChat("b", Rename("Better"))]


def test_the_return_that_ends_a_rename_opens_nothing(sidebar: Sidebar, qtbot: QtBot) -> None:
    """A chat that is renamed while another is read stays in the background, and its row has the new title at once."""
    sidebar.select("a")
    sidebar.rename("b")
    field = sidebar.findChild(QLineEdit, "rename")
    assert field is not None
    field.setText("Better")
    with unasked(sent(), Open), qtbot.waitSignal(sent().requested, check_params_cb=is_a(Rename)):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert sidebar.model.index_of("b").data() == "Better"
    qtbot.waitUntil(lambda: sidebar.list.state() is not QListView.State.EditingState)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Open)):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)


def test_a_title_that_is_being_typed_stays_while_chats_are_answered(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Rows that come meanwhile, in another order, wait until the field closes. The keyboard stays in the field, and a
    new state of the row does not replace the words.
    """
    sidebar.select("a")
    sidebar.rename("b")
    field = sidebar.findChild(QLineEdit, "rename")
    assert field is not None
    QTest.keyClicks(field, "Bett")
    store().conversations.put((row("b"), row("a"), row("c")))
    sidebar.model.set_status("b", GENERATING)
    sidebar.model.refresh_times()
    sidebar.minute_timer.timeout.emit()
    sidebar.select("c")
    assert field.hasFocus()
    QTest.keyClicks(field, "er")
    assert field.text() == "Better"
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Rename)) as renamed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == [InChat("b", Rename("Better"))]
    qtbot.waitUntil(lambda: not sidebar.list.is_editing)
    listed = [sidebar.model.index(number, 0).data(ConversationRole.ID) for number in range(sidebar.model.rowCount())]
    assert [chat for chat in listed if chat] == ["b", "a", "c"]
    sidebar.search.setFocus()
    sidebar.show_conversations((row("b"), row("a"), row("c")))
    assert sidebar.current() == "c"


@pytest.mark.parametrize("after", ["acb", "b"])
def test_rename_opens_the_chat_that_was_meant(sidebar: Sidebar, qtbot: QtBot, after: str) -> None:
    """Another title is just being typed, and the list, which waits for its end, has changed meanwhile."""
    sidebar.show_conversations(tuple(row(name, 0.1) for name in "abc"))
    sidebar.rename("a")
    field = sidebar.findChild(QLineEdit, "rename")
    assert field is not None
    QTest.keyClicks(field, "First")
    sidebar.show_conversations(tuple(row(name, 0.1) for name in after))
    sidebar.rename("b")
    qtbot.waitUntil(lambda: [one.text() for one in sidebar.list.findChildren(QLineEdit, "rename")] == ["Title b"])
    assert sidebar.current() == "b"
    (other,) = sidebar.list.findChildren(QLineEdit, "rename")
    other.setText("Second")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Rename)) as renamed:
        QTest.keyClick(other, Qt.Key.Key_Return)
    assert renamed.args == [InChat("b", Rename("Second"))]


def test_the_context_menu_is_for_its_own_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The current row does not matter."""
    sidebar.select("a")
    menu = sidebar.menu_for("b")
    choices = {action.text(): action for action in menu.actions() if action.text()}
    assert list(choices) == [
        *("Open", "Rename", "Pin", "Folder", "Tags…", "Keep ready on disk", "Export…", "Delete chat"),
    ]
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(DeleteChats)) as deleted:
        choices["Delete chat"].trigger()
    assert deleted.args == [DeleteChats(("b",))]
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Open)) as opened:
        choices["Open"].trigger()
    assert opened.args == [InChat("b", Open())]
    menu.close()


def test_enter_opens_the_current_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The list can be used by keyboard alone."""
    sidebar.select("b")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Open)) as opened:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert opened.args == [InChat("b", Open())]


def test_a_right_click_keeps_the_current_row(sidebar: Sidebar) -> None:
    """The menu of another chat does not highlight it."""
    sidebar.select("a")
    with unasked(sent(), Open):
        place = sidebar.list.visualRect(sidebar.model.index_of("b")).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
    assert sidebar.current() == "a"


def test_f2_edits_the_current_title(sidebar: Sidebar) -> None:
    """A chat can be renamed by keyboard alone."""
    sidebar.select("b")
    QTest.keyClick(sidebar.list, Qt.Key.Key_F2)
    assert sidebar.findChild(QLineEdit, "rename") is not None


def test_an_empty_list_says_why(sidebar: Sidebar) -> None:
    """An empty list alone could look like a fault, before the first chat and after a search."""
    assert not sidebar.empty_label.isVisible()  # until the app has sent the list
    sidebar.show_conversations(())
    assert sidebar.empty_label.isVisible()
    assert sidebar.empty_label.text() == "No chats yet"
    assert not sidebar.search_all.isVisible()
    sidebar.search.setText("nowhere")
    sidebar.show_conversations(())
    assert sidebar.empty_label.isVisible()
    assert sidebar.empty_label.text() == "No chats found"


def test_a_long_engine_message_is_elided(sidebar: Sidebar) -> None:
    """The footer keeps its width, and its tool tip has the full text."""
    words = "The model does not fit into the memory of this computer, choose a smaller one"
    store().engine.put(EngineView(EngineState.FAILED, words))
    assert sidebar.footer.label.text().endswith("…")
    assert sidebar.footer.toolTip() == words
    assert sidebar.width() == 272
    store().engine.put(EngineView(EngineState.FAILED, f"The engine keeps stopping. {words}"))
    assert sidebar.footer.label.text() == "The engine keeps stopping"
    assert sidebar.footer.toolTip() == f"The engine keeps stopping. {words}"


def test_times_follow_the_clock(qtbot: QtBot) -> None:
    """After a minute, "now" becomes a time of day."""
    now = [clock()]
    sidebar = Sidebar(context(), lambda: now[0])
    qtbot.addWidget(sidebar)
    sidebar.show_conversations((row("a"),))
    now[0] += timedelta(minutes=2)
    sidebar.minute_timer.timeout.emit()
    assert "10:00" in str(sidebar.model.index_of("a").data(Qt.ItemDataRole.AccessibleTextRole))


def test_the_menu_shows_the_state_of_its_chat(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Each choice starts at the current state and changes it."""
    store().folders.put(("Home", "Work & play"))
    sidebar.show_conversations((replace(row("b"), pinned=True, folder="Home", cached=False),))
    menu = sidebar.menu_for("b")
    choices = {action.text(): action for action in menu.actions() if action.text()}
    folders = choices["Folder"].menu()
    assert isinstance(folders, QMenu)
    named = {action.text(): action for action in folders.actions() if action.text()}
    assert [name for name, action in named.items() if action.isChecked()] == ["Home"]
    assert not choices["Keep ready on disk"].isChecked()
    reported = heard(sent())
    for choice in (choices["Unpin"], choices["Keep ready on disk"], named["Work && play"], named["None"]):
        choice.trigger()
    wanted = (SetSwitch("cached", is_on=True), MoveToFolder("Work & play"), MoveToFolder(""))
    assert reported == [PinChats(("b",), pinned=False), *(InChat("b", intent) for intent in wanted)]
    with qtbot.waitSignal(sidebar.export_requested) as export:
        choices["Export…"].trigger()
    assert export.args == ["b"]
    menu.close()


def test_a_dialog_outlives_the_menu_that_opened_it(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The answer is reported after the menu was deleted."""
    sidebar.show_conversations((replace(row("b"), tags=("rust",)),))
    menu = sidebar.menu_for("b")
    choices = {action.text(): action for action in menu.actions() if action.text()}
    folders = choices["Folder"].menu()
    assert isinstance(folders, QMenu)
    choices["Tags…"].trigger()
    folders.actions()[-1].trigger()
    menu.popup(sidebar.mapToGlobal(sidebar.rect().center()))
    menu.close()
    qtbot.waitUntil(lambda: not isValid(menu))
    tags, folder = (sidebar.findChild(QInputDialog, name) for name in ("tagsDialog", "folderNameDialog"))
    assert tags is not None
    assert folder is not None
    assert tags.textValue() == "rust"
    tags.setTextValue("rust, puzzles")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(SetTags)) as tagged:
        tags.accept()
    assert tagged.args == [InChat("b", SetTags("rust, puzzles"))]
    folder.setTextValue(" Work\n")
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(MoveToFolder)) as moved:
        folder.accept()
    assert moved.args == [InChat("b", MoveToFolder("Work"))]


def test_midnight_keeps_the_open_chat_highlighted(qtbot: QtBot) -> None:
    """A row that moves to another date stays highlighted."""
    now = [clock()]
    sidebar = Sidebar(context(), lambda: now[0])
    qtbot.addWidget(sidebar)
    sidebar.show_conversations((row("a"),))
    sidebar.select("a")
    now[0] += timedelta(days=1)
    sidebar.minute_timer.timeout.emit()
    assert sidebar.current() == "a"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_kind_of_line_can_be_painted(sidebar: Sidebar, theme: Theme) -> None:
    """Pin, chevron, tags and marks are painted in both themes."""
    appearance.turn_to(theme)
    sidebar.show_conversations((replace(row("p"), pinned=True), replace(row("w"), folder="Work"), row("a")))
    sidebar.show_conversations((replace(row("p"), pinned=True, tags=("one", "two")), replace(row("w"), folder="Work")))
    assert theme.faint in colours(sidebar, "p")
    sidebar.search.setText("snippet")
    sidebar.show_conversations((replace(row("p"), pinned=True, marks=((0, 7),)),))
    assert theme.text in colours(sidebar, "p")


def test_a_change_of_one_row_lays_out_no_other(sidebar: Sidebar, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of a chat changes often, and a list may have 10,000 rows: only what is in view is painted again."""
    sidebar.show_conversations(tuple(row(str(number), 0.1) for number in range(400)))
    sidebar.list.viewport().grab()
    asked: list[int] = []

    def is_row(_model: object, number: int) -> bool:
        asked.append(number)
        return True

    monkeypatch.setattr(type(sidebar.model), "is_row", is_row)
    sidebar.model.set_status("300", GENERATING)
    sidebar.show_conversations(tuple(row(str(number), 0.1) for number in range(400)))
    sidebar.list.viewport().grab()
    assert len(asked) < 100


@pytest.mark.parametrize(("title", "shown"), [("Short", ""), ("Tell me a long story number " * 3, "story number Tell")])
def test_a_title_that_is_cut_off_is_whole_in_its_tool_tip(sidebar: Sidebar, title: str, shown: str) -> None:
    """Chats with the same first words can be told apart by the mouse; a title that fits needs no tip."""
    sidebar.show_conversations((replace(row("a", 0.1), title=title),))
    spot = sidebar.list.visualRect(sidebar.model.index_of("a")).center()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, spot, sidebar.list.viewport().mapToGlobal(spot))
    QGuiApplication.sendEvent(sidebar.list.viewport(), event)
    assert shown in QToolTip.text()
    assert bool(QToolTip.text()) is bool(shown)
    QToolTip.hideText()


def test_its_edge_can_be_dragged(sidebar: Sidebar) -> None:
    """Long titles get room. There are limits, and a double click returns to the usual width."""
    sidebar.resize(sidebar.width(), 701)
    spot = QPointF(sidebar.edge.rect().center())
    assert sidebar.edge.x() == sidebar.width() - sidebar.edge.width()

    def drag(kind: QEvent.Type, by: int) -> None:
        place = spot + QPointF(by, 0)
        event = QMouseEvent(kind, spot, place, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton, PLAIN)
        QGuiApplication.sendEvent(sidebar.edge, event)

    drag(QEvent.Type.MouseButtonPress, 0)
    drag(QEvent.Type.MouseMove, 60)
    assert sidebar.width() == WIDTH_PX + 60
    drag(QEvent.Type.MouseMove, 2000)
    assert sidebar.width() == WIDEST_PX
    drag(QEvent.Type.MouseMove, -4000)
    assert sidebar.width() == NARROWEST_PX
    drag(QEvent.Type.MouseButtonRelease, 0)
    drag(QEvent.Type.MouseButtonDblClick, 0)
    assert sidebar.width() == WIDTH_PX


def test_the_list_grows_with_the_text(sidebar: Sidebar) -> None:
    """Rows and letters do, within limits, and shrink again."""
    first = sidebar.model.index(1, 0)
    usual = sidebar.list.visualRect(first).height()
    for zoom, wanted in ((110, 1.1), (200, 1.2), (70, 0.85), (100, 1.0)):
        appearance.turn_to(replace(LIGHT, reading=Reading(zoom)))
        sidebar.list.doItemsLayout()
        assert sidebar.list.visualRect(first).height() == round(usual * wanted)
