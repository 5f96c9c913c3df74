"""Paints a line of text with the matches of a search marked.

The matches of a search as marked ranges of a plain line of text. No Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption

from ui.markdown.plain import plain
from ui.theme.direction import is_right_to_left
from ui.theme.long_texts import LONGEST
from ui.transcript import properties
from ui.widgets.elided_text import draw_written

if TYPE_CHECKING:
    from ui.theme.theme import Theme


Marks = tuple[tuple[int, int], ...]
"""Ranges of a text as (start, end) in characters, in ascending order."""

# They must be letters, because `plain` looks at the neighbours of syntax. Texts contain no letters of a dead script.
_OPEN, _CLOSE = "\U00010000", "\U00010001"


def plain_with_marks(text: str, marks: Marks) -> tuple[str, Marks]:
    """`text` without Markdown syntax, and the marks moved to their new ranges. Invalid marks are dropped, and so is
    what no line has room for.
    """
    if marks and marks[0][0] > LONGEST // 2:
        text, marks = cut_before_mark(text, marks, marks[0][0] - LONGEST // 2)
    text = text[:LONGEST]
    if _OPEN in text or _CLOSE in text:
        return plain(text), ()
    return _extract_marks(plain(_insert_marks(text, marks)))


def _insert_marks(text: str, marks: Marks) -> str:
    parts, end = [], 0
    for start, stop in marks:
        if end <= start < stop <= len(text):
            parts += [text[end:start], _OPEN, text[start:stop], _CLOSE]
            end = stop
    return "".join((*parts, text[end:]))


def _extract_marks(text: str) -> tuple[str, Marks]:
    letters: list[str] = []
    marks: list[tuple[int, int]] = []
    start = -1
    for letter in text:
        if letter == _OPEN:
            start = len(letters)
        elif letter == _CLOSE:
            marks += [(start, len(letters))] if 0 <= start < len(letters) else []
            start = -1
        else:
            letters.append(letter)
    return "".join(letters), tuple(marks)


def cut_before_mark(text: str, marks: Marks, start: int) -> tuple[str, Marks]:
    """Cut `text` before the first word at or after `start`, and begin with an ellipsis. The first mark is never cut."""
    first = marks[0][0] if marks else len(text)
    blank = text.find(" ", start, first)
    cut = min(blank + 1 if blank >= 0 else start, first)
    if cut <= 0:
        return text, marks
    return "…" + text[cut:], tuple((begin - cut + 1, end - cut + 1) for begin, end in marks)


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
        if laid.lineAt(0).textLength() < properties.length(text):
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
    return properties.part(text, 0, units).rstrip() + _ELLIPSIS


def _heavier(text: str, mark: tuple[int, int], theme: Theme) -> QTextLayout.FormatRange:
    start, stop = mark
    marked = QTextLayout.FormatRange()
    marked.start = properties.length(text[:start])
    marked.length = properties.length(text[start:stop])
    heavy = QTextCharFormat()
    heavy.setFontWeight(QFont.Weight.DemiBold)
    heavy.setForeground(QColor(theme.text))
    marked.format = heavy
    return marked
