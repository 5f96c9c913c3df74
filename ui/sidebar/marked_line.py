"""Paints a line of text with the matches of a search marked."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption

from ui.sidebar.search_marks import Marks, cut_before_mark
from ui.theme.direction import is_right_to_left
from ui.theme.theme import Theme
from ui.transcript import utf16
from ui.widgets.elided_text import draw_written

# They must be letters, because `plain` looks at the neighbours of syntax. Texts contain no letters of a dead script.


_IN_VIEW, _AHEAD = 0.75, 0.4
"""If the first mark ends beyond one share of the line, the text before it is cut so that the mark ends at the other."""
_ELLIPSIS = "…"


class MarkedLine:
    """Paints marked words bolder and darker, and cuts the start of the text so that the first mark is in view.

    The text is laid out as a whole, so that right-to-left text keeps its order around a mark.
    """

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._ellipsis = QFontMetrics(font).horizontalAdvance(_ELLIPSIS)

    def draw(self, painter: QPainter, line: QRect, found: tuple[str, Marks], theme: Theme) -> None:
        """Paint a text with its marks into `line`."""
        text, marks = found
        if marks:
            self._draw_marked(painter, line, self._with_mark_in_view(text, marks, line.width()), theme)
        else:
            draw_written(painter, line, text, self._font, theme.muted)

    def _draw_marked(self, painter: QPainter, line: QRect, found: tuple[str, Marks], theme: Theme) -> None:
        text, marks = found
        laid = self._layout(text, marks, line.width(), theme)
        if laid.lineAt(0).textLength() < utf16.length(text):
            laid = self._layout(text, marks, line.width() - self._ellipsis, theme)
            laid = self._layout(_cut(text, laid.lineAt(0).textLength()), marks, line.width() + self._ellipsis, theme)
        painter.setPen(QColor(theme.muted))
        laid.draw(painter, QPointF(line.left(), line.top() + round((line.height() - laid.lineAt(0).height()) / 2)))

    def _layout(self, text: str, marks: Marks, width: int, theme: Theme) -> QTextLayout:
        """A layout whose first line is as much text as fits into `width`."""
        laid = QTextLayout(text, self._font)
        side = Qt.AlignmentFlag.AlignRight if is_right_to_left(text) else Qt.AlignmentFlag.AlignLeft
        option = QTextOption(side | Qt.AlignmentFlag.AlignAbsolute)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAnywhere)
        laid.setTextOption(option)
        laid.setFormats([_heavier(text, mark, theme) for mark in marks])
        laid.beginLayout()
        laid.createLine().setLineWidth(width)
        laid.endLayout()
        return laid

    def _with_mark_in_view(self, text: str, marks: Marks, width: int) -> tuple[str, Marks]:
        metrics = QFontMetrics(self._font)
        end = metrics.horizontalAdvance(text[: marks[0][1]])
        if end <= width * _IN_VIEW:
            return text, marks
        too_long = end - round(width * _AHEAD)
        start = 0
        while start < marks[0][0] and metrics.horizontalAdvance(text[:start]) < too_long:
            start += 1
        return cut_before_mark(text, marks, start)


def _cut(text: str, units: int) -> str:
    """The first `units` UTF-16 units of `text`, and an ellipsis."""
    return utf16.part(text, 0, units).rstrip() + _ELLIPSIS


def _heavier(text: str, mark: tuple[int, int], theme: Theme) -> QTextLayout.FormatRange:
    start, stop = mark
    marked = QTextLayout.FormatRange()
    marked.start = utf16.length(text[:start])
    marked.length = utf16.length(text[start:stop])
    heavy = QTextCharFormat()
    heavy.setFontWeight(QFont.Weight.DemiBold)
    heavy.setForeground(QColor(theme.text))
    marked.format = heavy
    return marked
