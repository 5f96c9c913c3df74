"""A rounded card with a shadow, for what floats over the window's contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from ui.theme.appearance import appearance

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


_STRENGTH = 1.6


class FloatingCard(QWidget):
    """Paints the card `shadow` pixels inside its own edges.

    It uses no graphics effect: that would repaint all children twice for every key.
    """

    def __init__(self, parent: QWidget, *, radius: int, shadow: int) -> None:
        super().__init__(parent)
        self._radius = radius
        self._shadow = shadow

    @property
    def shadow(self) -> int:
        """The space between the card and the edges of the widget, in pixels."""
        return self._shadow

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the shadow, which falls a little downwards, and the card on it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(self._shadow, self._shadow, -self._shadow, -self._shadow)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(0, 0, 0, max(1, round(_STRENGTH * appearance.theme.shadow_alpha / self._shadow))))
        for step in range(self._shadow, 0, -1):
            fallen = card.adjusted(-step * 0.8, -step * 0.5, step * 0.8, step)
            painter.drawRoundedRect(fallen, self._radius + step / 2, self._radius + step / 2)
        painter.setPen(QColor(appearance.theme.hairline))
        painter.setBrush(QColor(appearance.theme.raised))
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), self._radius, self._radius)
