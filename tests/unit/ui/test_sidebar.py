from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from tests.fakes.views import GENERATING, clock, row
from ui.sidebar import Sidebar
from ui.state import EngineState, EngineView
from ui.theme import LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


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
    """One sees at a glance which chats are at work."""
    sidebar.set_status("b", GENERATING)
    assert LIGHT.accent in colours(sidebar, "b")
    assert LIGHT.accent not in colours(sidebar, "a")


def test_the_current_row_is_painted_as_such(sidebar: Sidebar) -> None:
    """And none where the shown chat is not listed."""
    sidebar.select("b")
    assert LIGHT.selected_row in colours(sidebar, "b")
    sidebar.select("gone")
    assert LIGHT.selected_row not in colours(sidebar, "b")
    assert sidebar.current() == ""


def test_new_rows_keep_the_current_one_and_the_place(sidebar: Sidebar) -> None:
    """A list that is refreshed while one reads it does not jump."""
    rows = tuple(row(str(number), 0.1) for number in range(60))
    sidebar.show_conversations(rows)
    sidebar.select("40")
    sidebar.list.verticalScrollBar().setValue(900)
    sidebar.show_conversations((row("new"), *rows))
    assert sidebar.current() == "40"
    assert sidebar.list.verticalScrollBar().value() == 900


def test_a_title_is_edited_in_its_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Enter asks for the new title."""
    sidebar.rename("b")
    field = sidebar.findChild(QLineEdit, "rename")
    assert field is not None
    assert field.text() == "Title b"
    field.setText("Better")
    with qtbot.waitSignal(sidebar.rename_requested) as renamed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == ["b", "Better"]


def test_the_context_menu_speaks_of_its_own_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Whichever row is current."""
    sidebar.select("a")
    menu = sidebar.menu_for("b")
    choices = {action.text(): action for action in menu.actions() if action.text()}
    assert list(choices) == [
        *("Open", "Rename", "Pin", "Folder", "Tags…", "Keep warm on disk", "Export…", "Delete chat"),
    ]
    with qtbot.waitSignal(sidebar.delete_requested) as deleted:
        choices["Delete chat"].trigger()
    assert deleted.args == ["b"]
    with qtbot.waitSignal(sidebar.opened) as opened:
        choices["Open"].trigger()
    assert opened.args == ["b"]
    menu.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_D])
def test_no_bare_key_deletes(sidebar: Sidebar, qtbot: QtBot, key: Qt.Key) -> None:
    """A key pressed in the wrong place costs nothing."""
    sidebar.select("b")
    with qtbot.assertNotEmitted(sidebar.delete_requested):
        QTest.keyClick(sidebar.list, key)


def test_enter_opens_the_current_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """The list works by keyboard alone."""
    sidebar.select("b")
    with qtbot.waitSignal(sidebar.opened) as opened:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert opened.args == ["b"]


def test_the_right_button_leaves_the_current_row(sidebar: Sidebar, qtbot: QtBot) -> None:
    """A menu for one chat does not pretend that it is shown."""
    sidebar.select("a")
    with qtbot.assertNotEmitted(sidebar.opened):
        place = sidebar.list.visualRect(sidebar.model.index_of("b")).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
    assert sidebar.current() == "a"


def test_f2_edits_the_current_title(sidebar: Sidebar) -> None:
    """Renaming works by keyboard alone."""
    sidebar.select("b")
    QTest.keyClick(sidebar.list, Qt.Key.Key_F2)
    assert sidebar.findChild(QLineEdit, "rename") is not None


def test_search_is_told_once_the_user_pauses(sidebar: Sidebar, qtbot: QtBot) -> None:
    """Each key is not a search."""
    searches: list[str] = []
    sidebar.search_changed.connect(searches.append)
    QTest.keyClicks(sidebar.search, "lisbon ")
    qtbot.waitUntil(lambda: bool(searches), timeout=2000)
    assert searches == ["lisbon"]


def test_a_search_without_result_says_so(sidebar: Sidebar) -> None:
    """An empty list alone could as well be broken."""
    sidebar.show_conversations(())
    assert not sidebar.nothing.isVisible()
    sidebar.search.setText("nowhere")
    sidebar.show_conversations(())
    assert sidebar.nothing.isVisible()


def test_long_engine_words_are_cut_and_kept(sidebar: Sidebar) -> None:
    """The foot keeps its width; the tool tip has it all."""
    words = "The model does not fit into the memory of this computer, choose a smaller one"
    sidebar.set_engine(EngineView(EngineState.FAILED, words))
    assert sidebar.foot.text().endswith("…")
    assert sidebar.foot.toolTip() == words
    assert sidebar.width() == 272


def test_times_follow_the_clock(qtbot: QtBot) -> None:
    """A minute later, "now" is a time of day."""
    now = [clock()]
    sidebar = Sidebar(LIGHT, lambda: now[0])
    qtbot.addWidget(sidebar)
    sidebar.show_conversations((row("a"),))
    now[0] += timedelta(minutes=2)
    sidebar._minute.timeout.emit()
    assert "10:00" in str(sidebar.model.index_of("a").data(Qt.ItemDataRole.AccessibleTextRole))
