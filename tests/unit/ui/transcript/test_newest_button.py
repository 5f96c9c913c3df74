"""The button that scrolls to the newest message."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Theme
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


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_no_word_runs_into_it(qtbot: QtBot, theme: Theme) -> None:
    """Text fades into the page around the button, and none shines through."""
    appearance.turn_to(theme)
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.setStyleSheet(theme.qss() + f"QWidget#text {{ background: {theme.text}; }}")
    parent.setObjectName("text")
    parent.resize(200, 200)
    button = NewestButton(parent)
    button.settle(parent.size())
    parent.show()
    button.show()
    image, middle = parent.grab().toImage(), button.geometry().center()
    left = button.geometry().left()
    beside, inside = (image.pixelColor(x, middle.y()) for x in (left + 6, left + 14))
    assert abs(beside.lightness() - QColor(theme.page).lightness()) < 20
    assert inside.name() == theme.raised
