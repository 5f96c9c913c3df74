"""What an empty chat shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.greeting import Greeting
from ui.theme import LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_what_becomes_of_a_private_chat_is_seen_whole(qtbot: QtBot) -> None:
    """In the smallest window too, where it takes two lines."""
    greeting = Greeting(LIGHT)
    qtbot.addWidget(greeting)
    greeting.set_private(True)
    greeting.resize(448, 340)
    greeting.show()
    text = greeting._text
    assert text.width() <= 448
    assert text.height() >= text.heightForWidth(text.width()) > text.fontMetrics().height()
