"""A slider that offers a few values, with the chosen one as a text beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from ui.widgets.settings_group import text_label

if TYPE_CHECKING:
    from collections.abc import Sequence

_SLIDER_PX = 176
_TEXT_PX = 148


class StopSlider(QWidget):
    """A slider over stops, each shown by its text."""

    def __init__(self, label: str, stops: Sequence[str], current: int) -> None:
        super().__init__()
        self._stops = tuple(stops)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(label)
        self.slider.setFixedWidth(_SLIDER_PX)
        self.slider.setRange(0, len(self._stops) - 1)
        self.slider.setPageStep(1)
        self.text = text_label("", "rowValue", 13)
        self.text.setWordWrap(False)
        self.text.setFixedWidth(_TEXT_PX)  # the slider must not move when this text changes
        self.text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(10)
        line.addWidget(self.slider)
        line.addWidget(self.text)
        self.slider.valueChanged.connect(self._say)
        self.slider.setValue(current)
        self._say(current)

    def current(self) -> int:
        """The number of the chosen stop."""
        return self.slider.value()

    def _say(self, stop: int) -> None:
        self.text.setText(self._stops[stop])
        self.slider.setAccessibleDescription(self._stops[stop])
