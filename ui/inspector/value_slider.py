"""ValueSlider: a thin line over stops, filled up to the chosen one, with a mark at the one that the model suggests.
Without a value it is an empty line.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent

from resources.language.text import number, tr
from ui.theme.appearance import appearance
from ui.widgets.calm_slider import CalmSlider

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QWidget


_HEIGHT_PX = 18
_LINE_PX = 4
_KNOB_PX = 14
_QUIET_KNOB_PX = 11
_MARK_PX = 10


class ValueSlider(CalmSlider):
    """`chosen` carries the stop that the user moved to. The knob is larger while the pointer or the focus is here."""

    chosen = Signal(float)

    def __init__(self, label: str, stops: Sequence[float], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stops = tuple(stops)
        self._mark: int | None = None
        self._is_known = True
        self.setAccessibleName(label)
        self.setRange(0, len(self._stops) - 1)
        self.setPageStep(max(1, len(self._stops) // 10))
        self.setFixedHeight(_HEIGHT_PX)
        self.setMouseTracking(True)
        self.valueChanged.connect(lambda stop: self.chosen.emit(self._stops[stop]))

    def show_value(self, value: float | None, suggested: float | None) -> None:
        """Show the stops nearest to the value and the suggestion, without a signal. None is hidden."""
        self._mark = None if suggested is None else self._nearest(suggested)
        self._is_known = value is not None
        if value is not None:
            with QSignalBlocker(self):
                self.setValue(self._nearest(value))
        self.setAccessibleDescription(_description(value, suggested))
        self.update()

    def _nearest(self, value: float) -> int:
        place = bisect_left(self._stops, value)
        near = [one for one in (place - 1, place) if 0 <= one < len(self._stops)]
        return min(near, key=lambda one: abs(self._stops[one] - value))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Move to the stop under the pointer, and follow the pointer from there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._stop_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Follow the pointer while the button is down."""
        if self.isSliderDown():
            self.setValue(self._stop_at(event.position().x()))
        self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Leave the knob where it is."""
        self.setSliderDown(False)

    def _stop_at(self, x: float) -> int:
        return round(min(max(x / max(1, self.width()), 0.0), 1.0) * self.maximum())

    def _x_of(self, stop: int, rim: float) -> float:
        """The place at which a stop is painted, at least `rim` from both ends."""
        x = self.width() * stop / max(1, self.maximum())
        return min(max(x, rim), self.width() - rim)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the line, its filled part, the mark and the knob."""
        theme, painter = appearance.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle, now = self.height() / 2, self._x_of(self.value(), 0)
        line = QRectF(0, middle - _LINE_PX / 2, self.width(), _LINE_PX)
        painter.setBrush(QColor(theme.field))
        painter.drawRoundedRect(line, _LINE_PX / 2, _LINE_PX / 2)
        if self._is_known:
            self._paint_value(painter, line, now)

    def _paint_value(self, painter: QPainter, line: QRectF, now: float) -> None:
        theme, middle = appearance.theme, self.height() / 2
        painter.setBrush(QColor(theme.accent if self.isEnabled() else theme.button_off))
        painter.drawRoundedRect(QRectF(0, line.top(), now, _LINE_PX), _LINE_PX / 2, _LINE_PX / 2)
        if self._mark is not None:
            painter.setBrush(QColor(theme.muted))
            mark = QRectF(self._x_of(self._mark, 1) - 1, middle - _MARK_PX / 2, 2, _MARK_PX)
            painter.drawRoundedRect(mark, 1, 1)
        self._paint_knob(painter, QPointF(self._x_of(self.value(), _KNOB_PX / 2), middle))

    def _paint_knob(self, painter: QPainter, at: QPointF) -> None:
        is_used = self.hasFocus() or self.underMouse()
        radius = (_KNOB_PX if is_used else _QUIET_KNOB_PX) / 2 - 1
        painter.setPen(QColor(appearance.theme.accent if self.hasFocus() else appearance.theme.faint))
        painter.setBrush(QColor("#ffffff"))
        painter.drawEllipse(at, radius, radius)


def _description(value: float | None, suggested: float | None) -> str:
    if value is None:
        return tr("Not known until the model is loaded.")
    if suggested is None:
        return number(value, "g")
    return tr("{value:g}. The model suggests {suggested:g}.", value=value, suggested=suggested)
