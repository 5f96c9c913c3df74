"""Gives the tables of a message their widths: measures their cells and finds out in which direction the columns run.

It runs on the GUI thread. Each row is measured once. A row that grows is measured again each time it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeVar

from PySide6.QtGui import QFontMetricsF

from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import BREAK, OBJECT, Formula, Span, Spans, Style
from ui.theme.direction import is_right_to_left
from ui.theme.theme import SMALL_PX, Reading
from ui.transcript.block_formats import indent
from ui.transcript.char_formats import CharFormats
from ui.transcript.column_widths import TextWidth, column_widths
from ui.transcript.formula_object import Room, formula_width
from ui.transcript.formulas import Formula as Typeset
from ui.transcript.image_loader import image_size

CELL_SIDES = (2.0, 14.0)
"""Space before and behind the text of a cell."""
WIDEST_IMAGE_PX = 240.0
LONGEST_WORD_PX = 240
"""A longer word breaks."""
_MEASURED, _LONGEST_WORD = 2_000, 200
"""How much of a cell and of a word is measured, in characters."""
_MOST_ROWS = 4_096
_FIRST_EASTERN = "\u2e80"
_EASTERN = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
"""Scripts without spaces. A line ends after any of their letters."""
_PIECES = re.compile(rf"{BREAK}|[^\S{BREAK}]+|[{_EASTERN}]|[^\s{_EASTERN}]+")

_SCROLLING = {LineKind.MATH, LineKind.TABLE}

_WORD, _LINE = itemgetter(0), itemgetter(1)
_Item = TypeVar("_Item")


class _Row(NamedTuple):
    """The line that was measured, the widths of its cells, and the line with the widths of its table."""

    line: Line
    widths: tuple[TextWidth, ...]
    fitted: Line


class TableFit:
    """Fits the tables of one document into a column. `widest` is how wide a table or a formula may be; none needs to be
    narrower than the column.
    """

    def __init__(self, chars: CharFormats, reading: Reading, column: int, widest: float) -> None:
        self._chars = chars
        self._reading = reading
        self._column = column
        self._widest = widest
        self._rows: dict[int, _Row] = {}
        self._metrics: dict[tuple[int, Style], QFontMetricsF] = {}

    def fitted(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """The lines of a message, with widths for its tables."""
        if not any(line.kind is LineKind.TABLE for line in lines):
            return lines
        made = list(lines)
        for start, stop in _tables(lines):
            made[start:stop] = self._table(lines[start:stop])
        return tuple(made)

    def room(self, line: Line) -> float:
        """The width that a table has in the column."""
        return self._column - indent(line.nest, self._reading)

    def formula_room(self, line: Line) -> Room:
        """The width that a formula may have in a line. A display formula and a table may be wider than the column. The
        full stop after a display formula stays beside it, and a formula in a cell leaves room for the other cells.
        """
        most = self._most(line)
        if line.kind is LineKind.TABLE:
            most = most / max(1, len(line.aligns)) - sum(CELL_SIDES)
        elif line.kind is LineKind.MATH:
            most -= sum(self._metrics_of(line, style).horizontalAdvance(text) for text, style in line.spans[1:])
        return Room(most if line.kind in _SCROLLING else self.room(line), most, self._reading.px(SMALL_PX))

    def _most(self, line: Line) -> float:
        """How wide a table or a formula may be in the containers of a line."""
        return max(self._column, self._widest) - indent(line.nest, self._reading)

    def _table(self, rows: Sequence[Line]) -> Iterator[Line]:
        measured = [self._row(line) for line in rows]
        columns = [_widest(cells) for cells in zip(*(row.widths for row in measured), strict=True)]
        room = self.room(rows[0])
        widths = column_widths(columns, room, self._most(rows[0]), sum(CELL_SIDES), self._reading.zoom / 100)
        mirrored = is_right_to_left("".join(span.text for cell in rows[0].rows[0] for span in cell))
        for row in measured:
            yield self._with(row, widths, mirrored=mirrored)

    def _with(self, row: _Row, widths: tuple[int, ...], *, mirrored: bool) -> Line:
        if (row.fitted.widths, row.fitted.mirrored) != (widths, mirrored):
            row = row._replace(fitted=row.line._replace(widths=widths, mirrored=mirrored))
            self._rows[id(row.line.rows)] = row
        return row.fitted

    def _row(self, line: Line) -> _Row:
        known = self._rows.get(id(line.rows))
        if known is not None and known.line.rows is line.rows and known.line.number == line.number:
            return known
        if len(self._rows) > _MOST_ROWS:
            self._rows.clear()
        cells = [
            [self._cell(cell_line(line, number), spans) for spans in row]
            for number, row in enumerate(line.rows, line.number)
        ]
        columns = tuple(map(_widest, zip(*cells, strict=True)))
        made = self._rows[id(line.rows)] = _Row(line, columns, line)
        return made

    def _cell(self, line: Line, spans: Spans) -> TextWidth:
        """A line may end at a space, and beside a picture or a letter of an eastern script."""
        word = longest = row = widest = 0.0
        for piece, width in self._pieces(line, spans):
            row = 0.0 if piece == BREAK else row + width
            word = 0.0 if piece.isspace() else word + width
            longest, widest = (
                max(longest, width if piece == OBJECT else min(word, self._reading.px(LONGEST_WORD_PX))),
                max(widest, row),
            )
            if piece[-1] >= _FIRST_EASTERN:
                word = 0.0
        return TextWidth(longest + 1, widest + 1)

    def _pieces(self, line: Line, spans: Iterable[Span]) -> Iterator[tuple[str, float]]:
        """The words of a cell, and what is between them, each with its width."""
        for text, style in spans:
            metrics = self._metrics_of(line, style)
            if style.formula is Formula.PICTURE:
                formula = Typeset(style.source, inline=True)
                yield OBJECT, formula_width(formula, self._pixels(line, style), self.formula_room(line))
            elif style.image and text == OBJECT:
                yield OBJECT, image_size(style.image, WIDEST_IMAGE_PX).width()
            else:
                for piece in _PIECES.findall(text[:_MEASURED]):
                    yield piece, metrics.horizontalAdvance(piece[:_LONGEST_WORD])

    def _pixels(self, line: Line, style: Style) -> int:
        return self._chars.of(line, style).font().pixelSize()

    def _metrics_of(self, line: Line, style: Style) -> QFontMetricsF:
        key = line.level, style
        if key not in self._metrics:
            self._metrics[key] = QFontMetricsF(self._chars.of(line, style).font())
        return self._metrics[key]


def _widest(cells: Sequence[TextWidth]) -> TextWidth:
    return TextWidth(max(map(_WORD, cells)), max(map(_LINE, cells)))


def cell_line(line: Line, number: int) -> Line:
    """The line of a table as the formats of its cells know it: level 1 is the head row."""
    return Line(LineKind.TABLE, level=0 if number else 1, nest=line.nest, aligns=line.aligns)


def in_place(line: Line, items: Sequence[_Item]) -> Sequence[_Item]:
    """What belongs to the columns of a table, as the columns are from left to right. Qt knows no other order."""
    return items[::-1] if line.mirrored else items


def _tables(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Where each table begins, and the end of its rows."""
    start = 0
    while start < len(lines):
        stop = start + 1
        if lines[start].kind is LineKind.TABLE:
            while stop < len(lines) and lines[stop].kind is LineKind.TABLE and lines[stop].number:
                stop += 1
            yield start, stop
        start = stop
