"""No text of a view stops the window, however long and odd it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget

from tests.fakes.sample_views import put, text_fields, texts, views
from tests.fakes.views import clock
from tests.fakes.window_scenes import SCENES
from ui.theme.theme import LIGHT
from ui.transcript.transcript import Transcript
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

SIZE = 60_000
HOSTILE = {
    "letters": "a" * SIZE,
    "isolates": "\u2066a\u2069" * (SIZE // 3),
    "newlines": "\n" * (SIZE // 2),
    "two scripts": "a\u05d0" * (SIZE // 2),
}
MOST_SECONDS = 4.0
"""Of the window's thread. The card of a model, of which 20,000 letters are shown, takes half of it, most others a tenth
of a second. Given to Qt whole, most of these texts take five seconds and more.
"""
LONGEST_SHOWN = 3_000
CASES = [(text, name, where) for text in HOSTILE for name, scene in SCENES.items() for where, *_ in texts(scene.view)]
"""The texts change slowest, so that a slice of the cases has all of them."""


def visible() -> Iterator[QWidget]:
    return (widget for widget in QApplication.topLevelWidgets() if widget.isVisible())


def settle() -> None:
    """Lay out and paint all that is visible."""
    for _ in range(3):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QApplication.processEvents()
    for transcript in QApplication.allWidgets():
        while isinstance(transcript, Transcript) and transcript.isVisible() and not transcript.is_settled:
            QApplication.processEvents()
    for widget in visible():
        widget.grab()


def seconds(window: MainWindow, name: str, view: Any) -> float:
    """What the window's thread takes to show a scene in two sizes, also if the machine is busy."""
    start = time.thread_time()
    SCENES[name].show(window, view)
    settle()
    for widget in visible():
        widget.resize(widget.size() - QSize(100, 60))
    settle()
    return time.thread_time() - start


def laid_out_later(window: MainWindow) -> Iterator[str]:
    """What Qt lays out when the pointer rests on a part or a menu opens."""
    for widget in window.findChildren(QWidget):
        yield widget.toolTip()
    for action in window.findChildren(QAction):
        yield action.text()
        yield action.toolTip()


@pytest.mark.sweep(24)
@pytest.mark.parametrize(("text", "name", "where"), CASES, ids=range(len(CASES)))
def test_no_text_of_a_view_stops_the_window(qtbot: QtBot, text: str, name: str, where: tuple[str | int, ...]) -> None:
    """One text is hostile, all others are words."""
    window = MainWindow(LIGHT, clock)
    qtbot.addWidget(window)
    window.show()
    settle()
    taken = seconds(window, name, put(SCENES[name].view, where, HOSTILE[text]))
    assert taken < MOST_SECONDS, f"{where} of {name}"
    assert max(map(len, laid_out_later(window))) < LONGEST_SHOWN, f"{where} of {name}"


def test_each_text_of_each_view_is_in_a_scene() -> None:
    """A new view has to be shown by a scene. A new text in a view that is shown takes part by itself."""
    shown = {(view, field) for scene in SCENES.values() for _, view, field in texts(scene.view)}
    assert {(view, field) for view in views() for field in text_fields(view)} <= shown
