"""Markdown as immutable lines: every line becomes one block (or one table) of the transcript's document.

Owns what the text means; how a line looks is the transcript's, how text arrives in pieces is `stream`'s. CommonMark
with tables and strikethrough. Raw HTML is text, a picture is a link to it, a newline inside a paragraph is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ui.markdown.grammar import DEEPEST, clean, parser
from ui.markdown.highlight import CodeRow, highlight
from ui.markdown.spans import BREAK, Span, Spans, Style, inline_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from markdown_it.token import Token

    Highlighter = Callable[[str, str], tuple[CodeRow, ...]]

THOUGHT = "~"
"""What the lines of the reasoning before an answer stand in."""

_FENCE_END = re.compile(r"[ >\t]*(`{3,}|~{3,})[ \t]*$")


class LineKind(StrEnum):
    """What a line is. Those from BUBBLE on are not Markdown: the transcript adds them around it."""

    TEXT = "text"
    HEADING = "heading"
    CODE_HEAD = "code head"
    CODE = "code"
    CODE_FOOT = "code foot"
    RULE = "rule"
    TABLE = "table"
    BUBBLE = "bubble"
    HANDLES = "handles"
    FOOTER = "footer"
    ERROR = "error"
    THOUGHT = "thought"
    TOOL = "tool"
    MARK = "mark"
    FILES = "files"


class Line(NamedTuple):
    """One line. `nest` names what it stands in, from the outside in: ">" a quote, "-" a list item, "~" the reasoning
    before an answer. `marker` is set on a list item's first line. `tight` lines keep close to the one above. `number`
    counts the code blocks of a message and is set on a code block's lines. `rows` and `aligns` ("", "left", "center",
    "right") are a table's.
    """

    kind: LineKind
    spans: Spans = ()
    level: int = 0
    nest: str = ""
    marker: str = ""
    tight: bool = False
    number: int = -1
    rows: tuple[tuple[Spans, ...], ...] = ()
    aligns: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The characters of the spans."""
        return "".join(span.text for span in self.spans)


class Block(NamedTuple):
    """A top-level block: the index of its first source line, its lines, how many of them begin a code block."""

    source_line: int
    lines: tuple[Line, ...]
    codes: int


def lines(text: str, codes: int = 0, nest: str = "") -> tuple[Line, ...]:
    """All lines of a message's text, in `nest`; its code blocks are counted from `codes`."""
    return tuple(line for block in blocks(clean(text), codes, nest=nest) for line in block.lines)


def blocks(text: str, codes: int = 0, highlight_open: Highlighter = highlight, nest: str = "") -> list[Block]:
    """The top-level blocks of clean text. `codes` is the number of the first code block; `highlight_open` colours code
    whose fence is not closed yet; `nest` is what all of it stands in.
    """
    source = text.split("\n")
    found: list[Block] = []
    for tokens in _top_level(parser().parse(text)):
        writer = _Writer(source, codes, highlight_open, nest=nest)
        writer.write(tokens)
        start, end = tokens[0].map or (0, 0)
        if max(token.level for token in tokens) >= DEEPEST - 1:
            writer = _Writer(source, codes, highlight_open, [_verbatim(source[start:end], nest)])
        if writer.lines:
            writer.lines[0] = writer.lines[0]._replace(tight=False)
        found.append(Block(start, tuple(writer.lines), writer.codes - codes))
        codes = writer.codes
    return found


def _verbatim(source: Iterable[str], nest: str) -> Line:
    """Where blocks are nested so deep that the parser gives up, no word may be lost."""
    return Line(LineKind.TEXT, (Span(BREAK.join(source)),), nest=nest)


def _top_level(tokens: Sequence[Token]) -> Iterable[list[Token]]:
    group: list[Token] = []
    for token in tokens:
        group.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield group
            group = []


@dataclass(slots=True)
class _Writer:
    """Walks the tokens of one top-level block."""

    source: list[str]
    codes: int
    highlight_open: Highlighter
    lines: list[Line] = field(default_factory=list)
    nest: str = ""
    marker: str = ""
    level: int = 0
    tight: bool = False
    counters: list[int | None] = field(default_factory=list)
    rows: list[tuple[Spans, ...]] = field(default_factory=list)
    cells: list[Spans] = field(default_factory=list)
    aligns: list[str] = field(default_factory=list)

    def write(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            step = _STEPS.get(token.type)
            if step is not None:
                step(self, token)

    def emit(self, kind: LineKind, spans: Spans = (), *, number: int = -1) -> None:
        self.lines.append(Line(kind, spans, self.level, self.nest, self.marker, self.tight, number))
        self.marker = ""

    def settle_marker(self) -> None:
        """A marker whose item does not begin with text gets a line of its own."""
        if self.marker:
            self.emit(LineKind.TEXT)

    def paragraph(self, token: Token) -> None:
        self.tight = token.hidden

    def heading(self, token: Token) -> None:
        self.level = int(token.tag[1:])

    def heading_end(self, _token: Token) -> None:
        self.level = 0

    def inline(self, token: Token) -> None:
        spans = inline_spans(token.children or ())
        if self.aligns:
            self.cells.append(spans)
        else:
            self.emit(LineKind.HEADING if self.level else LineKind.TEXT, spans)
        self.tight = False

    def quote(self, _token: Token) -> None:
        self.settle_marker()
        self.nest += ">"

    def leave(self, _token: Token) -> None:
        self.settle_marker()
        self.nest = self.nest[:-1]

    def bullets(self, _token: Token) -> None:
        self.settle_marker()
        self.counters.append(None)

    def numbers(self, token: Token) -> None:
        self.settle_marker()
        start = token.attrGet("start")
        self.counters.append(1 if start is None else int(start))

    def list_end(self, _token: Token) -> None:
        self.counters.pop()

    def item(self, _token: Token) -> None:
        count = self.counters[-1]
        self.marker = "•" if count is None else f"{count}."
        self.counters[-1] = None if count is None else count + 1
        self.nest += "-"

    def code(self, token: Token) -> None:
        self.settle_marker()
        language = next(iter(clean(token.info).split()), "")
        paint = highlight if token.type == "code_block" or self.is_closed(token) else self.highlight_open
        self.emit(LineKind.CODE_HEAD, (Span(language),) if language else (), number=self.codes)
        for row in paint(token.content.removesuffix("\n"), language):
            self.emit(LineKind.CODE, tuple(Span(part.text, _token_style(part.kind)) for part in row), number=self.codes)
        self.emit(LineKind.CODE_FOOT, number=self.codes)
        self.codes += 1

    def is_closed(self, token: Token) -> bool:
        start, end = token.map or (0, 0)
        return end - start > 1 and _FENCE_END.match(self.source[end - 1]) is not None

    def rule(self, _token: Token) -> None:
        self.settle_marker()
        self.emit(LineKind.RULE)

    def cell(self, token: Token) -> None:
        if not self.rows:
            self.aligns.append(str(token.attrGet("style") or "").removeprefix("text-align:"))

    def row_end(self, _token: Token) -> None:
        self.rows.append(tuple(self.cells))
        self.cells = []

    def table_end(self, _token: Token) -> None:
        self.settle_marker()
        self.lines.append(Line(LineKind.TABLE, nest=self.nest, rows=tuple(self.rows), aligns=tuple(self.aligns)))
        self.rows, self.aligns = [], []


_STEPS: dict[str, Callable[[_Writer, Token], None]] = {
    "paragraph_open": _Writer.paragraph,
    "heading_open": _Writer.heading,
    "heading_close": _Writer.heading_end,
    "inline": _Writer.inline,
    "blockquote_open": _Writer.quote,
    "blockquote_close": _Writer.leave,
    "bullet_list_open": _Writer.bullets,
    "bullet_list_close": _Writer.list_end,
    "ordered_list_open": _Writer.numbers,
    "ordered_list_close": _Writer.list_end,
    "list_item_open": _Writer.item,
    "list_item_close": _Writer.leave,
    "fence": _Writer.code,
    "code_block": _Writer.code,
    "hr": _Writer.rule,
    "th_open": _Writer.cell,
    "tr_close": _Writer.row_end,
    "table_close": _Writer.table_end,
}


@lru_cache(maxsize=64)
def _token_style(kind: str) -> Style:
    return Style(token=kind)
