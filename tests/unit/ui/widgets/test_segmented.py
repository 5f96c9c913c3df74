from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ui.theme.appearance import appearance
from ui.theme.theme import DARK
from ui.widgets.segmented import Segmented


def made(qtbot: QtBot) -> Segmented:
    widget = Segmented(("One", "Two", "Three"))
    qtbot.addWidget(widget)
    with qtbot.waitActive(widget):
        widget.show()
    return widget


def test_a_click_picks_a_segment(qtbot: QtBot) -> None:
    """Exactly one is chosen at any time."""
    widget = made(qtbot)
    with qtbot.waitSignal(widget.picked) as picked:
        QTest.mouseClick(widget.segments[2], Qt.MouseButton.LeftButton)
    assert picked.args == [2]
    assert [segment.isChecked() for segment in widget.segments] == [False, False, True]
    assert widget.current() == 2


def test_the_keyboard_picks_too(qtbot: QtBot) -> None:
    """Arrows choose the neighbour, as in a group of radio buttons."""
    widget = made(qtbot)
    widget.segments[0].setFocus()
    qtbot.waitUntil(widget.segments[0].hasFocus)
    QTest.keyClick(widget.segments[0], Qt.Key.Key_Right)
    assert widget.current() == 1


def test_choosing_from_code_emits_nothing(qtbot: QtBot) -> None:
    """The signal is for the user's choices."""
    widget = made(qtbot)
    with qtbot.assertNotEmitted(widget.picked):
        widget.choose(1)
    assert widget.current() == 1


def test_a_choice_moves_nothing(qtbot: QtBot) -> None:
    """The chosen name is bolder, and its segment has room for that."""
    widget = made(qtbot)
    before = [segment.geometry() for segment in widget.segments]
    widget.choose(1)
    appearance.turn_to(DARK)
    widget.grab()
    assert [segment.geometry() for segment in widget.segments] == before
