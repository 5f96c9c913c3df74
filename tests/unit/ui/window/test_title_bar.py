"""The title bar of a Mac's window: the decisions, which need no Mac."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ui.state.chat import ChatView
from ui.window import title_bar
from ui.window.main_window import MainWindow
from ui.window.title_bar import LIGHTS_PX, first_tab_at, is_handle


@pytest.fixture
def mac_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window that takes its system for a Mac."""
    monkeypatch.setattr(title_bar, "MAC", True)
    window = MainWindow()
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    return window


def test_tabs_leave_room_for_the_traffic_lights() -> None:
    """Only if they are there: beside the sidebar and in full screen the tabs begin at the edge."""
    assert first_tab_at(beside_sidebar=False, full_screen=False) == LIGHTS_PX
    assert first_tab_at(beside_sidebar=True, full_screen=False) < LIGHTS_PX
    assert first_tab_at(beside_sidebar=False, full_screen=True) < LIGHTS_PX


def test_empty_places_at_the_top_move_the_window() -> None:
    """A button there is still a button, and the chat below moves nothing."""
    assert is_handle(5, on_control=False)
    assert not is_handle(5, on_control=True)
    assert not is_handle(60, on_control=False)


def test_a_macs_window_has_one_surface(mac_window: MainWindow) -> None:
    """Its content reaches under the title bar, and the tabs move aside when the sidebar is hidden."""
    assert mac_window.windowFlags() & Qt.WindowType.ExpandedClientAreaHint
    mac_window.chats.open(ChatView("c", "Chat"))
    row = mac_window.tab_row.layout()
    assert row is not None
    assert row.contentsMargins().left() < LIGHTS_PX
    mac_window.stage.sidebar_place.toggle()
    assert row.contentsMargins().left() == LIGHTS_PX
    mac_window.stage.sidebar_place.toggle()
    assert row.contentsMargins().left() < LIGHTS_PX


def test_a_double_click_zooms_the_window(mac_window: MainWindow) -> None:
    """As on every title bar of a Mac. One on a button or a tab does not."""
    mac_window.chats.open(ChatView("c", "Chat"))
    row = mac_window.tab_row
    QTest.mouseDClick(row, Qt.MouseButton.LeftButton, pos=QPoint(row.width() - 200, 20))
    assert mac_window.isMaximized()
    QTest.mouseDClick(row, Qt.MouseButton.LeftButton, pos=QPoint(row.width() - 200, 20))
    assert not mac_window.isMaximized()


def test_elsewhere_the_systems_title_bar_stays(qtbot: QtBot) -> None:
    """No flag is set, and no press moves anything."""
    window = MainWindow()
    qtbot.addWidget(window)
    assert not window.windowFlags() & Qt.WindowType.ExpandedClientAreaHint
