"""A row of exclusive choices on one rounded surface."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from ui.theme.appearance import appearance
from ui.theme.theme import ui_font

_HEIGHT_PX = 33
_RIM_PX = 3
_PAD_PX = 14
_RADIUS_PX = 9


class Segmented(QWidget):
    """Shows one of its segments as chosen. `picked` carries the number of the one that the user chose."""

    picked = Signal(int)

    def __init__(self, names: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.segments = tuple(_Segment(name) for name in names)
        row = QHBoxLayout(self)
        row.setContentsMargins(_RIM_PX, _RIM_PX, _RIM_PX, _RIM_PX)
        row.setSpacing(0)
        for number, segment in enumerate(self.segments):
            row.addWidget(segment)
            segment.clicked.connect(lambda _on=False, number=number: self.picked.emit(number))
        self.segments[0].setChecked(True)

    def choose(self, number: int) -> None:
        """Show a segment as chosen, without a signal."""
        self.segments[number].setChecked(True)

    def current(self) -> int:
        """The number of the chosen segment."""
        return next(number for number, segment in enumerate(self.segments) if segment.isChecked())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the surface."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(appearance.theme.field))
        painter.drawRoundedRect(QRectF(self.rect()), _RADIUS_PX, _RADIUS_PX)


class _Segment(QAbstractButton):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setText(name)
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Space for the text in its bolder form, so that a choice moves nothing."""
        width = QFontMetricsF(ui_font(13, QFont.Weight.DemiBold)).horizontalAdvance(self.text())
        return QSize(round(width + 2 * _PAD_PX), _HEIGHT_PX - 2 * _RIM_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(0, 0, 0, appearance.theme.shadow_alpha))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, 1), _RADIUS_PX - 2, _RADIUS_PX - 2)
            painter.setBrush(QColor(appearance.theme.segment))
            painter.drawRoundedRect(rect, _RADIUS_PX - 2, _RADIUS_PX - 2)
        if self.hasFocus():
            painter.setPen(QColor(appearance.theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX - 2, _RADIUS_PX - 2)
        painter.setFont(ui_font(13, QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal))
        painter.setPen(QColor(appearance.theme.text))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.text())
