"""A thin bar that shows how full something is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme.appearance import appearance

_HEIGHT_PX = 8


class UsageBar(QWidget):
    """A bar that fills from the left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self.setFixedHeight(_HEIGHT_PX)

    def set_share(self, share: float) -> None:
        """Set how much is used, from 0 to 1. Larger values show a full bar."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the trough and the used part. A very small part is still painted as a dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        trough = QRectF(self.rect())
        painter.setBrush(QColor(appearance.theme.field))
        painter.drawRoundedRect(trough, _HEIGHT_PX / 2, _HEIGHT_PX / 2)
        if self._share:
            taken = QRectF(0, 0, max(_HEIGHT_PX, trough.width() * self._share), _HEIGHT_PX)
            painter.setBrush(QColor(appearance.theme.accent))
            painter.drawRoundedRect(taken, _HEIGHT_PX / 2, _HEIGHT_PX / 2)
