"""Folders in the sidebar: folding, renaming, and dragging chats into them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QMimeData, QModelIndex, QPointF, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLineEdit

from tests.fakes.context import sent, store
from tests.fakes.intents import heard, unasked
from tests.fakes.views import row
from ui.intents.chat import Open
from ui.intents.library import FileChats, PinChats, RemoveFolder, RenameFolder
from ui.sidebar.sidebar import Sidebar
from ui.theme.theme import LIGHT


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
    with unasked(sent(), Open):
        click(sidebar, heading)
    assert (sidebar.model.folded(), sidebar.current()) == (("Work",), "")
    click(sidebar, sidebar.model.index(0, 0))
    assert (sidebar.model.folded(), sidebar.current()) == ((), "w")


def test_a_folder_is_folded_when_the_button_is_released_on_it(sidebar: Sidebar) -> None:
    """Releasing the button elsewhere does nothing."""
    heading = filed(sidebar)
    view, none = sidebar.list.viewport(), Qt.KeyboardModifier.NoModifier
    QTest.mousePress(view, Qt.MouseButton.LeftButton, none, sidebar.list.visualRect(heading).center())
    away = sidebar.list.visualRect(sidebar.model.index_of("b")).center()
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, none, away)
    assert sidebar.model.folded() == ()


def test_a_double_click_toggles_a_folder_twice(sidebar: Sidebar) -> None:
    """The folder is as it was before."""
    heading = filed(sidebar)
    place, none = sidebar.list.visualRect(heading).center(), Qt.KeyboardModifier.NoModifier
    QTest.mouseDClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, none, place)
    assert sidebar.model.folded() == ()


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
        assert sidebar.model.folded() == folded
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
    moved = heard(sent())
    menu = sidebar.menu_for_folder("Work")
    entries = {action.text(): action for action in menu.actions()}
    entries["Rename folder…"].trigger()
    dialog = sidebar.window().findChild(QInputDialog, "folderNameDialog")
    assert dialog is not None
    dialog.setTextValue("Office")
    dialog.accept()
    assert (moved, sidebar.model.folded()) == ([RenameFolder("Work", "Office")], ("Office",))
    menu.close()


def test_a_folder_that_joins_another_one_leaves_that_folded_or_open(sidebar: Sidebar) -> None:
    """The chats go into a folder that is open. After an undo the former folder is folded as it was."""
    rows = replace(row("w", 0.1), folder="Work"), replace(row("h", 0.1), folder="Home")
    store().folders.put(("Home", "Work"))
    sidebar.show_conversations(rows)
    sidebar.fold(("Work",))
    menu = sidebar.menu_for_folder("Work")
    menu.actions()[0].trigger()
    dialog = sidebar.window().findChild(QInputDialog, "folderNameDialog")
    assert dialog is not None
    dialog.setTextValue("Home")
    dialog.accept()
    menu.close()
    sidebar.show_conversations(tuple(replace(one, folder="Home") for one in rows))
    assert sidebar.model.folded() == ()
    sidebar.show_conversations(rows)
    assert sidebar.model.folded() == ("Work",)


def test_a_folder_is_removed_without_its_chats(sidebar: Sidebar) -> None:
    """The app is asked to remove it, and can undo that. A new folder of the same name is not folded."""
    filed(sidebar)
    sidebar.fold(("Work",))
    asked = heard(sent())
    menu = sidebar.menu_for_folder("Work")
    entries = {action.text(): action for action in menu.actions()}
    entries["Remove folder, keep its chats"].trigger()
    menu.close()
    assert (asked, sidebar.model.folded()) == ([RemoveFolder("Work")], ())
    sidebar.show_conversations((row("w", 0.1), row("a", 0.1)))
    sidebar.show_conversations((row("w", 0.1), replace(row("a", 0.1), folder="Work")))
    assert sidebar.model.folded() == ()


def test_a_removed_folder_comes_back_as_it_was(sidebar: Sidebar) -> None:
    """An undo brings a folded folder back folded, also if one of its chats is elsewhere by then."""
    work = tuple(replace(row(name, 0.1), folder="Work") for name in "wxy")
    for folded in (("Work",), ()):
        sidebar.show_conversations(work)
        sidebar.fold(folded)
        menu = sidebar.menu_for_folder("Work")
        menu.actions()[1].trigger()
        menu.close()
        sidebar.show_conversations(tuple(replace(one, folder="") for one in work))
        sidebar.show_conversations((*work[:2], replace(work[2], folder="Home")))
        assert sidebar.model.folded() == folded


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
    reported = heard(sent())
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
    into_work, unpin = FileChats(("a",), "Work"), PinChats(("p",), pinned=False)
    out = FileChats(("w",), ""), PinChats(("a",), pinned=True)
    assert reported == [into_work, into_work, *out, unpin, unpin, FileChats(("p",), "")]


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
