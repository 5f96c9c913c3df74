"""No text of a view stops the window, however long and odd it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tests.fakes.sample_views import put, text_fields, texts, views
from tests.fakes.views import clock
from tests.fakes.window_scenes import SCENES
from ui.theme.long_texts import is_slow_to_break
from ui.transcript.transcript import Transcript
from ui.window.main_window import MainWindow

SIZE = 60_000
HOSTILE = {
    "letters": "a" * SIZE,
    "isolates": "\u2066a\u2069" * (SIZE // 3),
    "newlines": "\n" * (SIZE // 2),
    "two scripts": "a\u05d0" * (SIZE // 2),
    "words of two scripts": ("a\u05d0" * 400 + " ") * (SIZE // 801),
}
MOST_SECONDS = 4.0
"""Of the window's thread. The card of a model, of which 20,000 letters are shown, takes half of it, most others a tenth
of a second. Given to Qt whole, most of these texts take five seconds and more.
"""
LONGEST_SHOWN = 25_000
"""Characters of any label: the card of a model is the longest. A hostile text has more."""
CASES = [(name, where) for name, scene in SCENES.items() for where, *_ in texts(scene.view)]
NAMES = [f"{name}-{'.'.join(map(str, where))}" for name, where in CASES]


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


def given(window: MainWindow) -> Iterator[str]:
    """What Qt lays out now, if the pointer rests on a part, or if a menu opens."""
    for widget in (window, *window.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.windowTitle())
        if isinstance(widget, QLabel):
            yield widget.text()
    for action in window.findChildren(QAction):
        yield action.text()
        yield action.toolTip()


@pytest.mark.usefixtures("qapp")
@pytest.mark.sweep(2)
@pytest.mark.parametrize(("name", "where"), CASES, ids=NAMES)
def test_no_text_of_a_view_stops_the_window(name: str, where: tuple[str | int, ...]) -> None:
    """One text is hostile, all others are words."""
    for kind, text in HOSTILE.items():
        if where == ("draft",) and is_slow_to_break(text):
            continue  # no paste and no link brings it into the message box
        window = MainWindow(clock)
        try:
            window.show()
            settle()
            assert seconds(window, name, put(SCENES[name].view, where, text)) < MOST_SECONDS, kind
            assert max(map(len, given(window))) < LONGEST_SHOWN, kind
        finally:
            window.deleteLater()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_each_text_of_each_view_is_in_a_scene() -> None:
    """A new view has to be shown by a scene. A new text in a view that is shown takes part by itself."""
    shown = {(view, field) for scene in SCENES.values() for _, view, field in texts(scene.view)}
    assert {(view, field) for view in views() for field in text_fields(view)} <= shown
