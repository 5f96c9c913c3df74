"""Text painted on one line and shortened to its width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

if TYPE_CHECKING:
    from PySide6.QtCore import QRect


def draw_elided(painter: QPainter, line: QRect, text: str, font: QFont, colour: str) -> int:
    """Paint `text` at the left of `line`, shortened to fit. Return the width of what was painted, in pixels."""
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
    return metrics.horizontalAdvance(shown)
