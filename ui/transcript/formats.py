"""All formats that a transcript is written with, for one theme and one column width."""

from __future__ import annotations

from math import inf

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTableCellFormat,
    QTextTableFormat,
)

from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import Style
from ui.theme.theme import Theme
from ui.transcript.block_formats import BLOCK_GAP_PX, BlockFormats, indent
from ui.transcript.char_formats import CharFormats
from ui.transcript.formula_object import formula_format
from ui.transcript.formulas import Formula
from ui.transcript.image_loader import image_format
from ui.transcript.properties import TextProperty
from ui.transcript.table_fit import CELL_SIDES, WIDEST_IMAGE_PX, TableFit, cell_line, in_place

_CELL_PAD = 7.0
_FIXED = QTextLength.Type.FixedLength
_SIDES = {
    "left": Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute,
    "right": Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute,
    "center": Qt.AlignmentFlag.AlignHCenter,
}


class Formats:
    """The block, character and table formats of one theme at one column width (pixels, without the gutters). `widest`
    is how wide a table may be.
    """

    def __init__(self, theme: Theme, column: int, widest: float = inf) -> None:
        self.theme = theme
        self.column = column
        self.blocks = BlockFormats(column, theme.reading)
        self.chars = CharFormats(theme)
        self.tables = TableFit(self.chars, theme.reading, column, widest)
        self._cells: dict[tuple[str, int, bool], QTextTableCellFormat] = {}

    def formula(self, line: Line, style: Style) -> QTextCharFormat:
        """The format of a formula's picture."""
        formula = Formula(style.source, line.kind is not LineKind.MATH)
        return formula_format(self.chars.of(line, style), formula, self.tables.formula_room(line))

    def image(self, line: Line, style: Style) -> QTextCharFormat:
        """The format of an image of this computer."""
        made = self.chars.of(line, style)
        widest = WIDEST_IMAGE_PX if line.kind is LineKind.TABLE else self.blocks.widest(line)
        return image_format(made, style.image, style.source, widest)

    def table(self, line: Line) -> QTextTableFormat:
        """The format of one row or of all rows of a table, with a hairline under each."""
        made = QTextTableFormat()
        made.setBorder(0)
        made.setBorderCollapse(True)
        made.setCellPadding(0)
        made.setCellSpacing(0)
        made.setLeftMargin(0 if line.mirrored else indent(line.nest, self.theme.reading))
        made.setTopMargin(0 if line.number else BLOCK_GAP_PX)
        made.setHeaderRowCount(0 if line.number else 1)
        made.setColumnWidthConstraints([QTextLength(_FIXED, width) for width in in_place(line, line.widths)])
        made.setWidth(QTextLength(_FIXED, sum(line.widths)))
        made.setProperty(TextProperty.MIRRORED, int(line.mirrored))
        made.setProperty(TextProperty.ROOM, self.tables.room(line))
        return made

    def cell(self, line: Line, row: int) -> QTextTableCellFormat:
        """The format of a cell in a row. Qt stores it in the character format of the cell's block, so it is also a
        character format.
        """
        key = line.nest, min(row, 1), line.mirrored
        if key not in self._cells:
            self._cells[key] = self._make_cell(cell_line(line, row), CELL_SIDES[:: -1 if line.mirrored else 1])
        return self._cells[key]

    def _make_cell(self, line: Line, sides: tuple[float, ...]) -> QTextTableCellFormat:
        made = QTextTableCellFormat()
        made.merge(self.chars.of(line))
        made.setTopPadding(_CELL_PAD)
        made.setBottomPadding(_CELL_PAD)
        made.setLeftPadding(sides[0])
        made.setRightPadding(sides[1])
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
