"""All formats that a transcript is written with, for one theme and one column width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTableCellFormat,
    QTextTableFormat,
)

from ui.markdown.lines import Line, LineKind
from ui.transcript.block_formats import BLOCK_GAP_PX, KIND, BlockFormats, indent
from ui.transcript.char_formats import CharFormats
from ui.transcript.formula_object import formula_format
from ui.transcript.image_object import image_format
from ui.transcript.typesetter import Formula

if TYPE_CHECKING:
    from ui.markdown.spans import Style
    from ui.theme.theme import Theme

ROW = QTextFormat.Property.UserProperty + 4
"""Property of each block inside a table: the number of its row."""

_CELL_PAD = 7.0
_CELL_SIDES = (2.0, 14.0)
_BELOW_TABLE = 21.0
_ALIGNMENTS = {"right": Qt.AlignmentFlag.AlignRight, "center": Qt.AlignmentFlag.AlignHCenter}


class Formats:
    """The block, character and table formats of one theme at one column width (pixels, without the gutters)."""

    def __init__(self, theme: Theme, column: int) -> None:
        self.theme = theme
        self.column = column
        self.blocks = BlockFormats(column, theme.reading)
        self.chars = CharFormats(theme)

    def formula(self, line: Line, style: Style) -> QTextCharFormat:
        """The format of a formula's picture."""
        made = self.chars.of(line, style)
        formula = Formula(style.source, line.kind is not LineKind.MATH)
        return formula_format(
            made, formula, made.font().pixelSize(), self.column - indent(line.nest, self.theme.reading)
        )

    def image(self, line: Line, style: Style) -> QTextCharFormat:
        """The format of an image of this computer."""
        made = self.chars.of(line, style)
        return image_format(made, style.image, style.source, self.blocks.widest(line))

    def table(self, line: Line) -> QTextTableFormat:
        """The format of a table with a hairline under each row."""
        made = QTextTableFormat()
        made.setBorder(0)
        made.setBorderCollapse(True)
        made.setCellPadding(0)
        made.setCellSpacing(0)
        made.setLeftMargin(indent(line.nest, self.theme.reading))
        made.setTopMargin(BLOCK_GAP_PX)
        made.setBottomMargin(_BELOW_TABLE)
        made.setHeaderRowCount(1)
        made.setWidth(QTextLength(QTextLength.Type.FixedLength, self.column - indent(line.nest, self.theme.reading)))
        return made

    def cell(self, line: Line) -> QTextTableCellFormat:
        """The format of a table cell. Qt stores it in the character format of the cell's block, so it is also a
        character format.
        """
        made = QTextTableCellFormat()
        made.merge(self.chars.of(line))
        made.setTopPadding(_CELL_PAD)
        made.setBottomPadding(_CELL_PAD)
        made.setLeftPadding(_CELL_SIDES[0])
        made.setRightPadding(_CELL_SIDES[1])
        made.setBottomBorder(1)
        made.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setBottomBorderBrush(QBrush(QColor(self.theme.hairline)))
        return made

    def cell_block(self, row: int, align: str) -> QTextBlockFormat:
        """The block format inside a cell of `row`."""
        made = QTextBlockFormat()
        made.setProperty(KIND, LineKind.TABLE.value)
        made.setProperty(ROW, row)
        made.setAlignment(_ALIGNMENTS.get(align, Qt.AlignmentFlag.AlignLeft))
        return made
