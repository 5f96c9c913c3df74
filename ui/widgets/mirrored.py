"""Mirrored: paints into a part of a widget, from left to right, or mirrored if the application is laid out so.

Widgets that paint themselves say where each part would be from left to right. Qt mirrors nothing inside them, but gives
each painter the direction of the application.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtWidgets import QStyle

from ui.theme.theme import icon_pixmap

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


class Mirrored(NamedTuple):
    """`bounds` are what is mirrored in itself: a widget, or a row of a list."""

    painter: QPainter
    bounds: QRect

    @property
    def is_reversed(self) -> bool:
        """Whether the application is laid out from right to left."""
        return self.painter.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def place(self, rect: QRect) -> QRect:
        """Where a part is painted that would be at `rect` from left to right."""
        return QStyle.visualRect(self.painter.layoutDirection(), self.bounds, rect)

    def place_f(self, rect: QRectF) -> QRectF:
        """The same for parts at fractions of a pixel."""
        if not self.is_reversed:
            return rect
        left = 2 * self.bounds.left() + self.bounds.width() - rect.right()
        return QRectF(left, rect.top(), rect.width(), rect.height())

    def icon(self, name: str, colour: str, pixels: int, corner: QPoint) -> None:
        """Paint an icon, whose upper left corner would be at `corner`."""
        place = self.place(QRect(corner.x(), corner.y(), pixels, pixels))
        ratio = self.painter.device().devicePixelRatioF()
        self.painter.drawPixmap(place.topLeft(), icon_pixmap(name, colour, pixels, ratio))
