"""The command palette, by keyboard alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.palette import current_entry
from tests.fakes.views import GENERATING, LARGE, TINY, asked, chat, row
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.chat import InChat, Open, OpenAt, Stop
from ui.intents.library import LookUp, NewChat
from ui.intents.models import PickModel
from ui.intents.notice import undo_notice
from ui.palette.command_palette import CommandPalette
from ui.state.engine import OfferedModels
from ui.theme.appearance import appearance
from ui.theme.theme import DARK
from ui.window.main_window import MainWindow

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def palette(window: MainWindow, qtbot: QtBot) -> CommandPalette:
    """An open palette over two open chats and one that is not open; "a" is in front."""
    window.store.conversations.put((row("a"), row("b", 1, "Trip to Lisbon"), row("c", 2, "Reading list")))
    window.store.models.put(OfferedModels((TINY, LARGE), "tiny"))
    window.chats.open(chat("b", asked("q")))
    window.chats.open(chat("a", asked("q")))
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_P, CTRL | SHIFT)
    return window.palette_box


def chosen(palette: CommandPalette) -> str:
    entry = current_entry(palette)
    return "" if entry is None else entry.title


def test_a_command_is_found_and_run(window: MainWindow, palette: CommandPalette, qtbot: QtBot) -> None:
    """Some letters of it and Return; the focus is where it was before the command runs."""
    assert palette.field.hasFocus()
    QTest.keyClicks(palette.field, "newch")
    assert chosen(palette) == "New chat"
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewChat)):
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isHidden()
    tab = window.chats.tab("a")
    assert tab is not None
    assert tab.composer.edit.hasFocus()


def test_the_palette_closes_also_if_what_had_the_focus_is_gone(window: MainWindow, palette: CommandPalette) -> None:
    """As the button of a notice that went meanwhile. The command runs all the same."""
    palette.close_palette()
    window.show_notice(undo_notice("told", "A chat was deleted.", NewChat()))
    button = window.notices.findChild(QWidget, "noticeAction")
    assert button is not None
    button.setFocus()
    window.commands.open_palette()
    window.notices.clear_notice("told")
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    said = heard(window)
    palette.field.setText("newch")
    palette.list.clicked.emit(palette.list.currentIndex())
    assert palette.isHidden()
    assert NewChat() in said


def test_chats_models_and_settings_are_found(window: MainWindow, palette: CommandPalette) -> None:
    """Open chats and others, models, and each page of the settings."""
    intents = heard(window, Open, PickModel)
    for words in ("lisbon", "readlist", "large slow"):
        palette.field.clear()
        QTest.keyClicks(palette.field, words)
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        window.commands.open_palette()
    assert intents == [InChat("b", Open()), InChat("c", Open()), PickModel("large")]
    QTest.keyClicks(palette.field, "privacy")
    assert chosen(palette) == "Privacy"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    assert dialog.backups.isVisible()


def test_a_search_for_a_chat_that_finds_none_leads_to_all_else(window: MainWindow, palette: CommandPalette) -> None:
    """With the words that were typed: who looks for a setting there finds it."""
    palette.close_palette()
    window.sidebar.search.setText("privacy")
    window.store.conversations.put(())
    window.sidebar.search_all.click()
    assert palette.isVisible()
    assert palette.field.hasFocus()
    assert chosen(palette) == "Privacy"


def test_a_tab_by_its_number_is_listed_only_if_it_is_typed(palette: CommandPalette) -> None:
    """The open chats are listed by their names."""
    assert "Tab 1" not in [palette.model.index(row, 0).data() for row in range(palette.model.rowCount())]
    QTest.keyClicks(palette.field, "tab 2")
    assert chosen(palette) == "Tab 2"


def test_arrows_move_over_the_headings(palette: CommandPalette) -> None:
    """Down and up visit the entries and go around; a page at a time stops at the ends."""
    first = chosen(palette)
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    last = chosen(palette)
    assert last not in {"", first}
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    assert chosen(palette) == first
    QTest.keyClick(palette.field, Qt.Key.Key_PageUp)
    assert chosen(palette) == first
    QTest.keyClick(palette.field, Qt.Key.Key_PageDown)
    assert chosen(palette) not in {first, last}


def test_escape_closes_it_and_nothing_else(window: MainWindow, palette: CommandPalette) -> None:
    """An answer that is being written goes on."""
    window.set_status("a", GENERATING)
    with unasked(window, Stop):
        QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert palette.isHidden()


def test_only_what_is_possible_is_offered(window: MainWindow, palette: CommandPalette) -> None:
    """Without an answer there is nothing to stop. A used command is offered first the next time."""
    QTest.keyClicks(palette.field, "stop answering")
    assert chosen(palette) != "Stop answering"
    palette.field.setText("toggle")
    palette.field.setText("show or hide sidebar")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.sidebar.isHidden()
    window.commands.open_palette()
    assert chosen(palette) == "Show or hide sidebar"


def test_messages_are_searched_too(window: MainWindow, palette: CommandPalette, qtbot: QtBot) -> None:
    """Hits come from the library. Those of other words are late and are dropped; one opens its chat at its place."""
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(LookUp)) as asked_for:
        QTest.keyClicks(palette.field, "trams")
    assert asked_for.args == [LookUp("trams")]
    found = replace(row("c", 2, "Reading list"), snippet="no trams", marks=((3, 8),), hit="m", terms=("trams",))
    window.store.looked_up.put(("tram", (found,)))
    assert chosen(palette) == ""
    window.store.looked_up.put(("trams", (found,)))
    assert chosen(palette) == "no trams"
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(OpenAt)) as opened:
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert opened.args == [InChat("c", OpenAt("m", ("trams",)))]


def test_hits_that_come_late_leave_the_chosen_entry(window: MainWindow, palette: CommandPalette) -> None:
    """Return uses the entry to which the user has moved meanwhile."""
    QTest.keyClicks(palette.field, "new")
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    moved_to = chosen(palette)
    window.store.looked_up.put(("new", (replace(row("c", 2), snippet="news", hit="m", terms=("new",)),)))
    assert chosen(palette) == moved_to


def test_the_mouse_works_too(window: MainWindow, palette: CommandPalette, qtbot: QtBot) -> None:
    """A click on an entry runs it, one beside the card closes the palette; it follows the window's size."""
    window.resize(900, 600)
    assert palette.size() == window.size()
    palette.field.setText("new chat")
    place = palette.list.visualRect(palette.list.currentIndex()).center()
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(NewChat)):
        QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    window.commands.open_palette()
    QTest.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert palette.isHidden()


def test_it_is_repainted_in_another_theme(palette: CommandPalette) -> None:
    """The palette follows the system's appearance while it is open."""
    appearance.turn_to(DARK)
    image = palette.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}
    assert DARK.raised in seen
