"""Sliders under the wheel of a page that scrolls."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QSlider, QWidget
from pytestqt.qtbot import QtBot

from ui.inspector.value_row import ValueSlider
from ui.widgets.stop_slider import CalmSlider, StopSlider


def _is_taken(slider: QSlider) -> bool:
    """Turn the wheel over a slider. An event that it does not accept goes to the page."""
    place, everywhere = QPointF(5, 5), QPointF(slider.mapToGlobal(QPoint(5, 5)))
    buttons, keys, still = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(place, everywhere, QPoint(), QPoint(0, -120), buttons, keys, still, False)  # noqa: FBT003 - Qt's
    QApplication.sendEvent(slider, wheel)
    return wheel.isAccepted()


@pytest.mark.parametrize(
    "make",
    [
        CalmSlider,
        lambda: ValueSlider("Top-p", (0.0, 0.5, 1.0)),
        lambda: StopSlider("Size", ("a", "b", "c"), 1),
    ],
)
def test_a_wheel_scrolls_the_page_and_changes_no_value(qtbot: QtBot, make: Callable[[], QWidget]) -> None:
    """Unless the slider has the focus: then it is the one that the user means. The wheel gives it no focus."""
    widget = make()
    qtbot.addWidget(widget)
    slider = widget if isinstance(widget, QSlider) else widget.findChild(QSlider)
    assert isinstance(slider, QSlider)
    slider.setRange(0, 2)
    slider.setValue(1)
    widget.show()
    assert not slider.focusPolicy() & ~Qt.FocusPolicy.StrongFocus
    slider.clearFocus()
    assert (_is_taken(slider), slider.value()) == (False, 1)
    widget.activateWindow()
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    assert (_is_taken(slider), slider.value() != 1) == (True, True)
