"""Lines and spans as Qt's formats: every measure and colour of the transcript that the document itself applies.

Owns margins, fonts and tab stops; what is painted behind the text is `transcript_paint`'s. Formats are made once a
theme and column width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    QTextOption,
    QTextTableCellFormat,
    QTextTableFormat,
)

from ui.markdown.lines import Kind, Line
from ui.markdown.spans import BREAK, PLAIN, Style
from ui.theme import BODY_PX, CODE_PX, LINE_HEIGHT_PERCENT, SMALL_PX, mono_font, ui_font

if TYPE_CHECKING:
    from ui.theme import Theme

KIND = QTextFormat.Property.UserProperty + 1
NEST = QTextFormat.Property.UserProperty + 2
PILL = QTextFormat.Property.UserProperty + 3
ROW = QTextFormat.Property.UserProperty + 4

GUTTER_PX = 4
"""Room beside the column for what is painted a little wider than the text."""
TOP_PX = 34
"""Room above the first message; Qt drops the first block's own margin."""
BUBBLE_PAD_PX = 10
BUBBLE_SIDE_PX = 18
CODE_SIDE_PX = 16
CODE_HEAD_PAD_PX = 9.5
CODE_FOOT_PX = 11.0
ICON_PX = 16

_ITEM_PX = 26
_QUOTE_PX = 18
_DEEPEST = 10
_BLOCK_GAP = 12.0
_TIGHT_GAP = 2.0
_TURN_GAP = 26.0
_BUBBLE_SHARE = 0.76
_CODE_PERCENT = 140
_HEADING_PX = {1: 22, 2: 19, 3: 17}
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_PERCENT = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_EMPTY = {Kind.CODE_FOOT, Kind.RULE}
_LEFT, _RIGHT = QTextOption.TabType.LeftTab, QTextOption.TabType.RightTab


def indent(nest: str) -> float:
    """Where the text inside the containers `nest` begins, in pixels from the column's left edge."""
    return float(sum(_ITEM_PX if container == "-" else _QUOTE_PX for container in nest[:_DEEPEST]))


class Formats:
    """The formats of one theme at one column width (pixels, without the gutters)."""

    def __init__(self, theme: Theme, column: int) -> None:
        self.theme = theme
        self.column = column
        self._blocks: dict[tuple[Kind, int, str, str, bool], QTextBlockFormat] = {}
        self._chars: dict[tuple[Kind, int, Style], QTextCharFormat] = {}
        self._body = QFontMetricsF(ui_font())

    def end(self) -> QTextBlockFormat:
        """The empty block below the last message."""
        return _fixed(16.0)

    def block(self, line: Line) -> QTextBlockFormat:
        """The block format of a line; for a table, that of the empty block above it."""
        if line.kind is Kind.BUBBLE:
            return self._bubble(line.text)
        key = (line.kind, line.level, line.nest, line.marker, line.tight)
        if key not in self._blocks:
            self._blocks[key] = self._make_block(line)
        return self._blocks[key]

    def char(self, line: Line, style: Style = PLAIN) -> QTextCharFormat:
        """The character format of a style on a line. A table's lines have level 1 in its head, -1 above it."""
        key = (line.kind, line.level, style)
        if key not in self._chars:
            self._chars[key] = self._make_char(line, style)
        return self._chars[key]

    def marker(self) -> QTextCharFormat:
        """The character format of a list item's marker."""
        made = QTextCharFormat(self.char(Line(Kind.TEXT)))
        made.setForeground(QColor(self.theme.muted))
        return made

    def image(self, line: Line, style: Style) -> QTextImageFormat:
        """The picture that a span with an icon stands for; its name is the icon's, a space, its colour."""
        colour = self.theme.danger if line.kind is Kind.ERROR else self.theme.muted
        made = QTextImageFormat(self.char(line, style).toImageFormat())
        made.setObjectType(QTextFormat.ObjectTypes.ImageObject.value)
        made.setName(f"{style.icon} {colour}")
        made.setWidth(ICON_PX)
        made.setHeight(ICON_PX)
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        return made

    def table(self, line: Line) -> QTextTableFormat:
        """The format of a table with hairlines under its rows."""
        made = QTextTableFormat()
        made.setBorder(0)
        made.setBorderCollapse(True)
        made.setCellPadding(0)
        made.setCellSpacing(0)
        made.setLeftMargin(indent(line.nest))
        made.setTopMargin(_BLOCK_GAP)
        made.setBottomMargin(13)
        made.setHeaderRowCount(1)
        made.setWidth(QTextLength(QTextLength.Type.FixedLength, self.column - indent(line.nest)))
        return made

    def cell(self, line: Line) -> QTextTableCellFormat:
        """The format of a table's cell; Qt keeps it where a block's character format is, so it is both."""
        made = QTextTableCellFormat()
        made.merge(self.char(line))
        made.setTopPadding(7.5)
        made.setBottomPadding(7.5)
        made.setLeftPadding(2)
        made.setRightPadding(14)
        made.setBottomBorder(1)
        made.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setBottomBorderBrush(QBrush(QColor(self.theme.hairline)))
        return made

    def cell_block(self, row: int, align: str) -> QTextBlockFormat:
        """The block format inside a cell of `row`."""
        made = QTextBlockFormat()
        made.setProperty(KIND, Kind.TABLE.value)
        made.setProperty(ROW, row)
        made.setLineHeight(100, _PERCENT)
        alignment = {"right": Qt.AlignmentFlag.AlignRight, "center": Qt.AlignmentFlag.AlignHCenter}
        made.setAlignment(alignment.get(align, Qt.AlignmentFlag.AlignLeft))
        return made

    def _make_block(self, line: Line) -> QTextBlockFormat:
        match line.kind:
            case Kind.CODE_FOOT:
                made = _fixed(CODE_FOOT_PX)
                made.setBottomMargin(24)
            case Kind.RULE:
                made = _fixed(9.0)
                made.setTopMargin(10)
                made.setBottomMargin(20)
            case Kind.TABLE:
                made = _fixed(1.0)  # which Qt lays out without any height
            case Kind.CODE_HEAD:
                made = self._code_head(line)
            case Kind.CODE:
                made = _prose(_CODE_PERCENT)
                made.setLeftMargin(indent(line.nest) + CODE_SIDE_PX)
                made.setRightMargin(CODE_SIDE_PX)
            case _:
                made = self._text(line)
        made.setProperty(KIND, line.kind.value)
        made.setProperty(NEST, line.nest)
        return made

    def _text(self, line: Line) -> QTextBlockFormat:
        made = _prose(LINE_HEIGHT_PERCENT)
        made.setTopMargin(_TIGHT_GAP if line.tight else _BLOCK_GAP)
        made.setLeftMargin(indent(line.nest))
        if line.kind is Kind.HEADING:
            made = _prose(128)
            made.setTopMargin(22)
            made.setLeftMargin(indent(line.nest))
        elif line.kind is Kind.FOOTER:
            made.setLineHeight(100, _PERCENT)
            made.setTopMargin(8)
        elif line.kind is Kind.ERROR:
            made.setTopMargin(_BLOCK_GAP + BUBBLE_PAD_PX)
            made.setBottomMargin(_BLOCK_GAP)
            made.setLeftMargin(14)
            made.setRightMargin(14)
        if line.marker:
            self._hang(made, line)
        return made

    def _hang(self, made: QTextBlockFormat, line: Line) -> None:
        """Markers end at one edge, so that "9." and "10." stand right above each other."""
        width = self._body.horizontalAdvance(line.marker)
        start = max(-GUTTER_PX, 18 - width) if line.marker[0].isdigit() else 6
        made.setTextIndent(start - _ITEM_PX)
        made.setTabPositions([QTextOption.Tab(_ITEM_PX - start + more, _LEFT) for more in (0, 8, 16, 32, 64)])

    def _code_head(self, line: Line) -> QTextBlockFormat:
        made = _prose(100)
        left = indent(line.nest) + CODE_SIDE_PX
        made.setTopMargin(CODE_HEAD_PAD_PX + 8)
        made.setBottomMargin(15.5)
        made.setLeftMargin(left)
        made.setTabPositions([QTextOption.Tab(self.column - left - CODE_SIDE_PX, _RIGHT)])
        return made

    def _bubble(self, text: str) -> QTextBlockFormat:
        widest = self.column * _BUBBLE_SHARE - 2 * BUBBLE_SIDE_PX
        width = self._natural_width(text, widest)
        made = _prose(LINE_HEIGHT_PERCENT)
        made.setTopMargin(BUBBLE_PAD_PX + _TURN_GAP)
        made.setBottomMargin(BUBBLE_PAD_PX + _TURN_GAP - 7)
        made.setRightMargin(BUBBLE_SIDE_PX)
        made.setLeftMargin(self.column - BUBBLE_SIDE_PX - width)
        made.setProperty(KIND, Kind.BUBBLE.value)
        return made

    def _natural_width(self, text: str, widest: float) -> float:
        width = 0.0
        for row in text.split(BREAK):
            # No row of so many characters fits; measuring a very long one would take a while.
            width = widest if len(row) > widest else max(width, self._body.horizontalAdvance(row) + 1)
            if width >= widest:
                return widest
        return width

    def _make_char(self, line: Line, style: Style) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._font(line, style))
        made.setForeground(QColor(self._colour(line, style)))
        if style.code and line.kind is not Kind.CODE:
            made.setProperty(PILL, 1)
        if style.href:
            made.setAnchor(True)
            made.setAnchorHref(style.href)
        if style.tip or style.href:
            made.setToolTip(style.tip or style.href)
        return made

    def _font(self, line: Line, style: Style) -> QFont:
        if line.kind in _EMPTY or (line.kind is Kind.TABLE and line.level < 0):
            return ui_font(1)
        size = BODY_PX
        weight = QFont.Weight.DemiBold if style.bold or line.kind is Kind.HEADING else QFont.Weight.Normal
        if line.kind is Kind.HEADING:
            size = _HEADING_PX.get(line.level, BODY_PX)
        elif line.kind in {Kind.CODE_HEAD, Kind.FOOTER} or (line.kind is Kind.TABLE and line.level):
            size = SMALL_PX
        if line.kind is Kind.TABLE and line.level:
            weight = QFont.Weight.DemiBold
        mono = line.kind is Kind.CODE or style.code
        font = mono_font(CODE_PX if line.kind is Kind.CODE else size - 2, weight) if mono else ui_font(size, weight)
        font.setItalic(style.italic)
        font.setStrikeOut(style.strike)
        return font

    def _colour(self, line: Line, style: Style) -> str:
        theme = self.theme
        if style.token:
            return theme.syntax.get(style.token, theme.text)
        if line.kind is Kind.ERROR and not style.href:
            return theme.danger
        if line.kind is Kind.CODE_HEAD or (line.kind is Kind.FOOTER and not style.href):
            return theme.muted
        if line.kind is Kind.TABLE and line.level and not style.href:
            return theme.muted
        return theme.accent if style.href else theme.text


def _prose(percent: int) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(percent, _PERCENT)
    return made


def _fixed(height: float) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(height, _FIXED)
    return made
