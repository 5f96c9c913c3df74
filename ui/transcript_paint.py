"""What is painted behind and over the transcript's text: cards, bubbles, pills, bars, rules, the streaming caret.

Owns those shapes; where the text stands is the document's. Only blocks that are on the screen are looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPen

from ui.markdown.lines import Kind
from ui.theme import RADIUS_PX
from ui.transcript_blocks import (
    BUBBLE_PAD_PX,
    BUBBLE_SIDE_PX,
    CODE_FOOT_PX,
    CODE_HEAD_PAD_PX,
    GUTTER_PX,
    KIND,
    NEST,
    indent,
)
from ui.transcript_chars import PILL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter, QTextBlock, QTextDocument, QTextFragment, QTextLine

    from ui.transcript_format import Formats

_CARD_RADIUS = 12.0
_ERROR_RADIUS = 10.0
_PILL_RADIUS = 5.0
_HEAD_RULE = 8.5
_BEYOND = 40.0
_PILLED = {Kind.TEXT.value, Kind.HEADING.value, Kind.TABLE.value}


class Backdrop:
    """Paints one document, in its own coordinates."""

    def __init__(self, document: QTextDocument, formats: Formats) -> None:
        self._document = document
        self._formats = formats
        self._theme = formats.theme

    def paint(self, painter: QPainter, view: QRectF) -> None:
        """Paint all that belongs behind the text in `view`."""
        card: QRectF | None = None
        for block in self._visible(view):
            kind = block.blockFormat().stringProperty(KIND)
            rect = self._rect(block)
            if kind == Kind.CODE_HEAD.value:
                card = rect.adjusted(0, -CODE_HEAD_PAD_PX, 0, 0)
            elif kind == Kind.CODE.value:
                card = card or rect.adjusted(0, -_BEYOND, 0, 0)
                card.setBottom(rect.bottom() + _BEYOND)
            elif kind == Kind.CODE_FOOT.value:
                card = card or rect.adjusted(0, -_BEYOND, 0, 0)
                card.setBottom(rect.top() + CODE_FOOT_PX)
                self._card(painter, card)
                card = None
            else:
                self._paint_block(painter, block, kind, rect)
        if card is not None:
            self._card(painter, card)
        self._head_rules(painter, view)

    def caret(self, painter: QPainter, line: QRectF, *, waiting: bool) -> None:
        """The mark where the answer grows, right of `line`; while `waiting` for the first word, three dots."""
        painter.setPen(Qt.PenStyle.NoPen)
        if not waiting:
            painter.setBrush(QColor(self._theme.text))
            painter.drawRoundedRect(QRectF(line.left() + 3.5, line.top() + 0.5, 4.5, 18), 1, 1)
            return
        painter.setBrush(QColor(self._theme.faint))
        for dot in range(3):
            painter.drawEllipse(QPointF(line.left() + 4 + 10 * dot, line.top() + 10), 3, 3)

    def _visible(self, view: QRectF) -> Iterator[QTextBlock]:
        layout = self._document.documentLayout()
        first = self._document.findBlock(layout.hitTest(view.topLeft(), Qt.HitTestAccuracy.FuzzyHit))
        block = first.previous() if first.previous().isValid() else first
        while block.isValid() and layout.blockBoundingRect(block).top() < view.bottom() + _BEYOND:
            yield block
            block = block.next()

    def _rect(self, block: QTextBlock) -> QRectF:
        """The block's height at the column's whole width, from its containers' indent on."""
        rect = self._document.documentLayout().blockBoundingRect(block)
        left = GUTTER_PX + indent(block.blockFormat().stringProperty(NEST))
        return QRectF(left, rect.top(), GUTTER_PX + self._formats.column - left, rect.height())

    def _paint_block(self, painter: QPainter, block: QTextBlock, kind: str, rect: QRectF) -> None:
        if kind == Kind.BUBBLE.value:
            self._bubble(painter, block, rect)
        elif kind == Kind.ERROR.value:
            self._fill(
                painter, rect.adjusted(0, -BUBBLE_PAD_PX, 0, BUBBLE_PAD_PX), self._theme.danger_surface, _ERROR_RADIUS
            )
        elif kind == Kind.RULE.value:
            painter.fillRect(QRectF(rect.left(), rect.center().y(), rect.width(), 1), QColor(self._theme.hairline))
        if kind in _PILLED:
            self._pills(painter, block)
        self._bars(painter, block, rect)

    def _bubble(self, painter: QPainter, block: QTextBlock, rect: QRectF) -> None:
        rect.setLeft(GUTTER_PX + block.blockFormat().leftMargin() - BUBBLE_SIDE_PX)
        self._fill(painter, rect.adjusted(0, -BUBBLE_PAD_PX, 0, BUBBLE_PAD_PX), self._theme.bubble, RADIUS_PX)

    def _card(self, painter: QPainter, rect: QRectF) -> None:
        painter.setPen(QPen(QColor(self._theme.code_border), 1))
        painter.setBrush(QColor(self._theme.code_surface))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _CARD_RADIUS, _CARD_RADIUS)

    def _head_rules(self, painter: QPainter, view: QRectF) -> None:
        for block in self._visible(view):
            if block.blockFormat().stringProperty(KIND) == Kind.CODE_HEAD.value:
                rect = self._rect(block)
                line = QRectF(rect.left() + 1, rect.bottom() + _HEAD_RULE, rect.width() - 2, 1)
                painter.fillRect(line, QColor(self._theme.code_border))

    def _bars(self, painter: QPainter, block: QTextBlock, rect: QRectF) -> None:
        """A bar for each quote that the block stands in, joined to the block above if that stands in it too."""
        nest = block.blockFormat().stringProperty(NEST)
        above = block.previous()
        above_nest = above.blockFormat().stringProperty(NEST) if above.isValid() else ""
        for depth, container in enumerate(nest):
            if container != ">":
                continue
            joined = above_nest.startswith(nest[: depth + 1])
            top = self._rect(above).bottom() if joined else rect.top()
            left = round(GUTTER_PX + indent(nest[:depth]))
            bar = QRect(left, round(top), 3, round(rect.bottom()) - round(top))
            painter.fillRect(bar, QColor(self._theme.hairline))

    def _pills(self, painter: QPainter, block: QTextBlock) -> None:
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            if fragment.charFormat().hasProperty(PILL):
                for rect in self._fragment_rects(block, fragment):
                    self._fill(painter, rect, self._theme.inline_code, _PILL_RADIUS)
            iterator += 1

    def _fragment_rects(self, block: QTextBlock, fragment: QTextFragment) -> Iterator[QRectF]:
        layout = block.layout()
        origin = self._document.documentLayout().blockBoundingRect(block).topLeft()
        start = fragment.position() - block.position()
        end = start + fragment.length()
        metrics = QFontMetricsF(fragment.charFormat().font())
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            left, right = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
            if left < right:
                one, other = _x(line, left), _x(line, right)
                top = origin.y() + line.y() + line.ascent() - metrics.ascent() - 1
                yield QRectF(origin.x() + min(one, other) - 2.5, top, abs(other - one) + 5, metrics.height() + 2)

    def _fill(self, painter: QPainter, rect: QRectF, colour: str, radius: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(rect, radius, radius)


def _x(line: QTextLine, position: int) -> float:
    return cast("tuple[float, int]", line.cursorToX(position))[0]  # the stub only promises an object
