"""Elided: owns how words are painted on one line that may be too short for them; which words is others' concern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

if TYPE_CHECKING:
    from PySide6.QtCore import QRect


def draw_elided(painter: QPainter, line: QRect, text: str, font: QFont, colour: str) -> int:
    """Paint `text` at the left of `line`, cut to its width. Returns the width it took, in pixels."""
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
    return metrics.horizontalAdvance(shown)
