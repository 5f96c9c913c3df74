"""A text view whose code, tables and formulas scroll sideways: by wheel, trackpad, bar and arrow keys.

A text document cannot scroll a part of itself. So the view paints the text of a wide card on its own, moved and cut to
its room, and moves the mouse's position by as much before Qt sees it. Selection and copy are Qt's. While the mouse that
selects in a card is beside it, the card scrolls that way.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QCursor,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QRegion,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractScrollArea, QTextBrowser

from ui.transcript.anchor_focus import AnchorFocus
from ui.transcript.formula_object import FormulaObject
from ui.transcript.selected_text import copied_parts
from ui.transcript.wide_cards import WideCard, WideCards, card_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

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


class SidewaysPage(QTextBrowser):
    """A read-only text view. Subclasses set `wide.column` and move `focused`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.formula_object = FormulaObject(self)
        self.wide = WideCards(self.document())
        self.focused = AnchorFocus(self)
        self._dragged: tuple[WideCard, float] | None = None
        self._selects_in = _NOWHERE
        self._beyond: QMouseEvent | None = None
        self._drift = QTimer(self, interval=_DRIFT_MS)
        self._drift.timeout.connect(self._drift_on)
        bar = self.horizontalScrollBar()
        bar.rangeChanged.connect(lambda: bar.setRange(0, 0))

    @property
    def is_drifting(self) -> bool:
        """Whether a card scrolls because the mouse that selects in it is beside it."""
        return self._drift.isActive()

    def wide_cards(self) -> list[WideCard]:
        """The wide cards in view."""
        return self.wide.cards(QRectF(self.viewport().rect().translated(0, self.verticalScrollBar().value())))

    def scroll_card(self, card: WideCard, offset: float) -> None:
        """Scroll a card sideways."""
        if self.wide.scroll(card, offset):
            self.viewport().update()

    def reveal_sideways(self, rect: QRectF) -> None:
        """Scroll the card at a rectangle of the document so far that the rectangle is in its room."""
        card = self.wide.beside(rect)
        if card is None:
            return
        first, last = rect.right() - card.room.right() + _FADE_PX, rect.left() - card.room.left() - _FADE_PX
        if not first <= card.offset <= last:
            self.scroll_card(card, last if card.offset > last else min(first, last))

    def shift_at(self, point: QPoint) -> int:
        """How far the text at a point of the viewport is scrolled sideways."""
        place = QPointF(point) + QPointF(0, self.verticalScrollBar().value())
        card = next((card for card in self.wide_cards() if card.room.contains(place)), None)
        return round(card.offset) if card else 0

    def scrolled(self, rect: QRectF) -> QRectF:
        """Where a rectangle of the viewport is painted: its card may be scrolled sideways."""
        card = self.wide.beside(rect.translated(0, self.verticalScrollBar().value()))
        return rect.translated(-card.offset if card else 0, 0)

    def paint_text(self, view: QRect, marks: Callable[[QPainter, QRectF], None], bar: QColor) -> None:
        """Paint `marks` and the text over them in a part of the viewport, and bars of this colour under wide cards."""
        top = self.verticalScrollBar().value()
        area = QRectF(view.translated(0, top))
        cards = self.wide.cards(area.adjusted(0, -_BAR_ROOM_PX, 0, 0))
        painter = QPainter(self.viewport())
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
        for card in self.wide_cards():
            painter.drawRoundedRect(card.thumb, 2, 2)
        painter.end()

    def _fade(self, painter: QPainter, card: WideCard) -> None:
        """Let a card without an edge fade into the page at each side where it goes on."""
        page = self.palette().base().color()
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
        return room.adjusted(0, 0, self.width(), 0)

    def _paint_part(self, painter: QPainter, part: QRectF, marks: Callable[[QPainter, QRectF], None]) -> None:
        marks(painter, part)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self.palette()
        context.clip = part
        if self.textCursor().hasSelection():
            context.selections = self._selections(part)
        self.document().documentLayout().draw(painter, context)
        cursor = self.textCursor()
        selected = range(cursor.selectionStart(), cursor.selectionEnd())
        self.formula_object.paint_selected(painter, selected.__contains__)

    def _selections(self, part: QRectF) -> list[QAbstractTextDocumentLayout.Selection]:
        top = self.document().documentLayout().hitTest(part.topLeft(), Qt.HitTestAccuracy.FuzzyHit)
        form, made = self._selection_format(), []
        for cursor in copied_parts(self.textCursor(), self.document().findBlock(top), part.bottom()):
            selection = QAbstractTextDocumentLayout.Selection()
            selection.cursor, selection.format = cursor, form
            made.append(selection)
        return made

    def _selection_format(self) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setBackground(self.palette().highlight())
        made.setForeground(self.palette().highlightedText())
        return made

    def anchorAt(self, pos: QPoint) -> str:  # noqa: N802 - Qt's name
        """The address at a point of the viewport."""
        return super().anchorAt(pos + QPoint(self.shift_at(pos), 0))

    def cursorForPosition(self, pos: QPoint) -> QTextCursor:  # noqa: N802 - Qt's name
        """The cursor at a point of the viewport."""
        return super().cursorForPosition(pos + QPoint(self.shift_at(pos), 0))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take hold of a bar, or let Qt see the press at its place in the text."""
        place = event.position() + QPointF(0, self.verticalScrollBar().value())
        grip = next((card for card in self.wide_cards() if card.thumb.adjusted(0, -3, 0, 3).contains(place)), None)
        if grip is not None and event.button() == Qt.MouseButton.LeftButton:
            self._dragged = (grip, event.position().x())
            event.accept()
        else:
            card = card_at(self.wide_cards(), place) if event.button() == Qt.MouseButton.LeftButton else None
            self._selects_in = _NOWHERE if card is None else card.key
            super().mousePressEvent(self._shifted(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Drag a bar, or let Qt see the move at its place in the text."""
        if self._dragged is not None:
            card, start = self._dragged
            self.scroll_card(card, card.offset + (event.position().x() - start) * card.per_pixel)
        else:
            super().mouseMoveEvent(self._shifted(self._inside(event)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """End the drag of a bar, or pass the release to Qt at its place in the text. Qt selects an anchor that is
        clicked, which would cover the chip of a file: nothing is selected then.
        """
        self._selects_in = _NOWHERE
        self._drift.stop()
        if self._dragged is not None:
            self._dragged = None
            return
        had_selection = self.textCursor().hasSelection()
        super().mouseReleaseEvent(self._shifted(event))
        if not had_selection:
            self._select_nothing()

    def _select_nothing(self) -> None:
        cursor, bar = self.textCursor(), self.verticalScrollBar()
        value = bar.value()
        cursor.clearSelection()
        self.setTextCursor(cursor)
        bar.setValue(value)  # Qt has scrolled to the cursor

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Let Qt see the click at its place in the text."""
        super().mouseDoubleClickEvent(self._shifted(event))

    def _shifted(self, event: QMouseEvent) -> QMouseEvent:
        shift = self.shift_at(event.position().toPoint())
        return _moved(event, shift) if shift else event

    def _inside(self, event: QMouseEvent) -> QMouseEvent:
        """While the mouse selects in a card, let the selection end at the edge of the card, and scroll the card as long
        as the mouse is beyond that edge.
        """
        card = next((card for card in self.wide_cards() if card.key == self._selects_in), None)
        by = 0.0 if card is None else _beside(card.room, event.position().x())
        self._beyond = _moved(event, 0) if by else None  # a copy: the event itself is gone when this returns
        if not by:
            self._drift.stop()
            return event
        if not self._drift.isActive():
            self._drift.start()
        return _moved(event, -by)

    def _drift_on(self) -> None:
        card = next((card for card in self.wide_cards() if card.key == self._selects_in), None)
        if card is None or self._beyond is None:
            self._drift.stop()
            return
        by = _beside(card.room, self._beyond.position().x())
        self.scroll_card(card, card.offset + max(-_FASTEST_PX, min(_FASTEST_PX, by * _DRIFT_SHARE)))
        super().mouseMoveEvent(self._shifted(_moved(self._beyond, -by)))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll a card sideways, else the page. QTextEdit would zoom the font if the control key is pressed."""
        place = event.position() + QPointF(0, self.verticalScrollBar().value())
        card = card_at(self.wide_cards(), place)
        by = _sideways(event)
        if card is not None and by:
            self.scroll_card(card, card.offset + by)
            event.accept()
        else:
            QAbstractScrollArea.wheelEvent(self, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll a card sideways with the arrow keys."""
        step = _ARROWS.get(Qt.Key(event.key()), 0)
        cards = self.wide_cards() if step and event.modifiers() == Qt.KeyboardModifier.NoModifier else []
        if not cards:
            super().keyPressEvent(event)
            return
        card = self._card_for_keys(cards)
        self.scroll_card(card, card.offset + step * _KEY_PX)

    def _card_for_keys(self, cards: list[WideCard]) -> WideCard:
        """The card at or below the anchor with the focus, so that the tab key reaches each; else the one under the
        mouse, else the first in view.
        """
        top = self.focused.rect().top() if self.focused.href else inf
        mouse = QPointF(self.viewport().mapFromGlobal(QCursor.pos())) + QPointF(0, self.verticalScrollBar().value())
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
