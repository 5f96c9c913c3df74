"""The button that scrolls to the newest message."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.transcript.scrolling import NewestButton


def test_it_is_named_and_hidden_at_first(qtbot: QtBot) -> None:
    """A screen reader can name it. It is hidden until it is needed."""
    parent = QWidget()
    qtbot.addWidget(parent)
    button = NewestButton(parent)
    parent.show()
    assert button.accessibleName()
    assert button.isHidden()


def test_it_is_in_the_middle_of_the_lower_edge(qtbot: QtBot) -> None:
    """It moves there for any size of its parent."""
    parent = QWidget()
    qtbot.addWidget(parent)
    button = NewestButton(parent)
    button.settle(QSize(801, 600))
    assert abs(button.geometry().center().x() - 400) <= 1
    assert button.geometry().bottom() < 600
