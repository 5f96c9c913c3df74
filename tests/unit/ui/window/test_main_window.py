"""The window as a whole: its look, its size, its keys and its state."""

from __future__ import annotations

import sys
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard
from tests.fakes.views import LARGE, TINY, answered, asked, chat
from tests.fakes.window_hands import tab, type_and_send
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.chat import (
    InChat,
    Submit,
)
from ui.intents.library import NewChat, PinChats, RenameFolder
from ui.intents.notice import Notice
from ui.intents.settings import SetPreferences
from ui.state.engine import EngineState, EngineView, MemoryView, OfferedModels
from ui.state.preferences import Preferences
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT
from ui.window.main_window import MainWindow


def colour_at(window: MainWindow, x: int, y: int) -> str:
    return window.grab().toImage().pixelColor(x, y).name()


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
    window.store.models.put(OfferedModels((TINY, LARGE), "tiny"))
    window.chats.open(chat("a"))
    window.show_notice(Notice("k", "Something", "Act", intent=NewChat()))
    window.sidebar.search.setText("with a cross to clear it")
    buttons = [button for button in window.findChildren(QAbstractButton) if button.isVisible()]
    assert len(buttons) >= 10
    assert [button.objectName() for button in buttons if not (button.accessibleName() or button.text())] == []


def test_the_engines_state_is_told_in_strip_and_foot(window: MainWindow) -> None:
    """Every tab shows that the engine has a problem, until it is ready again."""
    window.store.memory.put(MemoryView(2 * 1024**3, 8 * 1024**3, 2))
    window.chats.open(chat("a"))
    window.store.engine.put(EngineView(EngineState.RESTARTING))
    window.chats.open(chat("b"))
    assert [tab(window, name).strip.accessibleName() for name in "ab"] == ["Restarting the engine…"] * 2
    assert window.sidebar.footer.label.text() == "Restarting the engine…"
    window.store.engine.put(EngineView(EngineState.READY))
    assert window.sidebar.footer.label.text() == "2.0 of 8 GB · 2 chats loaded"


def test_a_new_appearance_repaints_everything(window: MainWindow) -> None:
    """At run time, from light to dark and back, also in tabs that are opened later."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    places = ((100, 700), (700, 30), (300, 200), (776, 730))
    light = [colour_at(window, *place) for place in places]
    appearance.turn_to(DARK)
    assert [colour_at(window, *place) for place in places] == [DARK.sidebar, DARK.page, DARK.page, DARK.raised]
    window.chats.open(chat("b"))
    assert colour_at(window, 300, 200) == DARK.page
    appearance.turn_to(LIGHT)
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
    for intent in (PinChats(("a",), pinned=True), RenameFolder("Work", "Office")):
        window.sidebar._context.send(intent)
        assert said.pop() == intent


def test_preferences_hold_at_once(window: MainWindow) -> None:
    """Colours, the size of the text, the key that sends and shortcuts; chats that open later have them too."""
    window.chats.open(chat("a", asked("m"), answered("n")))
    edit = tab(window, "a").composer.edit
    before = edit.fontMetrics().height()
    window.store.preferences.put(
        Preferences(send="command", theme="dark", zoom=150, shortcuts=(("new_chat", "Ctrl+J"),))
    )
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
    window.store.preferences.put(Preferences(zoom=190))
    for name in ("zoom_in", "zoom_out", "zoom_reset"):
        window.actions_by_name[name].trigger()
    window.store.preferences.put(Preferences(zoom=200))
    window.actions_by_name["zoom_in"].trigger()
    assert [one.preferences.zoom for one in said if isinstance(one, SetPreferences)] == [200, 180, 100, 200]


def test_the_settings_show_the_keys_that_hold(window: MainWindow) -> None:
    """Every action that can be changed is listed, also one without keys."""
    window.store.preferences.put(Preferences(shortcuts=(("new_chat", "Ctrl+J"), ("quit", ""))))
    window.dialogs.open_settings()
    settings = window.findChild(SettingsDialog)
    assert settings is not None
    buttons = settings.shortcuts.buttons
    assert [buttons[name].text() for name in ("new_chat", "quit", "rename")] == ["Ctrl+J, Ctrl+T", "None", "None"]
    assert "copy" not in buttons


def test_the_window_has_the_palette_of_its_theme(window: MainWindow) -> None:
    """After each change of colours: dialogs take theirs from it, and the icons in them."""
    for theme in (DARK, LIGHT, DARK):
        appearance.turn_to(theme)
        assert window.palette().windowText().color() == QColor(theme.text)
