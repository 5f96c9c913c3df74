"""The transcript's document as a list of messages, each a run of lines; a difference of lines becomes small edits.

Owns every character of the document, and so where each message stands: positions are sums of known lengths, which
stay true when older messages are put in front. What lines there are is the transcript's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat, QTextCursor

from ui.markdown.lines import Line, LineKind
from ui.transcript import utf16
from ui.transcript.block_formats import is_mirrored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QTextDocument

    from ui.markdown.spans import Span, Spans
    from ui.transcript.formats import Formats

_KEEP = QTextCursor.MoveMode.KeepAnchor


@dataclass(slots=True)
class _Run:
    """One message's lines and how many characters of the document each takes, its end mark included."""

    lines: tuple[Line, ...] = ()
    lengths: list[int] = field(default_factory=list)
    size: int = 0


class DocumentWriter:
    """Writes messages into a document of which it is the only writer."""

    def __init__(self, document: QTextDocument, formats: Formats) -> None:
        self._document = document
        self._formats = formats
        self._cursor = QTextCursor(document)
        self._runs: list[_Run] = []
        self._set_block(0, None)

    def add(self, index: int) -> None:
        """Make room for a message, without lines yet, before the one at `index`."""
        self._runs.insert(index, _Run())

    def drop(self, index: int) -> None:
        """Take the message at `index` out."""
        self.write(index, ())
        del self._runs[index]

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines that the message at `index` shows."""
        return self._runs[index].lines

    def bounds(self, index: int) -> tuple[int, int]:
        """The positions where the message at `index` begins and where the next one does."""
        start = self.start(index)
        return start, start + self._runs[index].size

    def start(self, index: int) -> int:
        """The position where the message at `index` begins; behind the last one, that of the end."""
        if index < len(self._runs) // 2:
            return sum(run.size for run in self._runs[:index])
        return self._document.characterCount() - 1 - sum(run.size for run in self._runs[index:])

    def line_end(self, index: int, line: int) -> int:
        """The position behind the last character of a line of the message at `index`."""
        return self.bounds(index)[1] - sum(self._runs[index].lengths[line + 1 :]) - 1

    def write_all(self, messages: Iterable[tuple[int, tuple[Line, ...]]]) -> None:
        """Write several messages, given as (index, lines), as one change of the document."""
        self._cursor.beginEditBlock()
        for index, lines in messages:
            self.write(index, lines)
        self._cursor.endEditBlock()

    def write(self, index: int, lines: tuple[Line, ...]) -> None:
        """Show `lines` as the message at `index`, touching only those that differ."""
        run = self._runs[index]
        head, tail = _common(run.lines, lines)
        if head == len(run.lines) == len(lines):
            return
        start = self.bounds(index)[0] + sum(run.lengths[:head])
        stop = len(run.lengths) - tail
        self._cursor.beginEditBlock()
        lengths = self._replace(start, run.lines[head:stop], run.lengths[head:stop], lines[head : len(lines) - tail])
        self._cursor.endEditBlock()
        run.lengths[head:stop] = lengths
        run.lines = lines
        run.size = sum(run.lengths)

    def restyle(self, formats: Formats, first: int = 0) -> None:
        """Write everything again in other formats; messages before the one at `first` are left without lines."""
        shown = [run.lines if index >= first else () for index, run in enumerate(self._runs)]
        self._cursor.beginEditBlock()
        self._select(0, self._document.characterCount() - 1)
        self._cursor.removeSelectedText()
        self._formats = formats
        self._runs = [_Run() for _ in shown]
        self._set_block(0, None)
        self.write_all(enumerate(shown))
        self._cursor.endEditBlock()

    def _replace(self, at: int, old: Sequence[Line], sizes: Sequence[int], new: Sequence[Line]) -> list[int]:
        """Returns the lengths of the new lines."""
        lengths: list[int] = []
        for before, size, after in zip(old, sizes, new, strict=False):
            if not _same_shape(before, after):
                break
            lengths.append(self._edit(at, size, before, after))
            at += lengths[-1]
        done = len(lengths)
        self._remove(at, sum(sizes[done:]))
        return lengths + self._insert(at, new[done:])

    def _edit(self, at: int, size: int, before: Line, after: Line) -> int:
        """Change the end of a line in place, so that a selection or the view do not notice."""
        kept, rest = _rest(before.spans, after.spans)
        start = at + utf16.length(_prefix(before)) + kept
        self._select(start, at + size - 1)
        self._cursor.removeSelectedText()
        self._spans(after, rest)
        return self._cursor.position() + 1 - at

    def _insert(self, at: int, lines: Sequence[Line]) -> list[int]:
        if not lines:
            return []
        self._cursor.setPosition(at)
        follower = self._cursor.blockFormat(), self._cursor.blockCharFormat()
        lengths: list[int] = []
        for line in lines:
            start = self._cursor.position()
            self._set_block(start, line)
            if line.kind is LineKind.TABLE:
                self._table(line)
            else:
                self._text(line)
                self._cursor.insertBlock()
            lengths.append(self._cursor.position() - start)
        self._cursor.setBlockFormat(follower[0])
        self._cursor.setBlockCharFormat(follower[1])
        return lengths

    def _remove(self, at: int, size: int) -> None:
        if not size:
            return
        self._cursor.setPosition(at + size)
        follower = self._cursor.blockFormat(), self._cursor.blockCharFormat()
        self._select(at, at + size)
        self._cursor.removeSelectedText()
        self._cursor.setBlockFormat(follower[0])
        self._cursor.setBlockCharFormat(follower[1])

    def _text(self, line: Line) -> None:
        if line.marker:
            self._cursor.insertText(_prefix(line), self._formats.chars.marker(line))
        self._spans(line, line.spans)

    def _spans(self, line: Line, spans: Spans) -> None:
        for span in spans:
            if span.style.icon:
                self._cursor.insertImage(self._formats.chars.image(line, span.style))
            else:
                self._cursor.insertText(span.text, self._formats.chars.of(line, span.style))

    def _table(self, line: Line) -> None:
        columns = len(line.aligns)
        table = self._cursor.insertTable(len(line.rows), columns, self._formats.table(line))
        for number, row in enumerate(line.rows):
            # The first row is the head, which the formats know by its level.
            cell_line = line._replace(level=0 if number else 1)
            for column, spans in enumerate(row[:columns]):
                cell = table.cellAt(number, column)
                self._cursor = cell.firstCursorPosition()
                self._cursor.setBlockFormat(self._formats.cell_block(number, line.aligns[column]))
                self._spans(cell_line, spans)
                cell.setFormat(self._formats.cell(cell_line))
        self._cursor.setPosition(table.lastPosition() + 1)

    def _set_block(self, at: int, line: Line | None) -> None:
        """None stands for the end of the document."""
        self._cursor.setPosition(at)
        if line and line.kind is LineKind.TABLE:
            line = line._replace(level=-1)
        self._cursor.setBlockFormat(self._formats.blocks.of(line) if line else self._formats.blocks.end())
        self._cursor.setBlockCharFormat(self._formats.chars.of(line) if line else QTextCharFormat())

    def _select(self, start: int, end: int) -> None:
        self._cursor.setPosition(start)
        self._cursor.setPosition(end, _KEEP)


def _common(old: Sequence[Line], new: Sequence[Line]) -> tuple[int, int]:
    """How many lines are equal at the beginning and, of the others, at the end."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] is not new[at] and old[at] != new[at]), shorter)
    most = shorter - head
    tail = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    return head, tail


def _same_shape(one: Line, other: Line) -> bool:
    if one.kind in {LineKind.TABLE, LineKind.BUBBLE}:
        return False
    return one._replace(spans=()) == other._replace(spans=()) and is_mirrored(one) is is_mirrored(other)


def _rest(old: Spans, new: Spans) -> tuple[int, Spans]:
    """How many characters (UTF-16) of `old` may stay, and what has to follow them to make `new`."""
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
    return f"{line.marker}\t" if line.marker else ""
