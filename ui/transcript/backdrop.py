"""Paints the shapes behind and over the transcript's text: cards, bubbles, pills, bars, rules and the caret.

Only the blocks in view are visited. Their positions come from the layout of the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QTextBlock, QTextDocument, QTextFragment

from ui.markdown.lines import NOTE, REASONING, LineKind
from ui.theme.theme import RADIUS_PX, draw_icon
from ui.transcript.block_formats import (
    BUBBLE_PAD_PX,
    BUBBLE_SIDE_PX,
    CHIP_PAD_PX,
    CHIP_PX,
    CODE_FOOT_PX,
    CODE_HEAD_PAD_PX,
    GUTTER_PX,
    indent,
)
from ui.transcript.blocks import TextProperty, blocks_in, fragments_of, kind_of, parts, seen, x_of
from ui.transcript.formats import ICON_PX, INVISIBLE, KEY, Formats
from ui.widgets.shapes import draw_disc, draw_shape

_CARD_RADIUS = 12.0
_ERROR_RADIUS = 10.0
_PILL_RADIUS = 5.0
_LINK_LINE_PX = 2
_KEY_INSET = 3.0
_CHIP_RADIUS = 9.0
_POINTED_RADIUS = 6.0
_POINTED_PAD = 3.0
_ICON_INSET = 2.5
_HEAD_RULE = 8.5
_MARK_GAP = 14.0
_BEYOND = 40.0
_PILLED = {LineKind.BUBBLE, LineKind.TEXT, LineKind.HEADING}
_HEADS = {LineKind.CODE_HEAD, LineKind.TOOL}
_HANDLED = {*_HEADS, LineKind.FOOTER, LineKind.HANDLES, LineKind.THOUGHT, LineKind.MARK}
"""Rows with anchors. The anchor under the mouse or with the focus gets a pill."""
_RINGED = _HANDLED | {LineKind.FILES}


@dataclass(slots=True)
class PointedAt:
    """The address under the mouse, the address with the keyboard focus and where it begins and ends, and the number of
    the block nearest to the mouse.
    """

    hovered: str = ""
    focused: str = ""
    span: tuple[int, int] = (0, 0)
    block: int = -1


class Backdrop:
    """Paints one document, in its coordinates."""

    def __init__(self, document: QTextDocument, formats: Formats) -> None:
        self._document = document
        self._formats = formats
        self._theme = formats.theme
        self._pointed_at = PointedAt()

    def paint(self, painter: QPainter, view: QRectF, pointed_at: PointedAt) -> None:
        """Paint everything behind the text in `view`."""
        self._pointed_at = pointed_at
        card: QRectF | None = None
        visible = [(block, kind_of(block)) for block in self._visible(view)]
        for block, kind in visible:
            if kind == LineKind.TABLE and not block.blockFormat().stringProperty(TextProperty.NEST):
                continue
            rect = self._block_rect(block)
            if kind in _HEADS:
                card = rect.adjusted(0, -CODE_HEAD_PAD_PX, 0, 0)
            elif kind == LineKind.CODE:
                card = card or rect.adjusted(0, -_BEYOND, 0, 0)
                card.setBottom(rect.bottom() + _BEYOND)
            elif kind == LineKind.CODE_FOOT:
                card = card or rect.adjusted(0, -_BEYOND, 0, 0)
                card.setBottom(rect.top() + CODE_FOOT_PX)
                draw_shape(painter, _sharp(card), _CARD_RADIUS, self._theme.code_surface, self._theme.code_border)
                card = None
            else:
                self._paint_block(painter, block, kind, rect)
                if kind in _PILLED:
                    self._paint_pills(painter, block, kind, view)
                self._paint_bars(painter, block, rect)
        if card is not None:
            draw_shape(painter, _sharp(card), _CARD_RADIUS, self._theme.code_surface, self._theme.code_border)
        for block, kind in visible:
            if kind in _HANDLED:
                self._paint_handles(painter, block, kind)

    def paint_with_text(self, painter: QPainter, view: QRectF) -> None:
        """Paint what moves with text that is scrolled sideways: the pills of tables, and the line of a focused link."""
        for block in self._visible(view):
            if kind_of(block) == LineKind.TABLE:
                self._paint_pills(painter, block, LineKind.TABLE, view)
        self._paint_link_line(painter)

    def _paint_link_line(self, painter: QPainter) -> None:
        """Paint a line below the letters of the link with the focus. A row with anchors has a ring instead."""
        start, end = self._pointed_at.span
        block = self._document.findBlock(start)
        if start == end or kind_of(block) in _RINGED:
            return
        for fragment in fragments_of(block):
            if start <= fragment.position() < end:
                for rect in self._fragment_rects(block, fragment):
                    line = QRectF(rect.left() + 2.5, round(rect.bottom()) - 1, rect.width() - 5, _LINK_LINE_PX)
                    painter.fillRect(line, QColor(self._theme.accent))

    def paint_caret(self, painter: QPainter, line: QRectF, *, waiting: bool) -> None:
        """Paint the caret at the right of `line`. While `waiting` for the first word, paint three dots instead."""
        if not waiting:
            draw_shape(painter, QRectF(line.left() + 3.5, line.top() + 0.5, 4.5, 18), 1, self._theme.text)
            return
        for dot in range(3):
            draw_disc(painter, QRectF(line.left() + 1 + 10 * dot, line.top() + 7, 6, 6), self._theme.faint)

    def _visible(self, view: QRectF) -> Iterator[QTextBlock]:
        """The blocks whose shapes may be in view: also the one above."""
        for number, block in enumerate(blocks_in(self._document, view.adjusted(0, 0, 0, _BEYOND))):
            if not number and block.previous().isValid():
                yield block.previous()
            yield block

    def _block_rect(self, block: QTextBlock) -> QRectF:
        """The height of the block, from the indent of its containers to the right edge of the column."""
        rect = self._document.documentLayout().blockBoundingRect(block)
        left = GUTTER_PX + indent(block.blockFormat().stringProperty(TextProperty.NEST), self._theme.reading)
        return QRectF(left, rect.top(), GUTTER_PX + self._formats.column - left, rect.height())

    def _paint_block(self, painter: QPainter, block: QTextBlock, kind: str, rect: QRectF) -> None:
        if kind == LineKind.BUBBLE:
            self._paint_bubble(painter, block, rect)
        elif kind == LineKind.ERROR:
            surface = rect.adjusted(0, -BUBBLE_PAD_PX, 0, BUBBLE_PAD_PX)
            draw_shape(painter, surface, _ERROR_RADIUS, self._theme.danger_surface)
        elif kind == LineKind.FILES:
            self._paint_chips(painter, block)
        elif kind == LineKind.MARK:
            self._paint_mark(painter, block, rect)
        elif kind == LineKind.RULE:
            painter.fillRect(QRectF(rect.left(), rect.center().y(), rect.width(), 1), QColor(self._theme.hairline))

    def _paint_bubble(self, painter: QPainter, block: QTextBlock, rect: QRectF) -> None:
        rect.setLeft(GUTTER_PX + block.blockFormat().leftMargin() - BUBBLE_SIDE_PX)
        bubble = rect.adjusted(0, -BUBBLE_PAD_PX, 0, BUBBLE_PAD_PX)
        draw_shape(painter, bubble, RADIUS_PX, self._theme.bubble)
        if block.blockFormat().intProperty(TextProperty.EDITED):
            inner = bubble.adjusted(0.75, 0.75, -0.75, -0.75)
            draw_shape(painter, inner, RADIUS_PX, self._theme.bubble, self._theme.accent, 1.5)

    def _paint_chips(self, painter: QPainter, block: QTextBlock) -> None:
        """Paint a card behind each file, with an icon. In a very narrow column a chip gets one card a line."""
        cards: dict[tuple[str, str, float], QRectF] = {}
        for fragment in fragments_of(block):
            made = fragment.charFormat()
            if made.intProperty(TextProperty.CHIP):
                for rect in self._fragment_rects(block, fragment):
                    key = (made.anchorHref(), made.stringProperty(TextProperty.CHIP_ICON), round(rect.center().y()))
                    cards[key] = rect.united(cards.get(key, rect))
        for (href, icon, _), rect in cards.items():
            edge = self._theme.accent if href == self._pointed_at.focused else self._theme.hairline
            surface = self._theme.field if href == self._pointed_at.hovered else self._theme.raised
            height = self._theme.reading.px(CHIP_PX)
            top = round(rect.center().y() - height / 2)
            card = QRectF(round(rect.left() - CHIP_PAD_PX + 2), top, round(rect.width() + 2 * CHIP_PAD_PX - 4), height)
            draw_shape(painter, _sharp(card), _CHIP_RADIUS, surface, edge)
            side = self._theme.reading.px(ICON_PX)
            corner = QPointF(card.left() + CHIP_PAD_PX, card.center().y() - side / 2)
            draw_icon(painter, icon, self._theme.muted, side, corner)

    def _paint_mark(self, painter: QPainter, block: QTextBlock, rect: QRectF) -> None:
        """Paint a hairline through the column, interrupted by the text."""
        words = block.layout().lineAt(0).naturalTextRect().translated(rect.left(), rect.top())
        for left, right in ((rect.left(), words.left() - _MARK_GAP), (words.right() + _MARK_GAP, rect.right())):
            painter.fillRect(QRectF(left, round(rect.center().y()), right - left, 1), QColor(self._theme.hairline))

    def _paint_handles(self, painter: QPainter, block: QTextBlock, kind: str) -> None:
        if kind in _HEADS:
            rect = self._block_rect(block)
            line = QRectF(rect.left() + 1, rect.bottom() + _HEAD_RULE, rect.width() - 2, 1)
            painter.fillRect(line, QColor(self._theme.code_border))
        # One pill stands behind everything with the same address, and a ring if it has the focus.
        for href in {self._pointed_at.hovered, self._pointed_at.focused} - {""}:
            edge = self._theme.accent if href == self._pointed_at.focused else ""
            if (shape := self.anchor_rect(block, href)) is not None:
                draw_shape(painter, shape, _POINTED_RADIUS, self._theme.field, edge)
        if kind == LineKind.HANDLES:
            # They show while the mouse is over the bubble above or over this row, or the focus is in this row.
            hrefs = {fragment.charFormat().anchorHref() for fragment in fragments_of(block)} - {""}
            if self._pointed_at.block - block.blockNumber() in {-1, 0} or self._pointed_at.focused in hrefs:
                self._paint_icons(painter, block)

    def anchor_rect(self, block: QTextBlock, href: str) -> QRectF | None:
        """The rectangle around the block's fragments with this address. All of them are in one line."""
        fragments = (fragment for fragment in fragments_of(block) if fragment.charFormat().anchorHref() == href)
        rects = [rect for fragment in fragments for rect in self._fragment_rects(block, fragment)]
        if not rects:
            return None
        found = reduce(QRectF.united, rects)
        half = max(found.height(), ICON_PX) / 2 + _POINTED_PAD
        top, left = round(found.center().y() - half), round(found.left() - 2)
        return QRectF(left + 0.5, top + 0.5, round(found.width() + 3), round(2 * half))

    def _paint_icons(self, painter: QPainter, block: QTextBlock) -> None:
        """Paint the icons that are invisible in the document."""
        for fragment in fragments_of(block):
            name, _, colour = fragment.charFormat().toImageFormat().name().partition(" ")
            if colour == INVISIBLE:
                rect = next(self._fragment_rects(block, fragment))
                side = self._theme.reading.px(ICON_PX)
                corner = QPoint(round(rect.left() + _ICON_INSET), round(rect.center().y() - side / 2))
                draw_icon(painter, name, self._theme.muted, side, corner)

    def _paint_bars(self, painter: QPainter, block: QTextBlock, rect: QRectF) -> None:
        """Paint a bar for each quote or reasoning around the block. It joins the bar of the block above, if that has
        one.
        """
        nest = block.blockFormat().stringProperty(TextProperty.NEST)
        if not nest:
            return
        above = block.previous()
        above_nest = above.blockFormat().stringProperty(TextProperty.NEST) if above.isValid() else ""
        for depth, container in enumerate(nest):
            if container in {"-", NOTE}:
                continue
            at_right = container == ">" and bool(block.blockFormat().intProperty(TextProperty.MIRRORED))
            beside = container != ">" or at_right == bool(above.blockFormat().intProperty(TextProperty.MIRRORED))
            joined = beside and above_nest.startswith(nest[: depth + 1])
            top = self._block_rect(above).bottom() if joined else rect.top()
            width = 3 if container == ">" else 2
            left = round(GUTTER_PX + indent(nest[:depth], self._theme.reading))
            if at_right:
                inner = indent(nest[:depth].replace(REASONING, ""), self._theme.reading)
                left = round(GUTTER_PX + self._formats.column - inner) - width
            bar = QRect(left, round(top), width, round(rect.bottom()) - round(top))
            painter.fillRect(bar, QColor(self._theme.hairline))

    def _paint_pills(self, painter: QPainter, block: QTextBlock, kind: str, view: QRectF) -> None:
        """Paint the pills of a block that are in view. A question is one block of any length."""
        surface = self._theme.page if kind == LineKind.BUBBLE else self._theme.inline_code
        shown = seen(self._document, block, view)
        for fragment in fragments_of(block):
            if fragment.position() >= shown.stop:
                break
            pill = fragment.charFormat().intProperty(TextProperty.PILL)
            if not pill or fragment.position() + fragment.length() <= shown.start:
                continue
            for rect in self._fragment_rects(block, fragment):
                if pill == KEY:
                    key = rect.adjusted(_KEY_INSET, 0, -_KEY_INSET, 0)
                    draw_shape(painter, key, _PILL_RADIUS, surface)
                    draw_shape(painter, _sharp(key), _PILL_RADIUS, edge=self._theme.faint)
                else:
                    draw_shape(painter, rect, _PILL_RADIUS, surface)

    def _fragment_rects(self, block: QTextBlock, fragment: QTextFragment) -> Iterator[QRectF]:
        origin = self._document.documentLayout().blockBoundingRect(block).topLeft()
        start = fragment.position() - block.position()
        icon, metrics = fragment.charFormat().toImageFormat(), QFontMetricsF(fragment.charFormat().font())
        for line, left, right in parts(block, start, start + fragment.length()):
            one, other = x_of(line, left), x_of(line, right)
            above, height = line.ascent() - metrics.ascent(), metrics.height()
            if icon.isValid():  # an icon is in the middle of its line
                above, height = (line.height() - icon.height()) / 2, icon.height()
            top = origin.y() + line.y() + above - 1
            yield QRectF(origin.x() + min(one, other) - 2.5, top, abs(other - one) + 5, height + 2)


def _sharp(rect: QRectF) -> QRectF:
    """The rectangle of whole pixels whose edge of one pixel is inside of it and sharp."""
    return rect.adjusted(0.5, 0.5, -0.5, -0.5)
