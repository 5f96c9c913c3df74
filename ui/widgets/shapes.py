"""Paints plain shapes with smooth edges."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPaintDevice, QPainter, QPen


def smooth_painter(device: QPaintDevice) -> QPainter:
    """A painter of smooth edges."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def draw_shape(
    painter: QPainter,
    rect: QRectF | QRect,
    radius: float,
    surface: QColor | str = "",
    edge: str = "",
    width: float = 1.0,
) -> None:
    """Paint a rounded rectangle in these colours. Half of its edge is outside of it."""
    painter.setPen(QPen(QColor(edge), width) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(surface) if surface else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, radius, radius)


def draw_disc(painter: QPainter, rect: QRectF, surface: QColor | str, edge: str = "") -> None:
    """Paint an ellipse that fills a rectangle."""
    painter.setPen(QColor(edge) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(surface))
    painter.drawEllipse(rect)
