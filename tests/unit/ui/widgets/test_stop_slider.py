from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ui.widgets.stop_slider import StopSlider

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_the_text_follows_the_slider(qtbot: QtBot) -> None:
    """For the eye and for a screen reader; the slider keeps its place."""
    widget = StopSlider("Limit", ("small", "of middling size", "large"), 0)
    qtbot.addWidget(widget)
    widget.show()
    place = widget.slider.geometry()
    assert (widget.current(), widget.text.text()) == (0, "small")
    QTest.keyClick(widget.slider, Qt.Key.Key_Right)
    assert (widget.current(), widget.text.text()) == (1, "of middling size")
    assert widget.slider.accessibleDescription() == "of middling size"
    assert widget.slider.accessibleName() == "Limit"
    assert widget.slider.geometry() == place
