"""Sideways: scrolls the code, tables and formulas of a text view by wheel, trackpad, bar and arrow keys.

A text document cannot scroll a part of itself. So this part paints the text of a wide card on its own, moved and cut to
its room, and moves the mouse's position by as much before Qt sees it. Selection and copy are Qt's. While the mouse that
selects in a card is beside it, the card scrolls that way.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QCursor,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QRegion,
    QTextCharFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextBrowser

from ui.transcript.anchor_focus import AnchorFocus
from ui.transcript.formula_object import FormulaObject
from ui.transcript.selected_text import copied_parts
from ui.transcript.wide_cards import WideCard, WideCards, card_at

_KEY_PX = 48.0
_BAR_ROOM_PX = 12
"""Room under a card for its bar."""
_FADE_PX = 28.0
"""How far a table or a formula that goes on beyond its room fades out."""
_NOWHERE = (-1, -1)
_DRIFT_MS = 30
_DRIFT_SHARE = 0.25
_FASTEST_PX = 40.0
"""A card scrolls by a quarter of the way that the mouse is beside it, and by no more than this, every 30 ms."""
_NOTCH = 120
_NOTCH_PX = 72.0
_ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class Sideways(QObject):
    """The wide cards of one view. `drifted` carries a move of the mouse for Qt, while a card scrolls below it."""

    drifted = Signal(QMouseEvent)

    def __init__(self, page: QTextBrowser, focused: AnchorFocus) -> None:
        super().__init__(page)
        self.formulas = FormulaObject(self)
        self._page = page
        self._focused = focused
        self.wide = WideCards(page.document())
        self._dragged: tuple[WideCard, float] | None = None
        self._selects_in = _NOWHERE
        self._beyond: QMouseEvent | None = None
        self._drift = QTimer(self, interval=_DRIFT_MS)
        self._drift.timeout.connect(self._drift_on)

    def cards(self) -> list[WideCard]:
        """The wide cards in view."""
        return self.wide.cards(QRectF(self._page.viewport().rect().translated(0, self._top)))

    def scroll(self, card: WideCard, offset: float) -> None:
        """Scroll a card sideways."""
        if self.wide.scroll(card, offset):
            self._page.viewport().update()

    def reveal(self, rect: QRectF) -> None:
        """Scroll the card at a rectangle of the document so far that the rectangle is in its room."""
        card = self.wide.beside(rect)
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
        """Where a rectangle of the viewport is painted: its card may be scrolled sideways."""
        card = self.wide.beside(rect.translated(0, self._top))
        return rect.translated(-card.offset if card else 0, 0)

    def paint_text(self, view: QRect, marks: Callable[[QPainter, QRectF], None], bar: QColor) -> None:
        """Paint `marks` and the text over them in a part of the viewport, and bars of this colour under wide cards."""
        top = self._top
        area = QRectF(view.translated(0, top))
        cards = self.wide.cards(area.adjusted(0, -_BAR_ROOM_PX, 0, 0))
        painter = QPainter(self._page.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, -top)
        outside = QRegion(area.toAlignedRect())
        for card in cards:
            outside -= QRegion(self._beside(card))
        painter.setClipRegion(outside)
        self._paint_part(painter, area, marks)
        for card in cards:
            painter.setClipRect(card.room)
            painter.translate(-round(card.offset), 0)
            self._paint_part(painter, card.room.translated(round(card.offset), 0), marks)
            painter.translate(round(card.offset), 0)
            if not card.has_edge:
                self._fade(painter, card)
        painter.setClipping(False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(bar)
        for card in self.cards():
            painter.drawRoundedRect(card.thumb, 2, 2)
        painter.end()

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

    def _beside(self, card: WideCard) -> QRect:
        """The rows of a card, up to the right edge of the page, where its long lines would show."""
        room = card.room.toAlignedRect()
        return room.adjusted(0, 0, self._page.width(), 0)

    def _paint_part(self, painter: QPainter, part: QRectF, marks: Callable[[QPainter, QRectF], None]) -> None:
        marks(painter, part)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self._page.palette()
        context.clip = part
        if self._page.textCursor().hasSelection():
            context.selections = self._selections(part)
        self._page.document().documentLayout().draw(painter, context)
        cursor = self._page.textCursor()
        selected = range(cursor.selectionStart(), cursor.selectionEnd())
        self.formulas.paint_selected(painter, selected.__contains__)

    def _selections(self, part: QRectF) -> list[QAbstractTextDocumentLayout.Selection]:
        top = self._page.document().documentLayout().hitTest(part.topLeft(), Qt.HitTestAccuracy.FuzzyHit)
        form, made = self._selection_format(), []
        for cursor in copied_parts(self._page.textCursor(), self._page.document().findBlock(top), part.bottom()):
            selection = QAbstractTextDocumentLayout.Selection()
            selection.cursor, selection.format = cursor, form
            made.append(selection)
        return made

    def _selection_format(self) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setBackground(self._page.palette().highlight())
        made.setForeground(self._page.palette().highlightedText())
        return made

    def press(self, event: QMouseEvent) -> bool:
        """Take hold of a bar. Return whether one is there; if not, the press is for the text."""
        place, is_left = self._place(event), event.button() == Qt.MouseButton.LeftButton
        grip = next((card for card in self.cards() if card.thumb.adjusted(0, -3, 0, 3).contains(place)), None)
        if grip is not None and is_left:
            self._dragged = (grip, event.position().x())
            return True
        card = card_at(self.cards(), place) if is_left else None
        self._selects_in = _NOWHERE if card is None else card.key
        return False

    def drag(self, event: QMouseEvent) -> bool:
        """Drag a bar, if one is held."""
        if self._dragged is not None:
            card, start = self._dragged
            self.scroll(card, card.offset + (event.position().x() - start) * card.per_pixel)
        return self._dragged is not None

    def release(self) -> bool:
        """End the drag of a bar, if one is held."""
        was_held, self._dragged = self._dragged is not None, None
        self._selects_in = _NOWHERE
        self._drift.stop()
        return was_held

    def turn(self, event: QWheelEvent) -> bool:
        """Scroll the card under the mouse, if the wheel turns sideways."""
        card, by = card_at(self.cards(), self._place(event)), _sideways(event)
        if card is not None and by:
            self.scroll(card, card.offset + by)
        return card is not None and bool(by)

    def step(self, event: QKeyEvent) -> bool:
        """Scroll a card with an arrow key."""
        step = _ARROWS.get(Qt.Key(event.key()), 0)
        cards = self.cards() if step and event.modifiers() == Qt.KeyboardModifier.NoModifier else []
        if cards:
            card = self._card_for_keys(cards)
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
        self.drifted.emit(self.shifted(_moved(self._beyond, -by)))

    def _card_for_keys(self, cards: list[WideCard]) -> WideCard:
        """The card at or below the anchor with the focus, so that the tab key reaches each; else the one under the
        mouse, else the first in view.
        """
        top = self._focused.rect().top() if self._focused.href else inf
        mouse = QPointF(self._page.viewport().mapFromGlobal(QCursor.pos())) + QPointF(0, self._top)
        below = next((card for card in cards if card.room.bottom() > top), None)
        return below or card_at(cards, mouse) or cards[0]


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
