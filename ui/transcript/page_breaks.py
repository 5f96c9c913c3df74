"""Page breaks of a chat on paper. Qt keeps lines whole; these breaks keep together what would look torn.

- A card, a bubble and a bar begin on the page of their first line.
- A heading, the head of a card and a question stand on one page with the line that follows them.
- The foot of a card stands on one page with the last line of its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextFormat

from ui.markdown.lines import REASONING, LineKind
from ui.transcript.block_lines import kind_of
from ui.transcript.properties import TextProperty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QTextDocument

_HEADS: Final = {LineKind.BUBBLE, LineKind.CODE_HEAD, LineKind.TOOL}
_FRAMED: Final = {*_HEADS, LineKind.ERROR}
_BARRED: Final = {LineKind.TEXT, LineKind.HEADING, LineKind.MATH}
"""Lines that have a bar beside them in a quote and in reasoning."""
_KEPT: Final = {*_HEADS, LineKind.FILES, LineKind.HANDLES, LineKind.HEADING, LineKind.THOUGHT}
"""Lines that stand on one page with the next one."""
_UNSEEN: Final = {"", LineKind.HANDLES, LineKind.TABLE_FOOT}
"""Lines that are only space on paper."""
_TALLEST: Final = 0.5
"""The most of a page that is left empty, so that lines stand together."""


class PageBreaks:
    """The page breaks of one document, whose pages have this height in pixels."""

    def __init__(self, document: QTextDocument, height: float) -> None:
        self._document = document
        self._height = height

    @property
    def count(self) -> int:
        """The number of pages with anything on them."""
        block = self._document.lastBlock()
        while block.previous().isValid() and kind_of(block) in _UNSEEN:
            block = block.previous()
        return self._page(self._rect(block).bottom() - 1) + 1

    def place(self, start: int) -> Iterator[None]:
        """Add the breaks that are needed from the block at this position on, in steps: Qt lays out everything below a
        break again, and a message may have thousands.
        """
        block = self._document.findBlock(start)
        while block.isValid():
            if _is_framed(block) and self._line_top(block) > self._rect(block).top() + 1:
                self._break_before(block)
            block = self._keep_with_next(block)
            yield

    def _keep_with_next(self, block: QTextBlock) -> QTextBlock:
        """Let a block stand with what follows it. Returns the block to look at next."""
        last = block
        while _is_kept(last) and last.next().isValid():
            if self._rect(last).bottom() - self._rect(block).top() > _TALLEST * self._height:
                return block.next()
            last = last.next()
        if last == block or last == self._document.lastBlock():  # which is empty
            return block.next()
        if self._page(self._line_top(block)) == self._page(self._line_top(last)):
            return last
        if not self._is_first_of_page(block):
            self._break_before(block)
        return last

    def _is_first_of_page(self, block: QTextBlock) -> bool:
        above = block.previous()
        return not above.isValid() or self._page(self._rect(above).bottom() - 1) < self._page(self._line_top(block))

    def _break_before(self, block: QTextBlock) -> None:
        broken = QTextBlockFormat()
        broken.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
        QTextCursor(block).mergeBlockFormat(broken)

    def _rect(self, block: QTextBlock) -> QRectF:
        return self._document.documentLayout().blockBoundingRect(block)

    def _line_top(self, block: QTextBlock) -> float:
        top, layout = self._rect(block).top(), block.layout()
        return top + layout.lineAt(0).y() if layout.lineCount() else top

    def _page(self, y: float) -> int:
        return int(y // self._height)


def _is_framed(block: QTextBlock) -> bool:
    """Whether a shape is painted behind or beside a block."""
    nest = block.blockFormat().stringProperty(TextProperty.NEST)
    return kind_of(block) in _FRAMED or (kind_of(block) in _BARRED and (">" in nest or REASONING in nest))


def _is_kept(block: QTextBlock) -> bool:
    """Whether a block stands with the next one."""
    return kind_of(block) in _KEPT or (kind_of(block) == LineKind.CODE and kind_of(block.next()) == LineKind.CODE_FOOT)
