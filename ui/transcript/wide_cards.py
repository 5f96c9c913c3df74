"""Code, tables and formulas that are wider than the column: where they are, and how far each is scrolled sideways.

Invariants:
- Lines of code never wrap, and a table or a formula may be wider than the column. Each block of the document that is a
  line of code, a cell, or a line with formulas carries the number of its card.
- Of a paragraph, only the row with a wide formula scrolls.
- Only what is in view is measured. Code thus gets wider when a longer line comes into view.
- A table whose columns run from right to left begins at its right edge. A wide formula begins at its left edge, also
  if its line is centred or runs from right to left: Qt aligns only what fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from ui.markdown.lines import LineKind
from ui.transcript.block_formats import CODE_SIDE_PX, GUTTER_PX
from ui.transcript.block_lines import kind_of
from ui.transcript.properties import TextProperty

NO_CARD = -1
"""The state of a block without the number of a card, as Qt says it."""

_WITH_FORMULAS = {LineKind.MATH, LineKind.TEXT, LineKind.HEADING}
_INSET = 6.0
_BAR_PX = 4.0
_SHORTEST_PX = 36.0
_BELOW = 4.5
_ABOVE_FLOOR = 5.0


class WideCard(NamedTuple):
    """A block of code, a table or a formula in view that is wider than its room, in the document's coordinates.

    `key` is the number of its card, and of the row in a paragraph. `room` is where its text shows, `width` the width of
    that text, and `offset` how far it is scrolled. Only code `has_edge`; the others fade out at the sides of their
    room. `floor` is the lower edge of the view.
    """

    key: tuple[int, int]
    room: QRectF
    width: float
    offset: float = 0.0
    has_edge: bool = False
    is_mirrored: bool = False
    floor: float = inf

    @property
    def floats(self) -> bool:
        """Whether the bar stands over the text, at the lower edge of the view, because the end is out of view."""
        return self.room.bottom() + _BELOW > self.floor - _BAR_PX - _ABOVE_FLOOR

    @property
    def most(self) -> float:
        """The largest offset."""
        return self.width - self.room.width() + (2 * (CODE_SIDE_PX - _INSET) if self.has_edge else 0)

    @property
    def thumb(self) -> QRectF:
        """The thin bar under the card that shows its place, or at the lower edge of the view."""
        inset = _INSET if self.has_edge else 0.0
        track = self.room.adjusted(inset, 0, -inset, 0)
        length = max(_SHORTEST_PX, track.width() * track.width() / (track.width() + self.most))
        left = track.left() + (track.width() - length) * self.offset / self.most
        top = self.floor - _BAR_PX - _ABOVE_FLOOR if self.floats else self.room.bottom() + _BELOW
        return QRectF(left, top, length, _BAR_PX)

    @property
    def per_pixel(self) -> float:
        """How far the text moves if the thumb moves by a pixel."""
        return self.most / max(1.0, self.room.width() - 2 * _INSET - self.thumb.width())


class WideCards:
    """The wide cards of one document."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._offsets: dict[tuple[int, int], float] = {}
        self._widths: dict[int, float] = {}
        self._column = 0

    def begin(self, column: int) -> None:
        """The document is written anew for a column of this width: nothing is scrolled any more."""
        self._column = column
        self._offsets.clear()
        self._widths.clear()

    def cards(self, view: QRectF) -> list[WideCard]:
        """The wide cards in view, from top to bottom."""
        found: dict[tuple[int, int], WideCard] = {}
        for part in self._parts(view):
            before = found.get(part.key, part)
            found[part.key] = part._replace(room=before.room.united(part.room), floor=view.bottom())
        return [self._scrolled(card) for card in found.values() if card.most > 1]

    def beside(self, rect: QRectF) -> WideCard | None:
        """The wide card at the height of a rectangle."""
        height = rect.center().y()
        return next((card for card in self.cards(rect) if card.room.top() <= height <= card.room.bottom()), None)

    def scroll(self, card: WideCard, offset: float) -> bool:
        """Scroll a card. Return whether it moved."""
        offset = min(max(0.0, offset), card.most)
        self._offsets[card.key] = card.most - offset if card.is_mirrored else offset
        return self._scrolled(card).offset != card.offset

    def _scrolled(self, card: WideCard) -> WideCard:
        """The card with its offset. That of a mirrored table is remembered from its right edge."""
        offset = min(self._offsets.get(card.key, 0.0), card.most)
        return card._replace(offset=card.most - offset if card.is_mirrored else offset)

    def _parts(self, view: QRectF) -> Iterator[WideCard]:
        """The lines of code, the rows of tables, and the wide rows of text in view."""
        layout = self._document.documentLayout()
        block = self._document.findBlock(layout.hitTest(view.topLeft(), Qt.HitTestAccuracy.FuzzyHit))
        while block.isValid() and layout.blockBoundingRect(block).top() < view.bottom():
            kind = kind_of(block)
            table = QTextCursor(block).currentTable() if kind == LineKind.TABLE else None
            if kind == LineKind.CODE:
                yield self._code(block)
            elif table is not None:
                form, rect = table.format().toTableFormat(), layout.frameBoundingRect(table)
                room = QRectF(
                    GUTTER_PX + form.leftMargin(), rect.top(), form.doubleProperty(TextProperty.ROOM), rect.height()
                )
                width, is_mirrored = form.width().rawValue(), bool(form.intProperty(TextProperty.MIRRORED))
                yield WideCard((block.userState(), 0), room, width, is_mirrored=is_mirrored)
                block = table.lastCursorPosition().block()
            elif kind in _WITH_FORMULAS and block.userState() != NO_CARD:
                yield from self._wide_rows(block)
            block = block.next()

    def _code(self, block: QTextBlock) -> WideCard:
        number = block.userState()
        rect = self._document.documentLayout().blockBoundingRect(block)
        left = GUTTER_PX + block.blockFormat().leftMargin() - CODE_SIDE_PX + _INSET
        width = block.layout().lineAt(0).naturalTextWidth() if block.layout().lineCount() else 0.0
        self._widths[number] = max(width, self._widths.get(number, 0.0))
        room = QRectF(left, rect.top(), GUTTER_PX + self._column - _INSET - left, rect.height())
        return WideCard((number, 0), room, self._widths[number], has_edge=True)

    def _wide_rows(self, block: QTextBlock) -> Iterator[WideCard]:
        """The rows of a paragraph or a display formula that are wider than their room."""
        form, layout = block.blockFormat(), block.layout()
        left = GUTTER_PX + form.leftMargin()
        width = GUTTER_PX + self._column - form.rightMargin() - left
        top = self._document.documentLayout().blockBoundingRect(block).top()
        for number in range(layout.lineCount()):
            text = layout.lineAt(number).naturalTextRect()
            if text.width() > width:
                room = QRectF(left, top + text.top(), width, text.height())
                yield WideCard((block.userState(), number), room, text.width())


def card_at(cards: list[WideCard], place: QPointF) -> WideCard | None:
    """The card whose text or bar is at a place."""
    return next((card for card in cards if card.room.adjusted(0, 0, 0, _BELOW + 2 * _BAR_PX).contains(place)), None)
