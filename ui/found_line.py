"""FoundLine: owns how a line is painted with the words of a search marked in it; where those are is `found`'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from ui.found import from_word, pieces

if TYPE_CHECKING:
    from ui.found import Marks, Piece
    from ui.theme import Theme

_AHEAD = 0.4  # the first mark ends within so much of the line, or what stands before it is cut


def draw_elided(painter: QPainter, line: QRect, text: str, font: QFont, colour: str) -> int:
    """Paint `text` at the left of `line`, cut to its width. Returns the width it took, in pixels."""
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
    return metrics.horizontalAdvance(shown)


class FoundLine:
    """Paints marked words heavier and darker, and begins late enough that the first of them is in sight."""

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._marked = QFont(font)
        self._marked.setWeight(QFont.Weight.DemiBold)

    def draw(self, painter: QPainter, line: QRect, found: tuple[str, Marks], theme: Theme) -> None:
        """Paint `found` within `line`."""
        left = line.left()
        for piece in pieces(*self._brought_into_sight(*found, line.width())):
            room = QRect(left, line.top(), line.right() - left + 1, line.height())
            if room.width() <= 0:
                break
            left += self._draw_piece(painter, room, piece, theme)

    def _draw_piece(self, painter: QPainter, room: QRect, piece: Piece, theme: Theme) -> int:
        font, colour = (self._marked, theme.text) if piece.is_marked else (self._font, theme.muted)
        took = draw_elided(painter, room, piece.text, font, colour)
        fits = QFontMetrics(font).horizontalAdvance(piece.text) <= room.width()
        return took if fits else room.width()  # nothing comes after an ellipsis

    def _brought_into_sight(self, text: str, marks: Marks, width: int) -> tuple[str, Marks]:
        if not marks:
            return text, marks
        metrics = QFontMetrics(self._font)
        too_long = metrics.horizontalAdvance(text[: marks[0][1]]) - round(width * _AHEAD)
        start = 0
        while start < marks[0][0] and metrics.horizontalAdvance(text[:start]) < too_long:
            start += 1
        return from_word(text, marks, start)
