"""Every stop of the tab key is seen: a ring, a caret or a knob appears there."""

from __future__ import annotations

from itertools import islice

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.views import answered, asked, chat, clock, row
from ui.state.chat_settings import ChatSettingsView, SamplingView
from ui.theme.theme import DARK, LIGHT, Theme
from ui.window.main_window import MainWindow

MOST_STOPS = 80
LEAST_PIXELS = 16
"""A caret has 18 pixels."""


def differs(one: QImage, other: QImage) -> bool:
    places = ((x, y) for y in range(one.height()) for x in range(one.width()))
    changed = (place for place in places if one.pixel(*place) != other.pixel(*place))
    return len(list(islice(changed, LEAST_PIXELS))) == LEAST_PIXELS


def unseen(window: MainWindow) -> tuple[list[str], int]:
    """The stops at which nothing is seen, and the number of all stops. Stops within a transcript count once."""
    failed, stops = [], list[QWidget]()
    for _ in range(MOST_STOPS):
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
        stop = window.focusWidget()
        assert stop is not None
        if stop in stops[:-1]:
            break
        if stop in stops:
            continue
        stops.append(stop)
        place = QRect(stop.mapTo(window, QPoint(0, 0)), stop.size()) & window.rect()
        focused = window.grab(place).toImage()
        stop.clearFocus()
        if not differs(focused, window.grab(place).toImage()):
            failed.append(f"{type(stop).__name__} {stop.objectName()} {stop.accessibleName()}")
        stop.setFocus(Qt.FocusReason.TabFocusReason)
    return failed, len(stops)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_stop_of_the_tab_key_is_seen(qtbot: QtBot, theme: Theme) -> None:
    """In the sidebar, the tabs, the chat, the composer and the inspector with all its values."""
    window = MainWindow(clock, system=lambda: theme)
    qtbot.addWidget(window)
    window.store.conversations.put((row("a", 0.1), row("b", 0.2)))
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    window.chats.open(chat("a", asked("u"), answered("r")))
    window.desk.set_inspecting(inspecting=True)
    window.store.chat_settings.put(ChatSettingsView("a", values=SamplingView(), suggested=SamplingView()))
    sampling = window.desk.inspector.sampling
    sampling.more_button.click()
    qtbot.waitUntil(lambda: sampling.more.height() >= sampling.more.minimumSizeHint().height())
    failed, stops = unseen(window)
    assert failed == []
    assert stops > 30
