from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from ui.state import MessageState
from ui.widgets.announcement import ENDINGS, announce

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot


def test_every_end_has_its_words() -> None:
    """However an answer ends, it can be heard."""
    assert set(ENDINGS) == set(MessageState) - {MessageState.OPEN}


def test_it_reaches_the_screen_reader(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an announcement, which waits for what is being said."""
    heard: list[tuple[QAccessible.Event, str]] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: heard.append((event.type(), event.message())))
    label = QLabel()
    qtbot.addWidget(label)
    announce(label, "Answer finished")
    assert heard == [(QAccessible.Event.Announcement, "Answer finished")]
