"""The blocks of a document: what the transcript notes in their formats, and of what they consist: fragments in one
format, and lines.

A block may have very many lines, as a question is one block. They are found by bisection.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, cast

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextDocument, QTextFormat, QTextFragment, QTextLine

_BEYOND: Final = 40.0
"""Shapes reach a little beyond their line."""
_LONG_LINE: Final = 1_000
"""Characters. To find one in a line, Qt measures all that are before it."""


_FIRST = QTextFormat.Property.UserProperty.value


class TextProperty(IntEnum):
    """Properties of blocks, tables and text, beside Qt's own. Each has a number of its own."""

    KIND = _FIRST + 1
    """Of every block: the kind of its line."""
    NEST = _FIRST + 2
    """Of every block: what its line is nested in."""
    EDITED = _FIRST + 3
    """Set on the bubble of a question that the user is editing."""
    MIRRORED = _FIRST + 4
    """Set if the line is nested at its right side, and on a table, and its cells, whose columns run from right to
    left.
    """
    ROW = _FIRST + 5
    """Of each block inside a table: the number of its row."""
    ROOM = _FIRST + 6
    """Of a table: the width of the column that it is in. A wider table is scrolled."""
    PILL = _FIRST + 7
    """Of inline code and keys. The backdrop paints a pill behind it; a key (2) has an edge."""
    BESIDE = _FIRST + 8
    """Of the room at both sides of inline code, which is no part of the text."""
    CHIP = _FIRST + 9
    """Of the text of a file chip: the number of its chip."""
    CHIP_ICON = _FIRST + 10
    """Of the same text: the name of the icon of its chip."""
    SOURCE = _FIRST + 11
    """Of text that is copied as another text: the TeX of a formula, or the source of an image."""
    FORMULA_INLINE = _FIRST + 12
    FORMULA_SCALE = _FIRST + 13
    IMAGE = _FIRST + 14
    """Of an image: its address."""
    PICTURE_WIDTH = _FIRST + 15
    PICTURE_HEIGHT = _FIRST + 16
    """Of an image or a formula: the room that Qt reserves."""


def blocks_in(document: QTextDocument, view: QRectF) -> Iterator[QTextBlock]:
    """The blocks that are in `view`, which is in the document's coordinates."""
    layout = document.documentLayout()
    block = document.findBlock(layout.hitTest(view.topLeft(), Qt.HitTestAccuracy.FuzzyHit))
    while block.isValid() and layout.blockBoundingRect(block).top() < view.bottom():
        yield block
        block = block.next()


def blocks_from(document: QTextDocument, start: int, end: int) -> Iterator[QTextBlock]:
    """The blocks from one position of the document to another one."""
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        yield block
        block = block.next()


def kind_of(block: QTextBlock) -> str:
    """The kind of a block's line; "" at the end of the document."""
    return block.blockFormat().stringProperty(TextProperty.KIND)


def fragments_of(block: QTextBlock) -> Iterator[QTextFragment]:
    """The parts of a block's text that have one format each."""
    iterator = block.begin()
    while not iterator.atEnd():
        yield iterator.fragment()
        iterator += 1


def x_of(line: QTextLine, position: int) -> float:
    """Where a position of a block is in its line."""
    return cast("tuple[float, int]", line.cursorToX(position))[0]  # the stub only promises an object


def seen(document: QTextDocument, block: QTextBlock, view: QRectF) -> range:
    """The positions of the document whose lines are in `view`, which is in its coordinates. Of a long line in a card
    that scrolls sideways, only those between the edges: the order of its text is taken to be that of its letters.
    """
    layout, start = block.layout(), block.position()
    corner = document.documentLayout().blockBoundingRect(block).topLeft()
    left, top = corner.x(), corner.y()
    numbers = range(layout.lineCount())
    first = bisect_left(numbers, view.top() - _BEYOND - top, key=lambda at: layout.lineAt(at).rect().bottom())
    last = bisect_right(numbers, view.bottom() + _BEYOND - top, key=lambda at: layout.lineAt(at).y()) - 1
    if last < first:
        return range(0)
    end = layout.lineAt(last)
    if first == last and end.textLength() > _LONG_LINE:
        one, other = (end.xToCursor(x - left) for x in (view.left() - _BEYOND, view.right() + _BEYOND))
        return range(start + min(one, other), start + max(one, other))
    return range(start + layout.lineAt(first).textStart(), start + end.textStart() + end.textLength())


def parts(block: QTextBlock, start: int, end: int) -> Iterator[tuple[QTextLine, int, int]]:
    """The lines on which a part of the block's text is, each with where its piece of that begins and ends."""
    layout = block.layout()
    first = layout.lineForTextPosition(start).lineNumber() if layout.lineCount() else 0
    for number in range(first, layout.lineCount()):
        line = layout.lineAt(number)
        if line.textStart() >= end:
            break
        left, right = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if left < right:
            yield line, left, right
