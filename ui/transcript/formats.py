"""All formats that a transcript is written with, for one theme and one column width.

Spans become character formats: fonts, colours, links and icons. The tables of a message get their widths here: their
cells are measured, each row once, but for a row that grows, and it is found out in which direction the columns run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextTableCellFormat,
    QTextTableFormat,
)

from ui.markdown.lines import NOTE, REASONING, Line, LineKind
from ui.markdown.spans import BREAK, OBJECT, PLAIN, FormulaLook, Span, Spans, Style
from ui.theme.direction import is_right_to_left
from ui.theme.theme import BODY_PX, CODE_PX, SMALL_PX, Theme, mono_font, ui_font
from ui.theme.tooltips import plain_tip
from ui.transcript.block_formats import BLOCK_GAP_PX, BlockFormats, indent
from ui.transcript.blocks import TextProperty
from ui.transcript.column_widths import TextWidth, column_widths
from ui.transcript.formulas import Formula, Room, formula_format, formula_width
from ui.transcript.image_loader import image_format, image_size

_CODE, KEY = 1, 2
_SCRIPTS = {
    "sub": QTextCharFormat.VerticalAlignment.AlignSubScript,
    "sup": QTextCharFormat.VerticalAlignment.AlignSuperScript,
}
ICON_PX = 16
INVISIBLE = "transparent"
"""The colour of an icon that the backdrop paints only while the mouse is near."""

_HEADING = {1: 22, 2: 19, 3: 17}
_EMPTY = {LineKind.CODE_FOOT, LineKind.TABLE_FOOT, LineKind.RULE}
_SMALL = {LineKind.CODE_HEAD, LineKind.TOOL, LineKind.FOOTER, LineKind.HANDLES, LineKind.MARK, LineKind.FILES}
_LEVELLED = {LineKind.FOOTER, LineKind.HANDLES, LineKind.TEXT}
_LEVELLING_PX = 27
"""The font of icons between words. Qt puts an icon into the middle of its line, and the x-height of the icon's font
decides how far the line reaches below the baseline. With this font, the icon is level with the words.
"""
_RAW = {FormulaLook.INLINE, FormulaLook.DISPLAY, FormulaLook.OPEN}
"""Formulas that show their TeX for a moment."""
_QUIET = {LineKind.CODE_HEAD, LineKind.THOUGHT}
"""Kinds of lines whose links are muted too."""
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
_Item = TypeVar("_Item")
_CELL_PAD = 7.0
_FIXED = QTextLength.Type.FixedLength
_SIDES = {
    "left": Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute,
    "right": Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute,
    "center": Qt.AlignmentFlag.AlignHCenter,
}


class CharFormats:
    """Character formats for one theme. Each format is made once and cached, unless only one place has it.

    The lines of a table have level 1 in the head row and level -1 in the empty block above the table.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._cache: dict[tuple[LineKind, int, bool, bool, Style], QTextCharFormat] = {}

    def of(self, line: Line, style: Style = PLAIN) -> QTextCharFormat:
        """The character format of a style on a line."""
        if style.href or style.source:  # nearly each is used once, and a long chat has very many
            return self._make(line, style)
        key = (line.kind, line.level, _is_reasoning(line), _is_note(line), style)
        if key not in self._cache:
            self._cache[key] = self._make(line, style)
        return self._cache[key]

    def marker(self, line: Line) -> QTextCharFormat:
        """The character format of a list item's marker."""
        made = QTextCharFormat(self.of(line))
        made.setForeground(QColor(self._theme.muted))
        return made

    def image(self, line: Line, style: Style) -> QTextImageFormat:
        """The image of a span with an icon. Its name is the icon's name, a space and the colour."""
        colour = self._icon_colour(line, style)
        made = QTextImageFormat(self.of(line, style).toImageFormat())
        made.setObjectType(QTextFormat.ObjectTypes.ImageObject.value)
        made.setName(f"{style.icon} {colour}")
        side = self._theme.reading.px(ICON_PX)
        made.setWidth(side)
        made.setHeight(side)
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        if line.kind in _LEVELLED:
            made.setFont(ui_font(self._theme.reading.px(_LEVELLING_PX)))
        return made

    def _icon_colour(self, line: Line, style: Style) -> str:
        if line.kind is LineKind.HANDLES and not style.icon.startswith("chevron"):
            return INVISIBLE
        if style.muted:
            return self._theme.button_off
        return self._theme.danger if line.kind is LineKind.ERROR else self._theme.muted

    def _make(self, line: Line, style: Style) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._font(line, style))
        made.setForeground(QColor(self._colour(line, style)))
        if (style.code and line.kind is not LineKind.CODE and not style.token) or style.key:
            made.setProperty(TextProperty.PILL, KEY if style.key else _CODE)
        if style.is_room:
            made.setProperty(TextProperty.BESIDE, 1)
        if style.script:
            made.setVerticalAlignment(_SCRIPTS[style.script])
        if style.source:
            made.setProperty(TextProperty.SOURCE, style.source)
        if style.chip:
            made.setProperty(TextProperty.CHIP, style.chip)
            made.setProperty(TextProperty.CHIP_ICON, style.chip_icon)
        if style.href:
            made.setAnchor(True)
            made.setAnchorHref(style.href)
        if style.tip or style.href:
            made.setToolTip(plain_tip(style.tip or style.href))
        return made

    def _font(self, line: Line, style: Style) -> QFont:
        if line.kind in _EMPTY or (line.kind is LineKind.TABLE and line.level < 0):
            return ui_font(1)
        size = BODY_PX - 1 if _is_reasoning(line) or line.kind is LineKind.THOUGHT else BODY_PX
        weight = QFont.Weight.DemiBold if style.bold or line.kind is LineKind.HEADING else QFont.Weight.Normal
        if line.kind is LineKind.HEADING:
            size = size if _is_reasoning(line) else _HEADING.get(line.level, BODY_PX)
        elif line.kind in _SMALL or _is_note(line) or (line.kind is LineKind.TABLE and line.level):
            size = SMALL_PX
        if line.kind is LineKind.TABLE and line.level:
            weight = QFont.Weight.DemiBold
        mono = line.kind is LineKind.CODE or style.code or style.key or style.formula in _RAW
        code_size = CODE_PX if line.kind in {LineKind.CODE, LineKind.TOOL} else size - 2
        in_size = self._theme.reading.px
        font = mono_font(in_size(code_size), weight) if mono else ui_font(in_size(size), weight)
        font.setItalic(style.italic)
        font.setUnderline(line.kind is LineKind.ERROR and bool(style.href))
        font.setStrikeOut(style.strike)
        return font

    def _colour(self, line: Line, style: Style) -> str:
        theme = self._theme
        if style.token:
            return theme.syntax.get(style.token, theme.text)
        if line.kind is LineKind.ERROR:
            return theme.danger if style.href else theme.text
        if line.kind is LineKind.TOOL or style.chip:
            return theme.text if style.code or (style.chip and not style.muted) else theme.muted
        if line.kind in _QUIET or style.formula in _RAW:
            return theme.muted
        if style.href:
            return theme.accent
        is_head = style.muted or (line.kind is LineKind.TABLE and line.level)
        is_muted = is_head or line.kind in _SMALL or _is_reasoning(line) or _is_note(line)
        return theme.muted if is_muted else theme.text


def _is_note(line: Line) -> bool:
    return line.nest.endswith(NOTE)


def _is_reasoning(line: Line) -> bool:
    return line.nest.startswith(REASONING)


class _Row(NamedTuple):
    """The line that was measured, the widths of its cells, and the line with the widths of its table."""

    line: Line
    widths: tuple[TextWidth, ...]
    fitted: Line


class Formats:
    """The block, character and table formats of one theme at one column width (pixels, without the gutters). `widest`
    is how wide a table or a formula may be; none needs to be narrower than the column.
    """

    def __init__(self, theme: Theme, column: int, widest: float = inf) -> None:
        self.theme = theme
        self.column = column
        self.blocks = BlockFormats(column, theme.reading)
        self.chars = CharFormats(theme)
        self._widest = widest
        self._cells: dict[tuple[str, int, bool], QTextTableCellFormat] = {}
        self._rows: dict[int, _Row] = {}
        self._metrics: dict[tuple[int, Style], QFontMetricsF] = {}

    def of(self, line: Line, span: Span) -> QTextCharFormat:
        """The character format of a span: the text of an icon, or of a picture that is here, is an object."""
        style = span.style
        if style.formula is FormulaLook.PICTURE:
            formula = Formula(style.source, line.kind is not LineKind.MATH)
            return formula_format(self.chars.of(line, style), formula, self._formula_room(line))
        if style.image and span.text == OBJECT:
            widest = WIDEST_IMAGE_PX if line.kind is LineKind.TABLE else self.blocks.widest(line)
            return image_format(self.chars.of(line, style), style.image, widest)
        return self.chars.image(line, style) if style.icon else self.chars.of(line, style)

    def table(self, line: Line) -> QTextTableFormat:
        """The format of one row or of all rows of a table, with a hairline under each."""
        made = QTextTableFormat()
        made.setBorder(0)
        made.setBorderCollapse(True)
        made.setCellPadding(0)
        made.setCellSpacing(0)
        made.setLeftMargin(0 if line.mirrored else indent(line.nest, self.theme.reading))
        made.setTopMargin(0 if line.number else BLOCK_GAP_PX - _CELL_PAD)
        made.setHeaderRowCount(0 if line.number else 1)
        made.setColumnWidthConstraints([QTextLength(_FIXED, width) for width in in_place(line, line.widths)])
        made.setWidth(QTextLength(_FIXED, sum(line.widths)))
        made.setProperty(TextProperty.MIRRORED, int(line.mirrored))
        made.setProperty(TextProperty.ROOM, self._room(line))
        return made

    def cell(self, line: Line, row: int) -> QTextTableCellFormat:
        """The format of a cell in a row. Qt stores it in the character format of the cell's block, so it is also a
        character format.
        """
        key = line.nest, min(row, 1), line.mirrored
        if key in self._cells:
            return self._cells[key]
        left, right = CELL_SIDES[:: -1 if line.mirrored else 1]
        made = self._cells[key] = QTextTableCellFormat()
        made.merge(self.chars.of(cell_line(line, row)))
        made.setTopPadding(_CELL_PAD)
        made.setBottomPadding(_CELL_PAD)
        made.setLeftPadding(left)
        made.setRightPadding(right)
        made.setBottomBorder(1)
        made.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setBottomBorderBrush(QBrush(QColor(self.theme.hairline)))
        return made

    def cell_block(self, line: Line, row: int, align: str) -> QTextBlockFormat:
        """The block format inside a cell of a row."""
        made = QTextBlockFormat()
        made.setProperty(TextProperty.KIND, LineKind.TABLE.value)
        made.setProperty(TextProperty.NEST, line.nest)
        made.setProperty(TextProperty.ROW, row)
        made.setProperty(TextProperty.MIRRORED, int(line.mirrored))
        start = _SIDES["right"] if line.mirrored else Qt.AlignmentFlag.AlignLeft
        made.setAlignment(_SIDES.get(align, start))
        return made

    def fitted(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """The lines of a message, with widths for its tables."""
        if not any(line.kind is LineKind.TABLE for line in lines):
            return lines
        made = list(lines)
        for start, stop in tables(lines):
            made[start:stop] = self._table_rows(lines[start:stop])
        return tuple(made)

    def _room(self, line: Line) -> float:
        """The width that a table has in the column."""
        return self.column - indent(line.nest, self.theme.reading)

    def _formula_room(self, line: Line) -> Room:
        """The width that a formula may have in a line. A display formula and a table may be wider than the column. The
        full stop after a display formula stays beside it, and a formula in a cell leaves room for the other cells.
        """
        most = self._most(line)
        if line.kind is LineKind.TABLE:
            most = most / max(1, len(line.aligns)) - sum(CELL_SIDES)
        elif line.kind is LineKind.MATH:
            most -= sum(self._metrics_of(line, style).horizontalAdvance(text) for text, style in line.spans[1:])
        return Room(most if line.kind in _SCROLLING else self._room(line), most, self.theme.reading.px(SMALL_PX))

    def _most(self, line: Line) -> float:
        """How wide a table or a formula may be in the containers of a line."""
        return max(self.column, self._widest) - indent(line.nest, self.theme.reading)

    def _table_rows(self, rows: Sequence[Line]) -> Iterator[Line]:
        measured = [self._row(line) for line in rows]
        columns = [_widest(cells) for cells in zip(*(row.widths for row in measured), strict=True)]
        room = self._room(rows[0])
        widths = column_widths(columns, room, self._most(rows[0]), sum(CELL_SIDES), self.theme.reading.zoom / 100)
        mirrored = is_right_to_left("".join(span.text for cell in rows[0].rows[0] for span in cell))
        for row in measured:
            if (row.fitted.widths, row.fitted.mirrored) == (widths, mirrored):
                yield row.fitted
            else:
                fitted = row.line._replace(widths=widths, mirrored=mirrored)
                self._rows[id(row.line.rows)] = row._replace(fitted=fitted)
                yield fitted

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
            whole = width if piece == OBJECT else min(word, self.theme.reading.px(LONGEST_WORD_PX))
            longest, widest = max(longest, whole), max(widest, row)
            if piece[-1] >= _FIRST_EASTERN:
                word = 0.0
        return TextWidth(longest + 1, widest + 1)

    def _pieces(self, line: Line, spans: Iterable[Span]) -> Iterator[tuple[str, float]]:
        """The words of a cell, and what is between them, each with its width."""
        for text, style in spans:
            metrics = self._metrics_of(line, style)
            if style.formula is FormulaLook.PICTURE:
                pixels = self.chars.of(line, style).font().pixelSize()
                yield OBJECT, formula_width(Formula(style.source, inline=True), pixels, self._formula_room(line))
            elif style.image and text == OBJECT:
                yield OBJECT, image_size(style.image, WIDEST_IMAGE_PX).width()
            else:
                for piece in _PIECES.findall(text[:_MEASURED]):
                    yield piece, metrics.horizontalAdvance(piece[:_LONGEST_WORD])

    def _metrics_of(self, line: Line, style: Style) -> QFontMetricsF:
        key = line.level, style
        if key not in self._metrics:
            self._metrics[key] = QFontMetricsF(self.chars.of(line, style).font())
        return self._metrics[key]


def _widest(cells: Sequence[TextWidth]) -> TextWidth:
    return TextWidth(*map(max, zip(*cells, strict=True)))


def cell_line(line: Line, number: int) -> Line:
    """The line of a table as the formats of its cells know it: level 1 is the head row."""
    return Line(LineKind.TABLE, level=0 if number else 1, nest=line.nest, aligns=line.aligns)


def in_place(line: Line, items: Sequence[_Item]) -> Sequence[_Item]:
    """What belongs to the columns of a table, as the columns are from left to right. Qt knows no other order."""
    return items[::-1] if line.mirrored else items


def tables(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Where each table begins, and the end of its rows."""
    start = 0
    while start < len(lines):
        stop = start + 1
        if lines[start].kind is LineKind.TABLE:
            while stop < len(lines) and lines[stop].kind is LineKind.TABLE and lines[stop].number:
                stop += 1
            yield start, stop
        start = stop
