"""Sideways: scrolls the code, tables and formulas of a text view by wheel, trackpad, bar and arrow keys.

A text document cannot scroll a part of itself. So this part paints the text of a wide card on its own, moved and cut to
its room, and moves the mouse's position by as much before Qt sees it. Selection and copy are Qt's. While the mouse that
selects in a card is beside it, the card scrolls that way.

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
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QCursor,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QRegion,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextBrowser

from ui.markdown.lines import LineKind
from ui.transcript.block_formats import CODE_SIDE_PX, GUTTER_PX
from ui.transcript.blocks import TextProperty, kind_of
from ui.transcript.document_writer import NO_CARD
from ui.transcript.formulas import FormulaObject
from ui.transcript.selected_text import copied_parts
from ui.widgets.shapes import draw_shape

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

_KEY_PX = 48.0
_BAR_ROOM_PX = 12
"""Room under a card for its bar."""
_FADE_PX = 28.0
"""How far a table or a formula that goes on beyond its room fades out."""
_WITH_FORMULAS = {LineKind.MATH, LineKind.TEXT, LineKind.HEADING}
_INSET = 6.0
_BAR_PX = 4.0
_SHORTEST_PX = 36.0
_BELOW = 4.5
_ABOVE_FLOOR = 5.0
_NOWHERE = (-1, -1)
_DRIFT_MS = 30
_DRIFT_SHARE = 0.25
_FASTEST_PX = 40.0
"""A card scrolls by a quarter of the way that the mouse is beside it, and by no more than this, every 30 ms."""
_NOTCH = 120
_NOTCH_PX = 72.0
_ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


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


class Sideways:
    """The wide cards of one transcript. It paints the text."""

    def __init__(self, page: Transcript) -> None:
        self.formulas = FormulaObject(page)
        self._page = page
        self._offsets: dict[tuple[int, int], float] = {}
        self._widths: dict[int, float] = {}
        self._column = 0
        self._dragged: tuple[WideCard, float] | None = None
        self._selects_in = _NOWHERE
        self._beyond: QMouseEvent | None = None
        self._drift = QTimer(page, interval=_DRIFT_MS)
        self._drift.timeout.connect(self._drift_on)

    def begin(self, column: int) -> None:
        """The document is written anew for a column of this width: nothing is scrolled any more."""
        self._column = column
        self._offsets.clear()
        self._widths.clear()

    def cards(self) -> list[WideCard]:
        """The wide cards in view."""
        return self._cards(QRectF(self._page.viewport().rect().translated(0, self._top)))

    def _cards(self, view: QRectF) -> list[WideCard]:
        """The wide cards in view, from top to bottom."""
        found: dict[tuple[int, int], WideCard] = {}
        for part in self._parts(view):
            before = found.get(part.key, part)
            found[part.key] = part._replace(room=before.room.united(part.room), floor=view.bottom())
        return [self._with_offset(card) for card in found.values() if card.most > 1]

    def _card_beside(self, rect: QRectF) -> WideCard | None:
        """The wide card at the height of a rectangle."""
        height = rect.center().y()
        return next((card for card in self._cards(rect) if card.room.top() <= height <= card.room.bottom()), None)

    def _with_offset(self, card: WideCard) -> WideCard:
        """The card with its offset. That of a mirrored table is remembered from its right edge."""
        offset = min(self._offsets.get(card.key, 0.0), card.most)
        return card._replace(offset=card.most - offset if card.is_mirrored else offset)

    def _parts(self, view: QRectF) -> Iterator[WideCard]:
        """The lines of code, the rows of tables, and the wide rows of text in view."""
        layout = self._page.document().documentLayout()
        block = self._page.document().findBlock(layout.hitTest(view.topLeft(), Qt.HitTestAccuracy.FuzzyHit))
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
        rect = self._page.document().documentLayout().blockBoundingRect(block)
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
        top = self._page.document().documentLayout().blockBoundingRect(block).top()
        for number in range(layout.lineCount()):
            text = layout.lineAt(number).naturalTextRect()
            if text.width() > width:
                room = QRectF(left, top + text.top(), width, text.height())
                yield WideCard((block.userState(), number), room, text.width())

    def scroll(self, card: WideCard, offset: float) -> None:
        """Scroll a card sideways."""
        offset = min(max(0.0, offset), card.most)
        self._offsets[card.key] = card.most - offset if card.is_mirrored else offset
        if self._with_offset(card).offset != card.offset:
            self._page.viewport().update()

    def reveal(self, rect: QRectF) -> None:
        """Scroll the card at a rectangle of the document so far that the rectangle is in its room."""
        card = self._card_beside(rect)
        if card is None:
            return
        first, last = rect.right() - card.room.right() + _FADE_PX, rect.left() - card.room.left() - _FADE_PX
        if not first <= card.offset <= last:
            self.scroll(card, last if card.offset > last else min(first, last))

    def shift_at(self, point: QPoint) -> int:
        """How far the text at a point of the viewport is scrolled sideways."""
        place = QPointF(point) + QPointF(0, self._top)
        card = next((card for card in self.cards() if card.room.contains(place)), None)
        return round(card.offset) if card else 0

    def scrolled(self, rect: QRectF) -> QRectF:
        """Where a rectangle of the document is painted: its card may be scrolled sideways."""
        card = self._card_beside(rect)
        return rect.translated(-card.offset if card else 0, 0)

    def paint_text(self, painter: QPainter, area: QRectF) -> None:
        """Paint the text in a part of the document, with what moves with it, and bars under wide cards."""
        cards = self._cards(area.adjusted(0, -_BAR_ROOM_PX, 0, 0))
        outside = QRegion(area.toAlignedRect())
        for card in cards:
            # Its long lines would show up to the right edge of the page.
            outside -= QRegion(card.room.toAlignedRect().adjusted(0, 0, self._page.width(), 0))
        painter.setClipRegion(outside)
        self._paint_part(painter, area)
        for card in cards:
            painter.setClipRect(card.room)
            painter.translate(-round(card.offset), 0)
            self._paint_part(painter, card.room.translated(round(card.offset), 0))
            painter.translate(round(card.offset), 0)
            if not card.has_edge:
                self._fade(painter, card)
        painter.setClipping(False)
        for card in self.cards():
            ground = self._page.look.theme.code_surface if card.has_edge else self._page.look.theme.page
            draw_shape(painter, card.thumb.adjusted(-2, -2, 2, 2), 4, ground)
            draw_shape(painter, card.thumb, 2, self._page.look.theme.edge)

    def _fade(self, painter: QPainter, card: WideCard) -> None:
        """Let a card without an edge fade into the page at each side where it goes on."""
        page = self._page.palette().base().color()
        clear = QColor(page)
        clear.setAlpha(0)
        room = card.room
        sides = ((card.offset, room.left(), 1), (card.most - card.offset, room.right(), -1))
        for beyond, edge, inwards in sides:
            inner = edge + inwards * min(_FADE_PX, beyond)
            if beyond > 1:
                shades = QLinearGradient(edge, 0, inner, 0)
                shades.setColorAt(0, page)
                shades.setColorAt(1, clear)
                painter.fillRect(QRectF(QPointF(edge, room.top()), QPointF(inner, room.bottom())).normalized(), shades)

    def _paint_part(self, painter: QPainter, part: QRectF) -> None:
        look = self._page.look
        look.backdrop.paint_with_text(painter, part)
        self._page.find_marks.paint(painter, part, look.theme)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self._page.palette()
        context.clip = part
        cursor = self._page.textCursor()
        if cursor.hasSelection():
            context.selections = self._selections(cursor, part)
        self._page.document().documentLayout().draw(painter, context)
        self.formulas.paint_selected(painter, range(cursor.selectionStart(), cursor.selectionEnd()))

    def _selections(self, cursor: QTextCursor, part: QRectF) -> list[QAbstractTextDocumentLayout.Selection]:
        document, palette = self._page.document(), self._page.palette()
        top = document.documentLayout().hitTest(part.topLeft(), Qt.HitTestAccuracy.FuzzyHit)
        form, made = QTextCharFormat(), []
        form.setBackground(palette.highlight())
        form.setForeground(palette.highlightedText())
        for stretch in copied_parts(cursor, document.findBlock(top), part.bottom()):
            selection = QAbstractTextDocumentLayout.Selection()
            selection.cursor, selection.format = stretch, form
            made.append(selection)
        return made

    def press(self, event: QMouseEvent) -> bool:
        """Take hold of a bar. Return whether one is there; if not, the press is for the text."""
        place, is_left = self._place(event), event.button() == Qt.MouseButton.LeftButton
        grip = next((card for card in self.cards() if card.thumb.adjusted(0, -3, 0, 3).contains(place)), None)
        if grip is not None and is_left:
            self._dragged = (grip, event.position().x())
            return True
        card = self._card_at(place) if is_left else None
        self._selects_in = _NOWHERE if card is None else card.key
        return False

    def drag(self, event: QMouseEvent) -> bool:
        """Drag a bar, if one is held."""
        if self._dragged is not None:
            card, start = self._dragged
            per_pixel = card.most / max(1.0, card.room.width() - 2 * _INSET - card.thumb.width())  # of the thumb
            self.scroll(card, card.offset + (event.position().x() - start) * per_pixel)
        return self._dragged is not None

    def release(self) -> bool:
        """End the drag of a bar, if one is held."""
        was_held, self._dragged = self._dragged is not None, None
        self._selects_in = _NOWHERE
        self._drift.stop()
        return was_held

    def turn(self, event: QWheelEvent) -> bool:
        """Scroll the card under the mouse, if the wheel turns sideways."""
        card, by = self._card_at(self._place(event)), _sideways(event)
        if card is not None and by:
            self.scroll(card, card.offset + by)
        return card is not None and bool(by)

    def step(self, event: QKeyEvent) -> bool:
        """Scroll a card with an arrow key."""
        step = _ARROWS.get(Qt.Key(event.key()), 0)
        cards = self.cards() if step and event.modifiers() == Qt.KeyboardModifier.NoModifier else []
        if cards:
            # The card at or below the anchor with the focus, so that the tab key reaches each; else the one under the
            # mouse, else the first in view.
            top = self._page.focused.rect().top() if self._page.focused.href else inf
            mouse = QPointF(self._page.viewport().mapFromGlobal(QCursor.pos())) + QPointF(0, self._top)
            below = next((card for card in cards if card.room.bottom() > top), None)
            card = below or self._card_at(mouse) or cards[0]
            self.scroll(card, card.offset + step * _KEY_PX)
        return bool(cards)

    @property
    def _top(self) -> int:
        return self._page.verticalScrollBar().value()

    def _place(self, event: QMouseEvent | QWheelEvent) -> QPointF:
        """Where the mouse is, in the document's coordinates."""
        return event.position() + QPointF(0, self._top)

    def shifted(self, event: QMouseEvent) -> QMouseEvent:
        """The event at its place in the text."""
        shift = self.shift_at(event.position().toPoint())
        return _moved(event, shift) if shift else event

    def inside(self, event: QMouseEvent) -> QMouseEvent:
        """While the mouse selects in a card, let the selection end at the edge of the card, and scroll the card as long
        as the mouse is beyond that edge.
        """
        card = self._selected_card()
        by = 0.0 if card is None else _beside(card.room, event.position().x())
        self._beyond = _moved(event, 0) if by else None  # a copy: the event itself is gone when this returns
        if not by:
            self._drift.stop()
            return event
        if not self._drift.isActive():
            self._drift.start()
        return _moved(event, -by)

    def _card_at(self, place: QPointF) -> WideCard | None:
        """The card whose text or bar is at a place."""
        reach = _BELOW + 2 * _BAR_PX
        return next((card for card in self.cards() if card.room.adjusted(0, 0, 0, reach).contains(place)), None)

    def _selected_card(self) -> WideCard | None:
        """The card that the mouse selects in."""
        return next((card for card in self.cards() if card.key == self._selects_in), None)

    def _drift_on(self) -> None:
        card = self._selected_card()
        if card is None or self._beyond is None:
            self._drift.stop()
            return
        by = _beside(card.room, self._beyond.position().x())
        self.scroll(card, card.offset + max(-_FASTEST_PX, min(_FASTEST_PX, by * _DRIFT_SHARE)))
        QTextBrowser.mouseMoveEvent(self._page, self.shifted(_moved(self._beyond, -by)))


def _beside(room: QRectF, x: float) -> float:
    """How far a place is beyond the right edge of a room, or, below zero, beyond its left one."""
    return max(0.0, x - room.right() + 1) or min(0.0, x - room.left())


def _moved(event: QMouseEvent, by: float) -> QMouseEvent:
    """The same event, further to the right."""
    place, glob = event.position() + QPointF(by, 0), event.globalPosition()
    button, buttons, keys, device = event.button(), event.buttons(), event.modifiers(), event.pointingDevice()
    return QMouseEvent(event.type(), place, glob, button, buttons, keys, device)


def _sideways(event: QWheelEvent) -> float:
    """How far a turn of the wheel goes to the right, in pixels, or 0 if it goes up or down."""
    pixels, angle = event.pixelDelta(), event.angleDelta()
    if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not angle.x():
        return -angle.y() * _NOTCH_PX / _NOTCH
    if abs(angle.x()) <= abs(angle.y()):
        return 0.0
    return -float(pixels.x()) if pixels.x() else -angle.x() * _NOTCH_PX / _NOTCH
