"""A message's text that is still arriving, as lines: only its unfinished end is read again.

Owns where the finished part ends; what Markdown means is `lines`'s. Knows no timer: ask for lines when they are shown.
"""

from __future__ import annotations

import re

from ui.markdown import lines as markdown
from ui.markdown.grammar import clean
from ui.markdown.highlight import highlight_open

_ROW = re.compile(r"(?: {0,3}>)* {0,3}\|")
_UNDECIDED = re.compile(r"[ \t>]*(?:[-=*_+#~|:`]+|\d{1,9}[.)]?)?[ \t]*\Z")


class MarkdownStream:
    """Text in, lines out.

    A top-level block is frozen once the next one has begun with a whole line, as nothing that follows can change it
    then, but for the address of a reference link that is defined later: `finish` reads the whole once more. `codes` is
    the number of the first code block, `nest` what all of it stands in.
    """

    def __init__(self, text: str = "", codes: int = 0, nest: str = "") -> None:
        self._parts: list[str] = []
        self._tail = ""
        self._frozen: list[markdown.Line] = []
        self._start = self._codes = codes
        self._nest = nest
        self.feed(text)

    @property
    def text(self) -> str:
        """All text so far, as it came."""
        joined = "".join(self._parts)
        self._parts = [joined]
        return joined

    def feed(self, text: str) -> None:
        """Take more text; costs nothing else."""
        self._parts.append(text)
        self._tail += clean(text)

    def lines(self) -> tuple[markdown.Line, ...]:
        """The lines to show now. An unfinished last line of which it is not yet known what it will be (a lone dash, a
        first backtick) is held back, and so is a first row of a table until the line that makes it one.
        """
        tail = _decided(self._tail)
        blocks = markdown.blocks(tail, self._codes, highlight_open, self._nest)
        shown = [*self._frozen, *(line for block in blocks for line in block.lines)]
        self._freeze(blocks)
        return tuple(shown)

    def finish(self) -> tuple[markdown.Line, ...]:
        """The exact lines of the whole text."""
        return markdown.lines(self.text, self._start, self._nest)

    def _freeze(self, blocks: list[markdown.Block]) -> None:
        whole_lines = self._tail.count("\n")
        if len(blocks) < 2 or blocks[-1].source_line >= whole_lines:  # noqa: PLR2004 - one is the unfinished one
            return
        for block in blocks[:-1]:
            self._frozen.extend(block.lines)
            self._codes += block.codes
        self._tail = "\n".join(self._tail.split("\n")[blocks[-1].source_line :])


def _decided(text: str) -> str:
    head, newline, last = text.rpartition("\n")
    shown = head + newline if _UNDECIDED.match(last) else text
    above, newline, row = shown.removesuffix("\n").rpartition("\n")
    is_lone_row = _ROW.match(row) and not _ROW.match(above.rpartition("\n")[2])
    return above + newline if is_lone_row else shown
