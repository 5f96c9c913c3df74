"""A message's text that is still being generated, as lines. Only its unfinished end is parsed again. No Qt."""

from __future__ import annotations

import re

from ui.markdown import lines as markdown
from ui.markdown.grammar import clean

_ROW = re.compile(r"(?: {0,3}>)* {0,3}\|")
_RULE = re.compile(r"[ \t>|:-]+\Z")
_UNDECIDED = re.compile(r"[ \t>]*+(?:[-=*_+#~|:`]+|\d{1,9}[.)]?)?[ \t]*\Z")
_NO_TABLE = markdown.Line(markdown.LineKind.TEXT)


class MarkdownStream:
    """Takes text in deltas and returns lines.

    A top-level block is frozen when the next block has a complete line, because later text cannot change it any more.
    So are the complete rows of a table but the last: a long table is parsed from its head and its last rows.
    The exception is a reference link whose address is defined later: when a reply has ended, its text is parsed whole.
    A block that is too much work is shown as it is, up to the next blank line.
    `first_code` is the number of the first code block, and `nest` the container of all lines.
    """

    def __init__(self, text: str = "", first_code: int = 0, nest: str = "") -> None:
        self._parts: list[str] = []
        self._tail = ""
        self._fresh: list[str] = []
        self._frozen: list[markdown.Line] = []
        self._next_code = first_code
        self._nest = nest
        self._is_plain = False  # the block that the tail begins with is too much work
        self._frozen_rows = 0  # of the table that the tail begins with, without its head
        self.feed(text)

    @property
    def text(self) -> str:
        """The raw text so far."""
        joined = "".join(self._parts)
        self._parts = [joined]
        return joined

    def feed(self, text: str) -> None:
        """Append text. Parsing waits for `lines`."""
        self._parts.append(text)
        self._fresh.append(clean(text))

    def lines(self) -> tuple[markdown.Line, ...]:
        """The lines to show now.

        Emphasis and code that have not ended are shown as if they had. The last line is held back while its kind is
        unknown (a lone dash, a first backtick). The first row of a table is held back until the next line has shown
        that it is one.
        """
        self._tail = (self._tail + "".join(self._fresh)).lstrip("\n")
        self._fresh.clear()
        if self._is_plain and not self._end_plain():
            return (*self._frozen, *markdown.plain_lines(self._tail, self._nest))
        tail = _without_undecided_end(self._tail)
        blocks = self._without_frozen_rows(markdown.blocks(tail, self._next_code, self._nest, grows=True))
        shown = [*self._frozen, *(line for block in blocks for line in block.lines)]
        self._freeze(blocks)
        return tuple(shown)

    def _end_plain(self) -> bool:
        """Freeze the lines of a block that is shown as it is. Return whether the block has ended."""
        block, end, rest = self._tail.partition("\n\n")
        pieces = markdown.plain_pieces(block)
        if end:
            self._tail, self._is_plain = rest, False
        else:
            done = max(0, len(pieces) - 2)  # a line that arrives may belong to the piece before
            self._tail, pieces = "".join(pieces[done:]), pieces[:done]
        self._frozen.extend(markdown.plain_lines("".join(pieces), self._nest))
        return not self._is_plain

    def _freeze(self, blocks: list[markdown.MarkdownBlock]) -> None:
        self._is_plain = bool(blocks) and blocks[-1].plain
        whole_lines = self._tail.count("\n")
        if len(blocks) == 1:
            self._freeze_rows(blocks[0])
        if blocks and not self._is_plain and (blocks[-1].source_line >= whole_lines or blocks[-1].open):
            blocks = blocks[:-1]
        if len(blocks) < 2:  # noqa: PLR2004 - a single block is unfinished
            return
        for block in blocks[:-1]:
            self._frozen.extend(block.lines)
            self._next_code += block.code_count
        self._frozen_rows = 0
        self._tail = "\n".join(self._tail.split("\n")[blocks[-1].source_line :])

    def _freeze_rows(self, table: markdown.MarkdownBlock) -> None:
        *rows, foot = table.lines or (_NO_TABLE,)
        source = self._tail.split("\n")[table.source_line :]
        complete, head = source[2:-1], 0 if self._frozen_rows else 1
        is_plain = foot.nest == self._nest and all(row.kind is markdown.LineKind.TABLE for row in rows)
        if not rows or not is_plain or len(rows) - head - len(complete) not in {0, 1}:
            return
        done = max(0, len(complete) - 1)
        if done:
            self._frozen.extend(rows[: head + done])
            self._frozen_rows += done
            self._tail = "\n".join([*source[:2], *source[2 + done :]])

    def _without_frozen_rows(self, blocks: list[markdown.MarkdownBlock]) -> list[markdown.MarkdownBlock]:
        """The blocks without the head of a table that is frozen. Its rows are numbered on from the frozen ones."""
        if not self._frozen_rows or not blocks:
            return blocks
        rest = tuple(
            line._replace(number=line.number + self._frozen_rows) if line.kind is markdown.LineKind.TABLE else line
            for line in blocks[0].lines[1:]
        )
        return [blocks[0]._replace(lines=rest), *blocks[1:]]


def _without_undecided_end(text: str) -> str:
    head, newline, last = text.rpartition("\n")
    is_held = _UNDECIDED.match(last) or (_RULE.match(last) and _ends_with_lone_row(head))
    shown = head + newline if is_held else text
    whole = shown.removesuffix("\n")
    return shown[: whole.rfind("\n") + 1] if _ends_with_lone_row(whole) else shown


def _ends_with_lone_row(text: str) -> bool:
    """Whether the last line may be the head of a table, and no line above belongs to that table."""
    above, _, row = text.rpartition("\n")
    return bool(_ROW.match(row)) and not _ROW.match(above.rpartition("\n")[2])
