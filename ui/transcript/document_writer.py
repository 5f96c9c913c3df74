"""Writes messages into a text document, and rewrites only the lines that changed.

Invariants:
- The writer is the only one that changes the document.
- A message is a sequence of lines. A line is one block or one row of a table.
- A row is a table of its own in the document, because Qt lays out all of a table again if a letter of it changes. The
  rows of a table have the same widths.
- The text is the same in all formats. So lines that are written again in other formats have their old positions.
- The position of a message is the sum of the lengths of the messages before or after it. It therefore stays correct
  when older messages are inserted above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate

from PySide6.QtGui import QTextCursor, QTextDocument

from ui.markdown.lines import TASK_DONE, TASK_OPEN, Line, LineKind
from ui.markdown.spans import OBJECT, Span, Spans, Style
from ui.transcript import utf16
from ui.transcript.block_formats import is_mirrored
from ui.transcript.blocks import kind_of
from ui.transcript.formats import Formats, cell_line, in_place

NO_CARD = -1
"""The state of a block without the number of a card, as Qt says it."""
_CARD_HEADS = {LineKind.CODE_HEAD, LineKind.TOOL}
_IN_CARD = {LineKind.CODE, LineKind.CODE_FOOT, LineKind.TABLE}
_REST_OF_CODE = {LineKind.CODE, LineKind.CODE_FOOT}
_REST = dict.fromkeys((*_CARD_HEADS, LineKind.CODE), _REST_OF_CODE) | {LineKind.TABLE: {LineKind.TABLE}}
"""What belongs to the same card below a line."""
_BOXES = {TASK_OPEN: "square", TASK_DONE: "square-check"}
"""The icons of markers."""
_INVISIBLE = "\u200b"
"""Qt gives an empty block below a table no height."""
_KEEP = QTextCursor.MoveMode.KeepAnchor
ALL = slice(None)
"""All lines of a message."""
_BESIDE_LETTERS = 40
"""A line takes that much longer than its letters."""


@dataclass(slots=True)
class _WrittenMessage:
    """The lines of one message, the length of each in characters of the document, including its end mark, and whether
    it is in former formats.
    """

    lines: tuple[Line, ...] = ()
    lengths: list[int] = field(default_factory=list)
    stale: list[bool] = field(default_factory=list)
    size: int = 0


class DocumentWriter:
    """Writes messages into a document."""

    def __init__(self, document: QTextDocument, formats: Formats) -> None:
        self._document = document
        self._formats = formats
        self._cursor = QTextCursor(document)
        self._written: list[_WrittenMessage] = []
        self._cards = 0
        self._cursor.setBlockFormat(formats.blocks.end())

    def insert(self, index: int) -> None:
        """Insert a message without lines before the message at `index`."""
        self._written.insert(index, _WrittenMessage())

    def replace(self, kept: int, count: int) -> None:
        """Remove all but the first `kept` messages, and insert others without lines behind them, up to `count`."""
        for index in reversed(range(kept, len(self._written))):
            self.write(index, ())
            del self._written[index]
        self._written += [_WrittenMessage() for _ in range(kept, count)]

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines of the message at `index` as they are in the document."""
        return self._written[index].lines

    def bounds(self, index: int) -> tuple[int, int]:
        """The positions where the message at `index` begins and where the next one begins."""
        return next(self.bounds_from(index))

    def bounds_from(self, index: int) -> Iterator[tuple[int, int]]:
        """The bounds of all messages from `index` on."""
        start = self.start(index)
        for written in self._written[index:]:
            yield start, start + written.size
            start += written.size

    def start(self, index: int) -> int:
        """The position where the message at `index` begins. For the index after the last message it is the end of the
        text.
        """
        if index < len(self._written) // 2:
            return sum(written.size for written in self._written[:index])
        return self._document.characterCount() - 1 - sum(written.size for written in self._written[index:])

    def line_end(self, index: int, line: int) -> int:
        """The position after the last character of a line of the message at `index`."""
        written = self._written[index]
        end, shown = self.bounds(index)[1] - sum(written.lengths[line + 1 :]) - 1, written.lines[line]
        if not shown.rows:
            return end
        self._cursor.setPosition(end)
        last = max((at for at, spans in enumerate(shown.rows[-1]) if spans), default=0)  # the last cell with text
        column = in_place(shown, range(len(shown.aligns)))[last]
        return self._cursor.currentTable().cellAt(len(shown.rows) - 1, column).lastPosition()

    def write_all(self, messages: Iterable[tuple[int, tuple[Line, ...]]], part: slice = ALL) -> None:
        """Write several messages, given as (index, lines), in one edit of the document."""
        self._cursor.beginEditBlock()
        for index, lines in messages:
            self.write(index, lines, part)
        self._cursor.endEditBlock()

    def write(self, index: int, lines: tuple[Line, ...], part: slice = ALL) -> None:
        """Replace the lines of the message at `index`. Lines that stay the same are not touched. If only a part of the
        lines is written, its tables have the widths that they have in the whole.
        """
        written = self._written[index]
        lines = self._formats.fitted(lines)[part]
        head, tail = _common_ends(written.lines, lines)
        if head == len(written.lines) == len(lines):
            return
        start = self.bounds(index)[0] + sum(written.lengths[:head])
        stop = len(written.lengths) - tail
        self._cursor.beginEditBlock()
        lengths = self._replace(start, written, range(head, stop), lines[head : len(lines) - tail])
        self._cursor.endEditBlock()
        written.lengths[head:stop] = lengths
        written.stale[head:stop] = [False] * len(lengths)
        written.lines = lines
        written.size = sum(written.lengths)

    def restyle(self, formats: Formats) -> None:
        """Write in other formats from now on. The lines that are here already need `refresh`."""
        self._formats = formats
        for written in self._written:
            written.stale = [True] * len(written.lines)

    @property
    def is_stale(self) -> bool:
        """Whether lines are in former formats."""
        return any(True in written.stale for written in self._written)

    def refresh(self, near: range, most: int) -> None:
        """Write lines again that are in former formats, in one edit: all those in a range of positions, and others for
        as long as `most` characters take. Those below come first, and in other edits those next above: Qt lays out all
        that is between the lines of an edit.
        """
        self._cursor.beginEditBlock()
        found = self._next_stale(near.start)
        direction = found[2] if found is not None else 0
        while found is not None and found[2] == direction:
            index, line, step = found
            written, stop = self._written[index], line
            room = near.stop - self.start(index) - sum(written.lengths[:line]) if step > 0 else 0
            while 0 <= stop < len(written.lines) and written.stale[stop] and max(most, room) > 0:
                room -= written.lengths[stop]
                most -= written.lengths[stop] + _BESIDE_LETTERS
                stop += step
            if stop == line:
                break
            self._rewrite(index, range(line, stop) if step > 0 else range(stop + 1, line + 1))
            found = self._next_stale(near.start)
        self._cursor.endEditBlock()

    def _next_stale(self, position: int) -> tuple[int, int, int] | None:
        """The message and its line in former formats that is next to a position, and the direction of others: the one
        at or below the position, or else the one above.
        """
        here = next((at for at, (_, stop) in enumerate(self.bounds_from(0)) if position < stop), len(self._written))
        for index in range(here, len(self._written)):
            written, first = self._written[index], 0
            if index == here:  # the line at the position, or the first one
                ends = accumulate(written.lengths, initial=self.start(index))
                first = max(0, sum(end <= position for end in ends) - 1)
            if True in written.stale[first:]:
                return index, written.stale.index(True, first), 1
        for index in reversed(range(min(here + 1, len(self._written)))):
            stale = self._written[index].stale
            if True in stale:
                return index, len(stale) - 1 - stale[::-1].index(True), -1
        return None

    def _rewrite(self, index: int, part: range) -> None:
        """Write some lines again in the formats of now. Their tables have the widths that they have in the whole."""
        written = self._written[index]
        at = self.start(index) + sum(written.lengths[: part.start])
        written.lines = self._formats.fitted(written.lines)
        self._remove(at, sum(written.lengths[part.start : part.stop]))
        self._insert(at, written.lines[part.start : part.stop])
        written.stale[part.start : part.stop] = [False] * len(part)

    def _replace(self, at: int, written: _WrittenMessage, old: range, new: Sequence[Line]) -> list[int]:
        """Return the lengths of the new lines."""
        lengths: list[int] = []
        for place, after in zip(old, new, strict=False):
            before = written.lines[place]
            if written.stale[place] or not _same_shape(before, after):
                break
            lengths.append(self._edit(at, written.lengths[place], before, after))
            at += lengths[-1]
        done = len(lengths)
        self._remove(at, sum(written.lengths[old.start + done : old.stop]))
        return lengths + self._insert(at, new[done:])

    def _edit(self, at: int, size: int, before: Line, after: Line) -> int:
        """Change the end of a line in place, so that neither the selection nor the view moves."""
        if after.kind is LineKind.TABLE:
            return self._edit_table(at, before, after)
        start = at + utf16.length(_prefix(before))
        self._edit_spans(start, at + size - 1, after, (before.spans, after.spans))
        if after.has_pictures and not before.has_pictures:
            self._cursor.setBlockFormat(self._formats.blocks.of(after))
            self._cursor.block().setUserState(self._new_card())
        return self._cursor.position() + 1 - at

    def _edit_table(self, at: int, before: Line, after: Line) -> int:
        """Change the widths of the columns and the ends of cells."""
        self._cursor.setPosition(at + 1)
        table = self._cursor.currentTable()
        if before.widths != after.widths:
            table.setFormat(self._formats.table(after))
        for number, (old, new) in enumerate(zip(before.rows, after.rows, strict=True)):
            for column, spans in enumerate(in_place(after, tuple(zip(old, new, strict=True)))):
                if spans[0] != spans[1]:
                    cell = table.cellAt(number, column)
                    line = cell_line(after, number + after.number)
                    self._edit_spans(cell.firstPosition(), cell.lastPosition(), line, spans)
        return table.lastPosition() + 1 - at

    def _edit_spans(self, start: int, end: int, line: Line, spans: tuple[Spans, Spans]) -> None:
        """Replace the first spans, which are between two positions, by the second."""
        kept, rest = _changed_end(*spans)
        self._select(start + kept, end)
        self._cursor.removeSelectedText()
        self._write_spans(line, rest)

    def _insert(self, at: int, lines: Sequence[Line]) -> list[int]:
        if not lines:
            return []
        lengths: list[int] = []
        with self._keeping_block(at):
            for line in lines:
                start = self._cursor.position()
                above = line._replace(level=-1) if line.kind is LineKind.TABLE else line
                self._cursor.setBlockFormat(self._formats.blocks.of(above))
                self._cursor.setBlockCharFormat(self._formats.chars.of(above))
                if line.kind is LineKind.TABLE:
                    self._write_table(line)
                else:
                    self._write_text(line)
                    self._cursor.insertBlock()
                lengths.append(self._cursor.position() - start)
        self._number_cards(at, lines, lengths)
        return lengths

    def _number_cards(self, at: int, lines: Sequence[Line], lengths: Sequence[int]) -> None:
        """Give the new lines of code, rows of tables and lines with formulas the number of their card. Give it also to
        the rest of a card that was written before its beginning.
        """
        for line, length in zip(lines, lengths, strict=True):
            block = self._document.findBlock(at)
            card = NO_CARD
            if line.kind in _CARD_HEADS or (line.kind is LineKind.TABLE and not line.number) or line.has_pictures:
                card = self._new_card()
            elif line.kind in _IN_CARD:
                card = block.previous().userState()
            at += length
            while block.isValid() and block.position() < at:
                block.setUserState(card)
                block = block.next()
        while kind_of(block) in _REST.get(lines[-1].kind, ()):
            block.setUserState(card)
            block = block.next()

    def _new_card(self) -> int:
        self._cards += 1
        return self._cards

    def _remove(self, at: int, size: int) -> None:
        if size:
            with self._keeping_block(at + size):
                self._select(at, at + size)
                self._cursor.removeSelectedText()

    @contextmanager
    def _keeping_block(self, at: int) -> Iterator[None]:
        """Wrap a change that ends before the block at a position, which keeps its formats and its card."""
        self._cursor.setPosition(at)
        block, chars = self._cursor.blockFormat(), self._cursor.blockCharFormat()
        card = self._cursor.block().userState()
        yield
        self._cursor.setBlockFormat(block)
        self._cursor.setBlockCharFormat(chars)
        self._cursor.block().setUserState(card)

    def _write_text(self, line: Line) -> None:
        prefix, form = _prefix(line), self._formats.chars.marker(line)
        if line.marker in _BOXES:
            box = Style(icon=_BOXES[line.marker], source=line.marker)
            self._cursor.insertImage(self._formats.chars.image(line, box))
            prefix = "\t"
        if prefix:
            self._cursor.insertText(prefix, form)
        self._write_spans(line, line.spans)

    def _write_spans(self, line: Line, spans: Spans) -> None:
        for span in spans:
            self._cursor.insertText(span.text, self._formats.of(line, span))

    def _write_table(self, line: Line) -> None:
        table = self._cursor.insertTable(len(line.rows), len(line.aligns), self._formats.table(line))
        for number, row in enumerate(line.rows, line.number):
            shown = cell_line(line, number)
            for column, (spans, align) in enumerate(in_place(line, tuple(zip(row, line.aligns, strict=True)))):
                cell = table.cellAt(number - line.number, column)
                self._cursor = cell.firstCursorPosition()
                self._cursor.setBlockFormat(self._formats.cell_block(line, number, align))
                self._write_spans(shown, spans)
                cell.setFormat(self._formats.cell(line, number))
        self._cursor.setPosition(table.lastPosition() + 1)

    def _select(self, start: int, end: int) -> None:
        self._cursor.setPosition(start)
        self._cursor.setPosition(end, _KEEP)


def _common_ends(old: Sequence[Line], new: Sequence[Line]) -> tuple[int, int]:
    """How many lines are equal at the beginning and, of the rest, at the end."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] is not new[at] and old[at] != new[at]), shorter)
    most = shorter - head
    tail = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    return head, tail


def _same_shape(one: Line, other: Line) -> bool:
    if one.kind is LineKind.BUBBLE or len(one.rows) != len(other.rows):
        return False
    shapes = [line._replace(spans=(), rows=(), widths=()) for line in (one, other)]
    return shapes[0] == shapes[1] and is_mirrored(one) is is_mirrored(other)


def _changed_end(old: Spans, new: Spans) -> tuple[int, Spans]:
    """How many characters (UTF-16) of `old` can stay, and which spans must follow them to give `new`."""
    kept = 0
    for index, (before, after) in enumerate(zip(old, new, strict=False)):
        if before == after:
            kept += utf16.length(before.text)
            continue
        same = _common_prefix(before, after)
        return kept + utf16.length(after.text[:same]), (after._replace(text=after.text[same:]), *new[index + 1 :])
    return kept, new[min(len(old), len(new)) :]


def _common_prefix(one: Span, other: Span) -> int:
    if one.style != other.style:
        return 0
    if other.text.startswith(one.text):
        return len(one.text)
    pairs = enumerate(zip(one.text, other.text, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one.text), len(other.text)))


def _prefix(line: Line) -> str:
    if line.kind is LineKind.TABLE_FOOT:
        return _INVISIBLE
    marker = OBJECT if line.marker in _BOXES else line.marker
    return f"{marker}\t" if marker else ""
