"""A row of exclusive choices on one rounded surface."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from ui.theme.theme import ui_font
from ui.widgets.layouts import in_row
from ui.widgets.settings_group import named

_HEIGHT_PX = 33
_RIM_PX = 3
_PAD_PX = 14


class Segmented(QWidget):
    """Shows one of its segments as chosen. `picked` carries the number of the one that the user chose."""

    picked = Signal(int)

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.segments = tuple(map(_segment, names))
        in_row(*self.segments, margins=(_RIM_PX, _RIM_PX, _RIM_PX, _RIM_PX), of=self)
        for number, segment in enumerate(self.segments):
            segment.clicked.connect(lambda _on=False, number=number: self.picked.emit(number))
        self.segments[0].setChecked(True)

    def choose(self, number: int) -> None:
        """Show a segment as chosen, without a signal."""
        self.segments[number].setChecked(True)

    def current(self) -> int:
        """The number of the chosen segment."""
        return next(number for number, segment in enumerate(self.segments) if segment.isChecked())


def _segment(name: str) -> QPushButton:
    """It has room for its text in the bolder form of the chosen one, so that a choice moves nothing."""
    segment = named(QPushButton(name, autoDefault=False), "", 13, name)
    segment.setProperty("kind", "segment")
    segment.setCheckable(True)
    segment.setAutoExclusive(True)
    segment.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    width = QFontMetricsF(ui_font(13, QFont.Weight.DemiBold)).horizontalAdvance(name)
    segment.setFixedSize(round(width + 2 * _PAD_PX), _HEIGHT_PX - 2 * _RIM_PX)
    return segment
