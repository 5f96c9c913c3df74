from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from ui.state.chat import MessageState
from ui.widgets.announcement import ENDINGS, announce


def test_every_ending_has_an_announcement() -> None:
    """A screen reader announces every way an answer can end."""
    assert set(ENDINGS) == set(MessageState) - {MessageState.OPEN}


def test_it_reaches_the_screen_reader(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is sent as an announcement, which waits for the current sentence."""
    heard: list[tuple[QAccessible.Event, str]] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: heard.append((event.type(), event.message())))
    label = QLabel()
    qtbot.addWidget(label)
    announce(label, "Answer finished")
    assert heard == [(QAccessible.Event.Announcement, "Answer finished")]
