"""Code whose lines are wider than the column: where it is, and how far each block of code is scrolled sideways.

Invariants:
- Lines of code never wrap. Each block of the document that is a line of code carries the number of its card.
- Only the blocks in view are measured. A card thus grows wider when a longer line comes into view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF, Qt

from ui.markdown.lines import LineKind
from ui.transcript.block_formats import CODE_SIDE_PX, GUTTER_PX, KIND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QTextBlock, QTextDocument

_CODE = LineKind.CODE.value
_INSET = 6.0
_BAR_PX = 4.0
_SHORTEST_PX = 36.0
_BELOW = 4.5


class WideCard(NamedTuple):
    """A block of code in view that is wider than its card, in the document's coordinates.

    `room` is where its text shows, `width` the width of that text, and `offset` how far it is scrolled.
    """

    number: int
    room: QRectF
    width: float
    offset: float

    @property
    def most(self) -> float:
        """The largest offset."""
        return self.width - (self.room.width() - 2 * (CODE_SIDE_PX - _INSET))

    @property
    def thumb(self) -> QRectF:
        """The thin bar under the code that shows its place."""
        track = self.room.adjusted(_INSET, 0, -_INSET, 0)
        length = max(_SHORTEST_PX, track.width() * track.width() / (track.width() + self.most))
        left = track.left() + (track.width() - length) * self.offset / self.most
        return QRectF(left, self.room.bottom() + _BELOW, length, _BAR_PX)

    @property
    def per_pixel(self) -> float:
        """How far the code moves if the thumb moves by a pixel."""
        return self.most / max(1.0, self.room.width() - 2 * _INSET - self.thumb.width())


class WideCode:
    """The blocks of code of one document, for a column of `column` pixels."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._offsets: dict[int, float] = {}
        self._widths: dict[int, float] = {}
        self.column = 0

    def forget(self) -> None:
        """The document is written anew: nothing is scrolled any more."""
        self._offsets.clear()
        self._widths.clear()

    def cards(self, view: QRectF) -> list[WideCard]:
        """The wide cards in view, from top to bottom."""
        rooms: dict[int, QRectF] = {}
        for block in self._visible(view):
            if block.blockFormat().stringProperty(KIND) == _CODE:
                number = block.userState()
                rect = self._document.documentLayout().blockBoundingRect(block)
                left = GUTTER_PX + block.blockFormat().leftMargin() - CODE_SIDE_PX + _INSET
                room = QRectF(left, rect.top(), GUTTER_PX + self.column - _INSET - left, rect.height())
                rooms[number] = rooms[number].united(room) if number in rooms else room
                width = block.layout().lineAt(0).naturalTextWidth() if block.layout().lineCount() else 0.0
                self._widths[number] = max(width, self._widths.get(number, 0.0))
        made = (
            WideCard(number, room, self._widths[number], self._offsets.get(number, 0.0))
            for number, room in rooms.items()
        )
        return [card for card in made if card.most > 1]

    def offset_of(self, block: QTextBlock) -> float:
        """How far the code of a block of the document is scrolled."""
        return self._offsets.get(block.userState(), 0.0)

    def scroll(self, card: WideCard, offset: float) -> bool:
        """Scroll a card. Return whether it moved."""
        before = self._offsets.get(card.number, 0.0)
        self._offsets[card.number] = min(max(0.0, offset), card.most)
        return self._offsets[card.number] != before

    def _visible(self, view: QRectF) -> Iterator[QTextBlock]:
        layout = self._document.documentLayout()
        block = self._document.findBlock(layout.hitTest(view.topLeft(), Qt.HitTestAccuracy.FuzzyHit))
        while block.isValid() and layout.blockBoundingRect(block).top() < view.bottom():
            yield block
            block = block.next()


def card_at(cards: list[WideCard], place: QPointF) -> WideCard | None:
    """The card whose text or bar is at a place."""
    return next((card for card in cards if card.room.adjusted(0, 0, 0, _BELOW + 2 * _BAR_PX).contains(place)), None)
