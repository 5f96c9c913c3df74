from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QPointF, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QHelpEvent,
    QMouseEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLineEdit, QListView, QMenu, QToolTip
from shiboken6 import isValid

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import GENERATING, clock, row
from ui.intents.chat import Delete, InChat, KeepWarm, MoveToFolder, Open, OpenAt, Pin, Rename, SetTags
from ui.intents.library import DeleteChats, FileChats, PinChats, RenameFolder, Search
from ui.sidebar.sidebar import NARROWEST_PX, WIDEST_PX, WIDTH_PX, Sidebar
from ui.state.engine import EngineState, EngineView
from ui.theme.theme import DARK, LIGHT, Reading

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme.theme import Theme

PLAIN = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    made = Sidebar(LIGHT, clock)
    qtbot.addWidget(made)
    made.resize(made.width(), 700)
    made.show_conversations(tuple(row(name, 0.1) for name in "abc"))
    made.show()
    qtbot.waitExposed(made)
    return made


def colours(sidebar: Sidebar, conversation: str) -> set[str]:
    view = sidebar.list
    image = view.viewport().grab(view.visualRect(sidebar.model.index_of(conversation))).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_a_live_row_is_painted_in_accent(sidebar: Sidebar) -> None:
    """The user sees at a glance which chats are active."""
    sidebar.set_status("b", GENERATING)
    assert LIGHT.accent in colours(sidebar, "b")
    assert LIGHT.accent not in colours(sidebar, "a")


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
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Rename)) as renamed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == [InChat("b", Rename("Better"))]


def test_the_return_that_ends_a_rename_opens_nothing(sidebar: Sidebar, qtbot: QtBot) -> None:
    """A chat that is renamed while another is read stays in the background, and its row has the new title at once."""
    sidebar.select("a")
    sidebar.rename("b")
    field = sidebar.findChild(QLineEdit, "rename")
    assert field is not None
    field.setText("Better")
    with unasked(sidebar, Open), qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Rename)):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert sidebar.model.index_of("b").data() == "Better"
    qtbot.waitUntil(lambda: sidebar.list.state() is not QListView.State.EditingState)
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Open)):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)


def test_the_context_menu_is_for_its_own_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The current row does not matter."""
    sidebar.select("a")
    menu = sidebar.menu_for("b")
    choices = {action.text(): action for action in menu.actions() if action.text()}
    assert list(choices) == [
        *("Open", "Rename", "Pin", "Folder", "Tags…", "Keep ready on disk", "Export…", "Delete chat"),
    ]
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Delete)) as deleted:
        choices["Delete chat"].trigger()
    assert deleted.args == [InChat("b", Delete())]
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Open)) as opened:
        choices["Open"].trigger()
    assert opened.args == [InChat("b", Open())]
    menu.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_D])
def test_no_other_key_deletes(sidebar: Sidebar, key: Qt.Key) -> None:
    """Backspace corrects a search: it deletes no chat by accident."""
    sidebar.select("b")
    with unasked(sidebar, Delete):
        QTest.keyClick(sidebar.list, key)


def test_enter_opens_the_current_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The list can be used by keyboard alone."""
    sidebar.select("b")
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Open)) as opened:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert opened.args == [InChat("b", Open())]


def test_a_right_click_keeps_the_current_row(sidebar: Sidebar) -> None:
    """The menu of another chat does not highlight it."""
    sidebar.select("a")
    with unasked(sidebar, Open):
        place = sidebar.list.visualRect(sidebar.model.index_of("b")).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
    assert sidebar.current() == "a"


def click_row(sidebar: Sidebar, conversation: str, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    place = sidebar.list.visualRect(sidebar.model.index_of(conversation)).center()
    QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, keys, place)


def test_several_chats_are_selected_by_clicks(sidebar: Sidebar) -> None:
    """With control one by one, with shift all up to the one that is clicked. None is opened, but by a plain click."""
    asked = heard(sidebar)
    sidebar.select("a")
    click_row(sidebar, "c", Qt.KeyboardModifier.ControlModifier)
    assert (sidebar.list.chosen(), asked) == (("a", "c"), [])
    sidebar.select("a")
    click_row(sidebar, "c", Qt.KeyboardModifier.ShiftModifier)
    assert (sidebar.list.chosen(), asked) == (("a", "b", "c"), [])
    click_row(sidebar, "b")
    assert (sidebar.list.chosen(), asked) == (("b",), [InChat("b", Open())])


def test_several_chats_are_selected_by_keys(sidebar: Sidebar) -> None:
    """Shift with the arrows; Escape returns to the open chat."""
    sidebar.select("a")
    sidebar.list.setFocus()
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert sidebar.list.chosen() == ("a", "b")
    QTest.keyClick(sidebar.list, Qt.Key.Key_Escape)
    assert (sidebar.list.chosen(), sidebar.current()) == (("a",), "a")


def test_a_selection_survives_a_change_of_the_list(sidebar: Sidebar) -> None:
    """An answer that ends elsewhere moves rows; what the user selects stays selected, if it is still there."""
    sidebar.select("a")
    click_row(sidebar, "b", Qt.KeyboardModifier.ControlModifier)
    click_row(sidebar, "c", Qt.KeyboardModifier.ControlModifier)
    sidebar.show_conversations((row("d", 0.01), row("b", 0.1), row("a", 0.2)))
    assert sidebar.list.chosen() == ("b", "a")


def test_the_menu_of_several_chats_is_for_all_of_them(sidebar: Sidebar) -> None:
    """Each entry says for how many chats it is."""
    sidebar.show_folders(("Work",))
    menu = sidebar.menu_for_several(("a", "c"))
    choices = {action.text(): action for action in menu.actions() if action.text()}
    assert list(choices) == ["Pin 2 chats", "Folder", "Export 2 chats…", "Delete 2 chats"]
    folder = choices["Folder"].menu()
    assert isinstance(folder, QMenu)
    asked = heard(sidebar)
    next(action for action in folder.actions() if action.text() == "Work").trigger()
    choices["Pin 2 chats"].trigger()
    choices["Delete 2 chats"].trigger()
    both = ("a", "c")
    assert asked == [FileChats(both, "Work"), PinChats(both, pinned=True), DeleteChats(both)]
    menu.close()


def test_a_right_click_outside_the_selection_is_for_its_own_row(
    sidebar: Sidebar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu is for the selection only if it is opened on one of its rows."""
    opened: list[object] = []
    monkeypatch.setattr("ui.widgets.menu.Menu.open_at", lambda menu, _: opened.append(type(menu).__name__))
    sidebar.select("a")
    click_row(sidebar, "b", Qt.KeyboardModifier.ControlModifier)
    for name in ("b", "c"):
        sidebar.list.customContextMenuRequested.emit(sidebar.list.visualRect(sidebar.model.index_of(name)).center())
    assert opened == ["ChatsMenu", "ConversationMenu"]


def test_several_chats_are_dragged_together(sidebar: Sidebar) -> None:
    """All that are selected move to the section where they are dropped."""
    sidebar.show_conversations((row("a", 0.1), row("b", 0.1), replace(row("p", 0.1), pinned=True)))
    data = sidebar.model.mimeData([sidebar.model.index_of("a"), sidebar.model.index_of("b")])
    asked = heard(sidebar)
    sidebar.model.dropMimeData(data, Qt.DropAction.MoveAction, -1, 0, sidebar.model.index_of("p"))
    assert asked == [InChat("a", Pin(pinned=True)), InChat("b", Pin(pinned=True))]


def test_f2_edits_the_current_title(sidebar: Sidebar) -> None:
    """A chat can be renamed by keyboard alone."""
    sidebar.select("b")
    QTest.keyClick(sidebar.list, Qt.Key.Key_F2)
    assert sidebar.findChild(QLineEdit, "rename") is not None


def test_the_search_starts_when_the_user_pauses(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Not every key starts a search."""
    searches = heard(sidebar)
    QTest.keyClicks(sidebar.search, "lisbon ")
    qtbot.waitUntil(lambda: bool(searches), timeout=2000)
    assert searches == [Search("lisbon")]


def test_a_result_opens_at_its_hit(sidebar: Sidebar, qtbot: QtBot) -> None:
    """A click or Return on a search result opens the chat at the message that was found, with its words."""
    sidebar.search.setText("fox")
    sidebar.show_conversations((replace(row("b"), hit="m7", terms=("fox",)), row("c")))
    sidebar.list.setCurrentIndex(sidebar.model.index_of("b"))
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(OpenAt)) as opened:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert opened.args == [InChat("b", OpenAt("m7", ("fox",)))]
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Open)):
        sidebar.list.opened.emit(sidebar.model.index_of("c"))


def test_results_are_reached_from_the_search_field(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Return opens the best result, also if it comes later; the down key moves into the list."""
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(Search)), unasked(sidebar, Open, OpenAt):
        sidebar.search.setText("fox")
        QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(OpenAt)):
        sidebar.show_conversations((replace(row("b"), hit="m7", terms=("fox",)), row("c")))
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(OpenAt)):
        QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.list.hasFocus()
    assert sidebar.current() == "b"


def test_escape_clears_the_search_and_then_leaves_it(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The first press lists all chats again, the second gives the keyboard back."""
    sidebar.activateWindow()
    sidebar.search.setFocus()
    QTest.keyClicks(sidebar.search, "fox")
    left: list[bool] = []
    sidebar.search_left.connect(lambda: left.append(True))
    with qtbot.waitSignal(sidebar.requested, check_params_cb=lambda intent: intent == Search("")):
        QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert (sidebar.search.text(), left) == ("", [])
    QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert left == [True]


def test_an_empty_list_says_why(sidebar: Sidebar) -> None:
    """An empty list alone could look like a fault, before the first chat and after a search."""
    assert not sidebar.empty_label.isVisible()  # until the app has sent the list
    sidebar.show_conversations(())
    assert sidebar.empty_label.isVisible()
    assert sidebar.empty_label.text() == "No chats yet"
    sidebar.search.setText("nowhere")
    sidebar.show_conversations(())
    assert sidebar.empty_label.isVisible()
    assert sidebar.empty_label.text() == "No chats found"


def test_a_long_engine_message_is_elided(sidebar: Sidebar) -> None:
    """The footer keeps its width, and its tool tip has the full text."""
    words = "The model does not fit into the memory of this computer, choose a smaller one"
    sidebar.set_engine(EngineView(EngineState.FAILED, words))
    assert sidebar.footer.text().endswith("…")
    assert sidebar.footer.toolTip() == words
    assert sidebar.width() == 272
    sidebar.set_engine(EngineView(EngineState.FAILED, f"The engine keeps stopping. {words}"))
    assert sidebar.footer.text() == "The engine keeps stopping"
    assert sidebar.footer.toolTip() == f"The engine keeps stopping. {words}"


def test_times_follow_the_clock(qtbot: QtBot) -> None:
    """After a minute, "now" becomes a time of day."""
    now = [clock()]
    sidebar = Sidebar(LIGHT, lambda: now[0])
    qtbot.addWidget(sidebar)
    sidebar.show_conversations((row("a"),))
    now[0] += timedelta(minutes=2)
    sidebar.minute_timer.timeout.emit()
    assert "10:00" in str(sidebar.model.index_of("a").data(Qt.ItemDataRole.AccessibleTextRole))


def filed(sidebar: Sidebar) -> QModelIndex:
    """The heading of a folder with chat "w", above chats "a" and "b"."""
    sidebar.show_conversations((replace(row("w", 0.1), folder="Work"), row("a", 0.1), row("b", 0.1)))
    return sidebar.model.index(0, 0)


def click(sidebar: Sidebar, index: QModelIndex) -> None:
    place = sidebar.list.visualRect(index).center()
    QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_a_click_folds_a_folder_and_selects_nothing(sidebar: Sidebar) -> None:
    """The open chat stays highlighted, also when its folder unfolds again."""
    heading = filed(sidebar)
    sidebar.select("w")
    with unasked(sidebar, Open):
        click(sidebar, heading)
    assert (sidebar.folded(), sidebar.current()) == (("Work",), "")
    click(sidebar, sidebar.model.index(0, 0))
    assert (sidebar.folded(), sidebar.current()) == ((), "w")


def test_a_folder_is_folded_when_the_button_is_released_on_it(sidebar: Sidebar) -> None:
    """Releasing the button elsewhere does nothing."""
    heading = filed(sidebar)
    view, none = sidebar.list.viewport(), Qt.KeyboardModifier.NoModifier
    QTest.mousePress(view, Qt.MouseButton.LeftButton, none, sidebar.list.visualRect(heading).center())
    away = sidebar.list.visualRect(sidebar.model.index_of("b")).center()
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, none, away)
    assert sidebar.folded() == ()


def test_a_double_click_toggles_a_folder_twice(sidebar: Sidebar) -> None:
    """The folder is as it was before."""
    heading = filed(sidebar)
    place, none = sidebar.list.visualRect(heading).center(), Qt.KeyboardModifier.NoModifier
    QTest.mouseDClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, none, place)
    assert sidebar.folded() == ()


def test_a_folder_is_folded_by_key(sidebar: Sidebar) -> None:
    """The left and right arrows close and open it. Enter and space toggle it."""
    heading = filed(sidebar)
    sidebar.list.setCurrentIndex(heading)
    for key, folded in (
        (Qt.Key.Key_Right, ()),
        (Qt.Key.Key_Left, ("Work",)),
        (Qt.Key.Key_Left, ("Work",)),
        (Qt.Key.Key_Right, ()),
        (Qt.Key.Key_Return, ("Work",)),
        (Qt.Key.Key_Space, ()),
    ):
        QTest.keyClick(sidebar.list, key)
        assert sidebar.folded() == folded
    assert sidebar.list.currentIndex().row() == 0


def test_f2_on_a_heading_edits_nothing(sidebar: Sidebar) -> None:
    """A folder is renamed in its menu."""
    sidebar.list.setCurrentIndex(filed(sidebar))
    QTest.keyClick(sidebar.list, Qt.Key.Key_F2)
    assert sidebar.findChild(QLineEdit, "rename") is None


def test_renaming_a_folder_keeps_its_chats_and_its_fold(sidebar: Sidebar) -> None:
    """All chats move to the new name. A folded folder stays folded."""
    filed(sidebar)
    sidebar.fold(("Work",))
    moved = heard(sidebar)
    menu = sidebar.menu_for_folder("Work")
    entries = {action.text(): action for action in menu.actions()}
    entries["Rename folder…"].trigger()
    dialog = sidebar.window().findChild(QInputDialog, "folderNameDialog")
    assert dialog is not None
    dialog.setTextValue("Office")
    dialog.accept()
    assert (moved, sidebar.folded()) == ([RenameFolder("Work", "Office")], ("Office",))
    entries["Remove folder, keep its chats"].trigger()
    assert moved[1:] == [RenameFolder("Work", "")]
    menu.close()


def test_the_menu_shows_the_state_of_its_chat(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Each choice starts at the current state and changes it."""
    sidebar.show_folders(("Home", "Work & play"))
    sidebar.show_conversations((replace(row("b"), pinned=True, folder="Home", cached=False),))
    menu = sidebar.menu_for("b")
    choices = {action.text(): action for action in menu.actions() if action.text()}
    folders = choices["Folder"].menu()
    assert isinstance(folders, QMenu)
    named = {action.text(): action for action in folders.actions() if action.text()}
    assert [name for name, action in named.items() if action.isChecked()] == ["Home"]
    assert not choices["Keep ready on disk"].isChecked()
    reported = heard(sidebar)
    for choice in (choices["Unpin"], choices["Keep ready on disk"], named["Work && play"], named["None"]):
        choice.trigger()
    wanted = (Pin(pinned=False), KeepWarm(cached=True), MoveToFolder("Work & play"), MoveToFolder(""))
    assert reported == [InChat("b", intent) for intent in wanted]
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
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(SetTags)) as tagged:
        tags.accept()
    assert tagged.args == [InChat("b", SetTags("rust, puzzles"))]
    folder.setTextValue(" Work\n")
    with qtbot.waitSignal(sidebar.requested, check_params_cb=is_a(MoveToFolder)) as moved:
        folder.accept()
    assert moved.args == [InChat("b", MoveToFolder("Work"))]


def test_a_search_lists_its_results_without_sections(sidebar: Sidebar) -> None:
    """The best result is first. Without the search, the sections are back."""
    rows = (replace(row("w", 0.1), folder="Work"), replace(row("p", 0.1), pinned=True))
    sidebar.search.setText("title")
    sidebar.show_conversations(rows)
    assert sidebar.model.index(0, 0).data() == "Results"
    sidebar.search.clear()
    sidebar.show_conversations(rows)
    assert [sidebar.model.index(n, 0).data() for n in (0, 2)] == ["Pinned", "Work"]


def test_midnight_keeps_the_open_chat_highlighted(qtbot: QtBot) -> None:
    """A row that moves to another date stays highlighted."""
    now = [clock()]
    sidebar = Sidebar(LIGHT, lambda: now[0])
    qtbot.addWidget(sidebar)
    sidebar.show_conversations((row("a"),))
    sidebar.select("a")
    now[0] += timedelta(days=1)
    sidebar.minute_timer.timeout.emit()
    assert sidebar.current() == "a"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_kind_of_line_can_be_painted(sidebar: Sidebar, theme: Theme) -> None:
    """Pin, chevron, tags and marks are painted in both themes."""
    sidebar.set_theme(theme)
    sidebar.show_conversations((replace(row("p"), pinned=True), replace(row("w"), folder="Work"), row("a")))
    sidebar.show_conversations((replace(row("p"), pinned=True, tags=("one", "two")), replace(row("w"), folder="Work")))
    assert theme.faint in colours(sidebar, "p")
    sidebar.search.setText("snippet")
    sidebar.show_conversations((replace(row("p"), pinned=True, marks=((0, 7),)),))
    assert theme.text in colours(sidebar, "p")


def drag_to(sidebar: Sidebar, conversation: str, index: QModelIndex) -> bool:
    """Drop `conversation` on `index`. Return whether the drop was accepted."""
    place = QPointF(sidebar.list.visualRect(index).center())
    data = sidebar.model.mimeData([sidebar.model.index_of(conversation)])
    keys = (Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    sidebar.list.dragEnterEvent(QDragEnterEvent(place.toPoint(), *keys))
    over = QDragMoveEvent(place.toPoint(), *keys)
    sidebar.list.dragMoveEvent(over)
    sidebar.list.dropEvent(QDropEvent(place, *keys))
    return over.isAccepted()


def test_a_chat_is_moved_by_dragging(sidebar: Sidebar) -> None:
    """It can be dropped on a folder or on a chat in it. Dropped among the dates, it leaves its folder."""
    reported = heard(sidebar)
    sidebar.show_conversations(
        (replace(row("p"), pinned=True, folder="Work"), replace(row("w"), folder="Work"), row("a"))
    )
    pinned, work, dates = (sidebar.model.index(number, 0) for number in (0, 2, 4))
    assert drag_to(sidebar, "a", work)
    assert drag_to(sidebar, "a", sidebar.model.index_of("w"))
    assert drag_to(sidebar, "w", dates)
    assert drag_to(sidebar, "a", pinned)
    assert drag_to(sidebar, "p", work)
    assert drag_to(sidebar, "p", sidebar.model.index_of("a"))
    into_work, unpin = InChat("a", MoveToFolder("Work")), InChat("p", Pin(pinned=False))
    out = InChat("w", MoveToFolder("")), InChat("a", Pin(pinned=True))
    assert reported == [into_work, into_work, *out, unpin, unpin, InChat("p", MoveToFolder(""))]


def test_a_chat_cannot_be_dropped_on_its_own_section(sidebar: Sidebar) -> None:
    """Search results accept no drops either."""
    heading = filed(sidebar)
    assert not drag_to(sidebar, "w", heading)
    assert not drag_to(sidebar, "a", sidebar.model.index_of("b"))
    sidebar.search.setText("title")
    sidebar.show_conversations((replace(row("p"), pinned=True), row("a")))
    assert not drag_to(sidebar, "a", sidebar.model.index(0, 0))


def test_the_drop_target_is_marked(sidebar: Sidebar) -> None:
    """The mark goes when the mouse leaves."""
    heading = filed(sidebar)

    def middle() -> str:
        place = sidebar.list.visualRect(heading)
        return sidebar.list.viewport().grab(place).toImage().pixelColor(place.center()).name()

    for index in (heading, sidebar.model.index_of("w")):
        sidebar.list.drop_target_changed.emit(index)
        assert middle() == LIGHT.selection
    sidebar.list.dragLeaveEvent(QDragLeaveEvent())
    assert middle() != LIGHT.selection


def test_drops_from_other_sources_are_refused(sidebar: Sidebar) -> None:
    """Text and files are not chats."""
    heading = filed(sidebar)
    data = QMimeData()
    data.setText("a")
    assert not sidebar.model.canDropMimeData(data, Qt.DropAction.MoveAction, -1, -1, heading)


def test_the_open_chat_is_in_view_after_a_search(sidebar: Sidebar) -> None:
    """The list scrolls to it if the search did not list it."""
    rows = tuple(row(str(number), number / 10) for number in range(60))
    sidebar.show_conversations(rows)
    sidebar.select("50")
    sidebar.search.setText("nothing")
    sidebar.show_conversations(rows[:2])
    sidebar.search.clear()
    sidebar.show_conversations(rows)
    assert sidebar.current() == "50"
    assert sidebar.list.viewport().rect().contains(sidebar.list.visualRect(sidebar.list.currentIndex()))


def test_a_change_of_one_row_lays_out_no_other(sidebar: Sidebar, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of a chat changes often, and a list may have 10,000 rows: only what is in view is painted again."""
    sidebar.show_conversations(tuple(row(str(number), 0.1) for number in range(400)))
    sidebar.list.viewport().grab()
    asked: list[int] = []

    def is_row(_model: object, number: int) -> bool:
        asked.append(number)
        return True

    monkeypatch.setattr(type(sidebar.model), "is_row", is_row)
    sidebar.set_status("300", GENERATING)
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


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_its_edge_can_be_dragged(sidebar: Sidebar, direction: Qt.LayoutDirection) -> None:
    """Long titles get room. There are limits, and a double click returns to the usual width."""
    sidebar.setLayoutDirection(direction)
    sidebar.resize(sidebar.width(), 701)
    out = 1 if direction == Qt.LayoutDirection.LeftToRight else -1
    spot = QPointF(sidebar.edge.rect().center())
    assert sidebar.edge.x() == (sidebar.width() - sidebar.edge.width() if out > 0 else 0)

    def drag(kind: QEvent.Type, by: int) -> None:
        place = spot + QPointF(out * by, 0)
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
        sidebar.set_theme(replace(LIGHT, reading=Reading(zoom)))
        sidebar.list.doItemsLayout()
        assert sidebar.list.visualRect(first).height() == round(usual * wanted)


def test_delete_deletes_the_selected_chats(sidebar: Sidebar) -> None:
    """By keyboard alone: one row, or several. On a heading the key does nothing."""
    said = heard(sidebar)
    sidebar.list.setFocus()
    sidebar.list.setCurrentIndex(sidebar.model.index_of("b"))
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert said == [DeleteChats(("b",))]
    sidebar.list.choose([sidebar.model.index_of("a"), sidebar.model.index_of("b")])
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert said[1:] == [DeleteChats(("a", "b"))]
    sidebar.list.clearSelection()
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete, Qt.KeyboardModifier.ShiftModifier)
    assert len(said) == 2


def test_the_open_chat_is_highlighted_again_when_the_keyboard_leaves(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The arrow keys move through the list; afterwards it shows which chat is open."""
    sidebar.select("a")
    sidebar.activateWindow()
    sidebar.list.setFocus()
    qtbot.waitUntil(sidebar.list.hasFocus)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down)
    assert sidebar.current() == "b"
    sidebar.search.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert sidebar.current() == "a"
