from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.views import chat, row
from ui.window.main_window import MainWindow


def narrowed(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(720, 520)
    qtbot.waitUntil(window.sidebar.isHidden)


def test_the_sidebar_folds_away_in_a_narrow_window(window: MainWindow, qtbot: QtBot) -> None:
    """The page gets the whole width. In a wide window the sidebar is back."""
    window.chats.open(chat("a"))
    narrowed(window, qtbot)
    assert window.tab_row.sidebar_button.isVisible()
    qtbot.waitUntil(lambda: window.pages.width() == 720)
    window.resize(1100, 700)
    qtbot.waitUntil(window.sidebar.isVisible)
    assert not window.tab_row.sidebar_button.isVisible()
    qtbot.waitUntil(lambda: window.pages.width() == 1100 - window.sidebar.width())


def test_it_folds_away_for_the_inspector_if_the_chat_would_get_too_narrow(window: MainWindow, qtbot: QtBot) -> None:
    """And it is back once the inspector is closed."""
    window.chats.open(chat("a"))
    window.resize(920, 700)
    qtbot.waitUntil(window.sidebar.isVisible)
    window.desk.set_inspecting(inspecting=True)
    assert window.sidebar.isHidden()
    qtbot.waitUntil(lambda: window.pages.width() == 920 - window.desk.inspector.width())
    window.desk.set_inspecting(inspecting=False)
    assert window.sidebar.isVisible()
    window.resize(1100, 700)
    window.desk.set_inspecting(inspecting=True)
    qtbot.waitUntil(lambda: window.pages.width() >= 420)
    assert window.sidebar.isVisible()


def test_it_opens_over_the_page_and_a_click_beside_it_closes_it(window: MainWindow, qtbot: QtBot) -> None:
    """The page below keeps its size and gets no click."""
    narrowed(window, qtbot)
    qtbot.waitUntil(lambda: window.pages.width() == 720)
    QTest.mouseClick(window.tab_row.sidebar_button, Qt.MouseButton.LeftButton)
    assert window.sidebar.isVisible()
    assert window.sidebar.height() == window.height()
    assert window.pages.width() == 720
    beside = window.childAt(QPoint(600, 300))
    assert beside is not None
    QTest.mouseClick(beside, Qt.MouseButton.LeftButton)
    assert window.sidebar.isHidden()


def test_it_closes_when_a_chat_opens_and_by_escape(window: MainWindow, qtbot: QtBot) -> None:
    """The user sees the chat at once."""
    window.store.conversations.put((row("a"), row("b")))
    narrowed(window, qtbot)
    window.stage.sidebar_place.toggle()
    assert window.sidebar.isVisible()
    window.chats.open(chat("b"))
    assert window.sidebar.isHidden()
    window.stage.sidebar_place.toggle()
    QTest.keyClick(window.sidebar.list, Qt.Key.Key_Escape)
    assert window.sidebar.isHidden()


def test_what_the_user_wants_of_a_wide_window_is_kept(window: MainWindow, qtbot: QtBot) -> None:
    """A sidebar that was hidden stays hidden, and folding away is not hiding."""
    narrowed(window, qtbot)
    assert window.stage.sidebar_place.is_wanted
    window.stage.sidebar_place.toggle()
    window.resize(1100, 700)
    qtbot.waitUntil(window.sidebar.isVisible)
    window.stage.sidebar_place.toggle()
    narrowed(window, qtbot)
    window.resize(1100, 700)
    assert window.sidebar.isHidden()
    assert not window.stage.sidebar_place.is_wanted
