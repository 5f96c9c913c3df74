"""Marks the hits of a search in the transcript. It looks for them in the blocks that are painted, so that the marks are
right while an answer streams, while a message is folded, and in each theme.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextBlock, QTextCursor, QTextDocument

from resources.language.folding import folded
from ui.markdown.lines import LineKind
from ui.markdown.spans import OBJECT, ROOM
from ui.search.matching import Matcher
from ui.theme.theme import Theme
from ui.transcript import utf16
from ui.transcript.blocks import blocks_from, blocks_in, kind_of, parts, seen, x_of
from ui.transcript.selected_text import DECORATION, searched_text

_NOT_SEARCHED = DECORATION | {LineKind.TOOL, LineKind.ERROR}
_NOTHING = Matcher(())
_RADIUS = 3.5
_SIDE = 1.5
_RING_PX = 2.0
_NEAR = 80
"""Hits at most this many characters apart stand together."""
_COMPARED = 30
"""Hits of one message that are compared to find the best one."""

Range = tuple[int, int]
"""Positions of the document, as (start, end)."""


class FindMarks:
    """The hits of one document. `current` is the hit that the user looks at, or None."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self.matcher = _NOTHING
        self.current: Range | None = None

    def clear(self) -> None:
        """Mark nothing."""
        self.matcher, self.current = _NOTHING, None

    def between(self, start: int, end: int) -> list[Range]:
        """The hits between two positions of the document, in order."""
        return [hit for block in blocks_from(self._document, start, end) for hit in self._in_block(block)]

    def _in_block(self, block: QTextBlock) -> Iterator[Range]:
        """The hits in a block. Formulas are searched as TeX, and a hit inside a formula marks all of it."""
        if kind_of(block) in _NOT_SEARCHED:
            return
        if OBJECT in block.text() or ROOM in block.text():
            text, places = searched_text(block)
            for first, last in self.matcher.ranges(text):
                yield places[first], places[last - 1] + 1
            return
        text, start, done = block.text(), block.position(), 0
        for first, last in self.matcher.ranges(text):
            start += utf16.length(text[done:first])
            end = start + utf16.length(text[first:last])
            yield start, end
            start, done = end, last

    def best(self, found: list[Range]) -> int:
        """The place in `found` of the hit that the list of a search shows: the first one that begins a word and is
        followed by most different words of the search. Else 0.
        """
        compared = enumerate(found[:_COMPARED])
        begun = [at for at, (start, _) in compared if not self._document.characterAt(start - 1).isalnum()]
        return max(begun, key=lambda at: self._words_near(found, at), default=0)

    def _words_near(self, found: list[Range], at: int) -> int:
        words: set[str] = set()
        for start, end in found[at:_COMPARED]:
            if start - found[at][0] <= _NEAR:
                cursor = QTextCursor(self._document)
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                words.add(folded(cursor.selectedText()))
        return len(words)

    def paint(self, painter: QPainter, view: QRectF, theme: Theme) -> None:
        """Paint a mark behind each hit in `view`, in the document's coordinates."""
        if not self.matcher.terms:
            return
        painter.setBrush(QColor(theme.found))
        ring = QPen(QColor(theme.found_current), _RING_PX)  # a stronger surface would hide the colours of code
        for block in blocks_in(self._document, view):
            shown = seen(self._document, block, view)
            for hit in self._in_block(block):
                if hit[1] <= shown.start or hit[0] >= shown.stop:
                    continue
                painter.setPen(ring if hit == self.current else QPen(Qt.PenStyle.NoPen))
                for rect in self.rects(block, hit):
                    painter.drawRoundedRect(rect, _RADIUS, _RADIUS)

    def rects(self, block: QTextBlock, hit: Range) -> Iterator[QRectF]:
        """The rectangles of a hit, one for each line of the block that it is on."""
        origin = self._document.documentLayout().blockBoundingRect(block).topLeft()
        start, cursor = block.position(), QTextCursor(block)
        for line, left, right in parts(block, hit[0] - start, hit[1] - start):
            one, other = x_of(line, left), x_of(line, right)
            cursor.setPosition(start + left + 1)  # a cursor has the format of the character before it
            metrics = QFontMetricsF(cursor.charFormat().font())  # as high as the letters and not as the line
            top, height = line.y() + line.ascent() - metrics.ascent() - 0.5, metrics.height() + 1
            yield QRectF(min(one, other) - _SIDE, top, abs(other - one) + 2 * _SIDE, height).translated(origin)

    def rect(self, hit: Range) -> QRectF:
        """The rectangle around a hit, in the document's coordinates."""
        return reduce(QRectF.united, self.rects(self._document.findBlock(hit[0]), hit), QRectF())
