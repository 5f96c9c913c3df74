from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ui.widgets.stop_slider import StopSlider


def test_the_text_follows_the_slider(qtbot: QtBot) -> None:
    """For the eye and for a screen reader; the slider keeps its place."""
    widget = StopSlider("Limit", ("small", "of middling size", "large"), 0)
    qtbot.addWidget(widget)
    widget.show()
    place = widget.slider.geometry()
    assert (widget.slider.value(), widget.text.text()) == (0, "small")
    QTest.keyClick(widget.slider, Qt.Key.Key_Right)
    assert (widget.slider.value(), widget.text.text()) == (1, "of middling size")
    assert widget.slider.accessibleDescription() == "of middling size"
    assert widget.slider.accessibleName() == "Limit"
    assert widget.slider.geometry() == place


def test_short_texts_stand_beside_the_slider(qtbot: QtBot) -> None:
    """Unless several sliders stand below each other, whose texts then have one width."""
    alone, one_of_several = StopSlider("Size", ("90%", "100%"), 0, text_px=0), StopSlider("Size", ("90%", "100%"), 0)
    for widget in (alone, one_of_several):
        qtbot.addWidget(widget)
    assert alone.sizeHint().width() < one_of_several.sizeHint().width() - 90


@pytest.mark.parametrize("count", [3, 10, 21])
def test_a_click_brings_the_handle_to_the_mouse(qtbot: QtBot, count: int) -> None:
    """Near an end, in the middle, and back again; the handle can be dragged on from there."""
    widget = StopSlider("Limit", [str(stop) for stop in range(count)], 0)
    qtbot.addWidget(widget)
    widget.show()
    slider, last = widget.slider, count - 1
    height = slider.height() // 2
    for x, stop in ((slider.width() // 2, last // 2), (slider.width() - 3, last), (3, 0)):
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, height))
        assert abs(widget.slider.value() - stop) <= (stop not in {0, last})
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, height))
    QTest.mouseMove(slider, QPoint(slider.width() - 3, height))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 3, height))
    QTest.mouseMove(slider, QPoint(3, height))
    assert widget.slider.value() == last
