"""Lines as block formats: margins, line heights, indents and tab stops.

A format also carries the kind and the nesting of its line as properties. The backdrop and the clipboard read them.
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QTextBlockFormat, QTextDocument, QTextOption

from ui.markdown.lines import NOTE, REASONING, Line, LineKind
from ui.markdown.spans import BREAK, OBJECT, Spans
from ui.theme.direction import is_right_to_left
from ui.theme.theme import BODY_PX, CODE_PX, SMALL_PX, Reading, mono_font, ui_font
from ui.transcript.blocks import TextProperty
from ui.transcript.image_loader import image_size

GUTTER_PX = 4
"""Space beside the column for shapes that are a little wider than the text."""
TOP_PX = 34
"""Space above the first message. Qt ignores the top margin of the first block."""
BUBBLE_PAD_PX = 10
BUBBLE_SIDE_PX = 18
CHIP_PAD_PX = 10
CHIP_PX = 30
"""The height of the card of a file."""
CODE_SIDE_PX = 16
CODE_HEAD_PAD_PX = 9.5
CODE_FOOT_PX = 9.0
TABLE_FOOT_PX = 10.0
BLOCK_GAP_PX = 12.0

_ITEM = 26
_BOX_START = 2.0
_INDENTS = {"-": _ITEM, NOTE: _ITEM, ">": 18, REASONING: 16}
_DEEPEST = 10
_TIGHT_GAP = 2.0
_TURN_GAP = 26.0
_BUBBLE_SHARE = 0.76
_HANDLES_PX = 16
_HANDLES_GAP = 2.0
_STEPS_GAP = 20.0
_CHIP_GAP = 8
_CODE_PERCENT = 132
_ERROR_PERCENT = 128
_ERROR_HANG = 26.0
_ABOVE_MATH, _BELOW_MATH = 11.0, 18.0
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_DISTANCE = QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value
_PERCENT = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_FORWARD, _BACKWARD = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
_LEFT, _RIGHT = QTextOption.TabType.LeftTab, QTextOption.TabType.RightTab


def set_margins(document: QTextDocument, top: int, bottom: int = 0) -> None:
    """Leave the gutters free at both sides, and so many pixels above and below the messages."""
    document.setDocumentMargin(0)
    frame = document.rootFrame().frameFormat()
    frame.setLeftMargin(GUTTER_PX)
    frame.setRightMargin(GUTTER_PX)
    frame.setTopMargin(top)
    frame.setBottomMargin(bottom)
    document.rootFrame().setFrameFormat(frame)


def indent(nest: str, reading: Reading) -> float:
    """The left edge of text nested in `nest`, in pixels from the left edge of the column. It grows with the text."""
    return float(sum(reading.px(_INDENTS[container]) for container in nest[:_DEEPEST]))


def is_mirrored(line: Line) -> bool:
    """Whether a nested line starts at the right, because its first letter belongs to a right-to-left script."""
    return bool(line.nest) and is_right_to_left(line.text)


class BlockFormats:
    """Block formats for one column width (pixels, without the gutters). Each format is made once and cached."""

    def __init__(self, column: int, reading: Reading) -> None:
        self._column = column
        self._reading = reading
        self._cache: dict[tuple[LineKind, int, str, str, bool, bool, bool, bool], QTextBlockFormat] = {}
        self._body = QFontMetricsF(ui_font(reading.px(BODY_PX)))
        self._code = QFontMetricsF(mono_font(reading.px(CODE_PX)))
        # Lines at a constant distance: a tall formula in a line adds no space of its own below it.
        self._distance = ceil(self._body.height()) * (reading.line_height - 100) / 100
        self._chip_rise = (reading.px(CHIP_PX) - QFontMetricsF(ui_font(reading.px(SMALL_PX))).height()) / 2

    def end(self) -> QTextBlockFormat:
        """The format of the empty block below the last message."""
        return _lines(38.0, _FIXED)

    def of(self, line: Line) -> QTextBlockFormat:
        """The block format of a line. For a table it is the format of the empty block above it."""
        if line.kind is LineKind.BUBBLE:
            return self._bubble(line)
        is_picture = line.kind is LineKind.MATH and line.has_pictures
        key = (line.kind, line.level, line.nest, line.marker, line.tight, is_mirrored(line), line.mirrored, is_picture)
        if key not in self._cache:
            self._cache[key] = self._make(line)
        return self._cache[key]

    def _make(self, line: Line) -> QTextBlockFormat:  # noqa: C901 - one match has a case for each kind
        match line.kind:
            case LineKind.CODE_FOOT:
                made = _lines(CODE_FOOT_PX, _FIXED, bottom=24)
            case LineKind.RULE:
                made = _lines(9.0, _FIXED, top=10, bottom=22)
            case LineKind.TABLE | LineKind.TABLE_FOOT:  # Qt gives the block above a row no height
                made = _lines(TABLE_FOOT_PX, _FIXED)
            case LineKind.CODE_HEAD | LineKind.TOOL:
                left = indent(line.nest, self._reading) + CODE_SIDE_PX
                made = _lines(100, top=CODE_HEAD_PAD_PX + 8, bottom=22)
                made.setLeftMargin(left)
                made.setTabPositions([QTextOption.Tab(self._column - left - CODE_SIDE_PX, _RIGHT)])
            case LineKind.HANDLES:
                above = 0 if line.tight else BUBBLE_PAD_PX + _HANDLES_GAP
                made = _lines(self._reading.px(_HANDLES_PX), _FIXED, above, _STEPS_GAP if line.level else 0)
                made.setRightMargin(2)
                made.setAlignment(Qt.AlignmentFlag.AlignRight)
            case LineKind.FILES:
                below = 2 * self._chip_rise + self._reading.px(_CHIP_GAP)
                made = _lines(below, _DISTANCE, top=_TURN_GAP + self._chip_rise)
                made.setRightMargin(CHIP_PAD_PX + 1)
                made.setAlignment(Qt.AlignmentFlag.AlignRight)
            case LineKind.MARK:
                made = _lines(100, top=34, bottom=10)
                made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            case LineKind.THOUGHT:
                made = _lines(120, top=_TIGHT_GAP)
            case LineKind.CODE:
                made = _lines(_CODE_PERCENT)
                made.setLeftMargin(indent(line.nest, self._reading) + CODE_SIDE_PX)
                made.setRightMargin(CODE_SIDE_PX)
                made.setNonBreakableLines(True)  # `Sideways` scrolls it
            case LineKind.FOOTER:
                made = _lines(100, top=8, bottom=BLOCK_GAP_PX)
                made.setLayoutDirection(_BACKWARD if line.mirrored else _FORWARD)
            case LineKind.ERROR:
                made = _lines(_ERROR_PERCENT, top=BLOCK_GAP_PX + BUBBLE_PAD_PX, bottom=BLOCK_GAP_PX)
                made.setTextIndent(-_ERROR_HANG)
                made.setTabPositions([QTextOption.Tab(_ERROR_HANG, _LEFT)])
                made.setLeftMargin(14 + _ERROR_HANG)
                made.setRightMargin(14)
            case _:
                made = self._text(line)
        made.setProperty(TextProperty.KIND, line.kind.value)
        made.setProperty(TextProperty.NEST, line.nest)
        return made

    def _text(self, line: Line) -> QTextBlockFormat:
        match line.kind:
            case LineKind.HEADING:
                made = _lines(128, top=22)
                made.setHeadingLevel(line.level)
            case LineKind.MATH:
                made = _lines(100, top=_ABOVE_MATH, bottom=_BELOW_MATH)
                made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
                made.setNonBreakableLines(line.has_pictures)  # `Sideways` scrolls it, with the full stop after it
            case _:
                made = _lines(self._distance, _DISTANCE, _TIGHT_GAP if line.tight else BLOCK_GAP_PX)
        # Lists and quotes are indented on the side where their text starts. The bar of reasoning is always at the left.
        if is_mirrored(line):
            nest = line.nest[:_DEEPEST]
            made.setLeftMargin(indent(REASONING * nest.count(REASONING), self._reading))
            made.setRightMargin(indent(nest.replace(REASONING, ""), self._reading))
            made.setProperty(TextProperty.MIRRORED, 1)
        else:
            made.setLeftMargin(indent(line.nest, self._reading))
        if line.marker:
            self._hang(made, line)
        return made

    def _hang(self, made: QTextBlockFormat, line: Line) -> None:
        """Align the markers of a list at their right edge, so that "9." and "10." line up."""
        width = self._body.horizontalAdvance(line.marker)
        px, item = self._reading.px, self._reading.px(_ITEM)
        number = max(-GUTTER_PX, px(18) - width)
        start = _BOX_START if line.marker[0] == "[" else number if line.marker[0].isdigit() else px(6)
        made.setTextIndent(start - item)
        side = _RIGHT if is_mirrored(line) else _LEFT  # Qt mirrors tab stops in right-to-left text
        made.setTabPositions([QTextOption.Tab(item - start + more, side) for more in (0, 8, 16, 32, 64)])

    def _bubble(self, line: Line) -> QTextBlockFormat:
        widest = self.widest(line)
        width = self._natural_width(line.spans, widest)
        has_image = any(span.style.image for span in line.spans)  # it adds no space of its own below it
        made = _lines(self._distance, _DISTANCE) if has_image else _lines(self._reading.line_height)
        # The line of files ends with the room between two of its rows: below the card, that is its rise and the gap.
        made.setTopMargin(max(0, BUBBLE_PAD_PX - self._chip_rise) if line.tight else BUBBLE_PAD_PX + _TURN_GAP)
        made.setRightMargin(BUBBLE_SIDE_PX)
        made.setLeftMargin(self._column - BUBBLE_SIDE_PX - width)
        made.setProperty(TextProperty.KIND, LineKind.BUBBLE.value)
        made.setProperty(TextProperty.EDITED, line.level)
        return made

    def widest(self, line: Line) -> float:
        """The width that a line can have."""
        if line.kind is LineKind.BUBBLE:
            return self._column * _BUBBLE_SHARE - 2 * BUBBLE_SIDE_PX
        return self._column - indent(line.nest, self._reading)

    def _natural_width(self, spans: Spans, widest: float) -> float:
        width = row = 0.0
        for span in spans:
            metrics = self._code if span.style.code else self._body
            for number, part in enumerate(span.text.split(BREAK)):
                # A part of that many characters never fits, and measuring a very long one is slow.
                advance = widest if len(part) > widest else metrics.horizontalAdvance(part)
                if span.style.image and part == OBJECT:
                    advance = image_size(span.style.image, widest).width()
                row = advance if number else row + advance
                width = max(width, row + 1)
                if width >= widest:
                    return widest
        return width


def _lines(height: float, of: int = _PERCENT, top: float = 0, bottom: float = 0) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(height, of)
    made.setTopMargin(top)
    made.setBottomMargin(bottom)
    return made
