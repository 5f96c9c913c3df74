"""Markdown as immutable lines. Each line becomes one block, or one row of a table, in the transcript's document. No Qt.

The dialect is CommonMark with tables, strikethrough, task lists, footnotes and TeX formulas. HTML is shown as text, but
for a few tags. An image becomes a link to it, and a newline inside a paragraph is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count, groupby, repeat
from typing import NamedTuple

from markdown_it.token import Token

from resources.language.text import tr
from ui.markdown import formulas, grammar
from ui.markdown.highlight import highlight, highlight_ended, highlight_open
from ui.markdown.spans import BREAK, PLAIN, FormulaLook, Span, Spans, formula_span, inline_spans, stripped, text_of
from ui.theme.long_texts import shortened

REASONING = "~"
"""The container of the lines of a reply's reasoning."""
NOTE = "^"
"""The container of a footnote. It is an item of a list in smaller letters."""

_DRAWINGS = {"mermaid", "svg", "dot", "graphviz", "plantuml"}
"""Languages of pictures. Drawing them would mean to run what a model wrote."""
_LONGEST_TITLE = 60
_BULLET = "•"
_PARAGRAPH = 3
"""The tokens of a paragraph that is in no other block."""
_NO_TEXT = {
    *("blockquote_open", "blockquote_close", "bullet_list_open", "ordered_list_open", "list_item_close"),
    *("footnote_open", "footnote_close", "fence", "code_block", "hr", "table_close"),
}
"""Tokens before which the marker of an item that does not begin with text gets a line of its own."""
_FENCE_END = re.compile(r"[ >\t]*(`{3,}|~{3,})[ \t]*$")


MAX_PLAIN = 1_000
"""The characters of a line of text that is not parsed."""
_PLAIN = re.compile(
    rf".{{0,{MAX_PLAIN}}}\n|.{{1,{MAX_PLAIN}}}\Z|[^\n]{{{MAX_PLAIN // 2},{MAX_PLAIN}}} |[^\n]{{1,{MAX_PLAIN}}}",
    re.DOTALL,
)
_CHARACTERS_A_UNIT = 2
"""How much code is coloured for one unit of work."""

TASK_OPEN, TASK_DONE = "[ ]", "[x]"
"""The markers of the items of a task list."""
_TASK = re.compile(r"\[([ xX])\](?:[ \t]+|\Z)")


class LineKind(StrEnum):
    """The kind of a line. Kinds from BUBBLE on are not Markdown; the transcript adds them around it."""

    TEXT = "text"
    HEADING = "heading"
    CODE_HEAD = "code head"
    CODE = "code"
    CODE_FOOT = "code foot"
    RULE = "rule"
    MATH = "math"  # a display formula
    TABLE = "table"  # a row of a table
    TABLE_FOOT = "table foot"
    BUBBLE = "bubble"  # a question
    HANDLES = "handles"  # the row under a question
    FOOTER = "footer"  # the row under a reply
    ERROR = "error"
    THOUGHT = "thought"  # folds and unfolds the reasoning
    TOOL = "tool"  # the head of a tool call
    MARK = "mark"  # the start of the model's context
    FILES = "files"  # the chips above a question


class Line(NamedTuple):
    """One line.

    - `level` is the level of a heading. The transcript marks some of its own lines with 1.
    - `nest` names its containers from the outside in: ">" a quote, "-" a list item, "^" a footnote, "~" the reasoning
      of a reply.
    - `marker` is set on the first line of a list item.
    - A `tight` line has less space above it.
    - `number` is the number of the code block in the message, set on the lines of a code block. On the row of a table
      it is the number of the row; 0 is the head.
    - `rows` is the row of a table, and `aligns` has the side ("", "left", "center" or "right") of each of its columns.
      On paper a line has all rows of its table.
    - The transcript sets the `widths` of the columns of a table, in pixels, and `mirrored` if they run from right to
      left, as the row under an Arabic reply does.
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
    widths: tuple[int, ...] = ()
    mirrored: bool = False

    @property
    def text(self) -> str:
        """The text of the spans."""
        return text_of(self.spans)

    @property
    def cells(self) -> Iterable[Spans]:
        """The spans of each cell of a table, or those of another line."""
        return (cell for row in self.rows for cell in row) if self.rows else (self.spans,)

    @property
    def has_pictures(self) -> bool:
        """Whether a formula in the spans is typeset."""
        return any(span.style.formula is FormulaLook.PICTURE for span in self.spans)


class MarkdownBlock(NamedTuple):
    """A top-level block: the index of its first source line, its lines, and how many code blocks it contains.

    A block is `open` if it ends with a formula that has not ended. Later text may turn it into another block. It is
    `plain` if it was too much work.
    """

    source_line: int
    lines: tuple[Line, ...]
    code_count: int
    open: bool = False
    plain: bool = False


def lines(text: str, first_code: int = 0, nest: str = "") -> tuple[Line, ...]:
    """All lines of a message's text, nested in `nest`. The numbers of its code blocks start at `first_code`."""
    return tuple(line for block in blocks(grammar.clean(text), first_code, nest=nest) for line in block.lines)


def blocks(text: str, first_code: int = 0, nest: str = "", *, grows: bool = False) -> list[MarkdownBlock]:
    """The top-level blocks of clean text.

    `first_code` is the number of the first code block. `nest` is the container of all blocks. `grows` says that more
    text may follow.
    """
    source = text.split("\n")
    work = grammar.Work(grammar.MAX_WORK_GROWING if grows else grammar.MAX_WORK)
    found: list[MarkdownBlock] = []
    for tokens in _top_level(grammar.parse(text, work, grows=grows)):
        writer = _LineBuilder(source, first_code, work, grows=grows, nest=nest)
        writer.write(tokens)
        start, end = tokens[0].map or (0, 0)
        # No text may be lost if blocks are nested deeper than the parser allows.
        is_verbatim = tokens[0].type == grammar.REST or max(token.level for token in tokens) >= grammar.MAX_NESTING - 1
        if is_verbatim:
            writer.lines = plain_lines("\n".join(source[start:end]), nest)
            writer.next_code = first_code
        if writer.lines:
            writer.lines[0] = writer.lines[0]._replace(tight=False)
        is_open = tokens[-1].type == formulas.OPEN
        is_plain = is_verbatim or (len(tokens) == _PARAGRAPH and grammar.UNPARSED in tokens[1].meta)
        found.append(MarkdownBlock(start, tuple(writer.lines), writer.next_code - first_code, is_open, is_plain))
        first_code = writer.next_code
    return found


def plain_lines(text: str, nest: str = "") -> list[Line]:
    """Clean text as it is, for text that is too much work."""
    shown = (piece.removesuffix("\n").replace("\n", BREAK) for piece in plain_pieces(text))
    return [Line(LineKind.TEXT, (Span(piece),) if piece else (), nest=nest, tight=True) for piece in shown]


def plain_pieces(text: str) -> list[str]:
    """The text of each plain line. It is as many lines of the source as are not too long, or a part of one that is: the
    page is written line by line.
    """
    return _PLAIN.findall(text)


def _top_level(tokens: Sequence[Token]) -> Iterable[list[Token]]:
    group: list[Token] = []
    for token in tokens:
        group.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield group
            group = []


@dataclass(slots=True)
class _LineBuilder:
    """Turns the tokens of one top-level block into lines. Each list around has the `markers` of its items to come."""

    source: list[str]
    next_code: int
    work: grammar.Work
    grows: bool
    lines: list[Line] = field(default_factory=list)
    nest: str = ""
    marker: str = ""
    level: int = 0
    tight: bool = False
    markers: list[Iterator[str]] = field(default_factory=list)
    rows: list[tuple[Spans, ...]] = field(default_factory=list)
    cells: list[Spans] = field(default_factory=list)
    aligns: list[str] = field(default_factory=list)

    def write(self, tokens: Iterable[Token]) -> None:  # noqa: C901, PLR0912 - one match has a case for each type
        for token in tokens:
            if self.marker and token.type in _NO_TEXT:
                self._emit(LineKind.TEXT)
            match token.type:
                case "paragraph_open":
                    self.tight = token.hidden
                case "heading_open":
                    self.level = int(token.tag[1:])
                case "heading_close":
                    self.level = 0
                case "inline":
                    self._inline(token)
                case "blockquote_open":
                    self.nest += ">"
                case "bullet_list_open":
                    self.markers.append(repeat(_BULLET))
                case "ordered_list_open":
                    self.markers.append(f"{number}." for number in count(int(token.attrs.get("start", 1))))
                case "bullet_list_close" | "ordered_list_close":
                    self.markers.pop()
                case "list_item_open":
                    self.marker = next(self.markers[-1])
                    self.nest += "-"
                case "footnote_open":
                    self.marker = f"{token.info}."
                    self.nest += NOTE
                case "blockquote_close" | "list_item_close" | "footnote_close":
                    self.nest = self.nest[:-1]
                case "fence" | "code_block":
                    self._code(token)
                case "hr":
                    self._emit(LineKind.RULE)
                case formulas.DISPLAY:
                    self._formula(token)
                case formulas.OPEN:
                    self._emit(LineKind.TEXT, (formula_span(token.content, FormulaLook.OPEN),))
                case "th_open":
                    self.aligns.append(str(token.attrGet("style") or "").removeprefix("text-align:"))
                case "tr_close":
                    self.rows.append(tuple(self.cells))
                    self.cells = []
                case "table_close":
                    self._table()

    def _emit(self, kind: LineKind, spans: Spans = (), *, number: int = -1) -> None:
        self.lines.append(Line(kind, spans, self.level, self.nest, self.marker, self.tight, number))
        self.marker = ""

    def _inline(self, token: Token) -> None:
        children = token.children or []
        if self.aligns:
            self.cells.append(inline_spans(children))
        elif self.level and not grammar.is_too_long(token.content):
            self._emit(LineKind.HEADING, inline_spans(children))
        elif grammar.UNPARSED in token.meta:
            self.level = 0
            self._verbatim(token.content)
        else:
            self._text(children)
        self.tight = False

    def _text(self, children: list[Token]) -> None:
        """A paragraph. A display formula in it gets a line of its own."""
        if not any(child.type == formulas.DISPLAY for child in children):
            self._emit(LineKind.TEXT, self._task(inline_spans(children)))
            return
        for is_formula, group in groupby(children, lambda child: child.type == formulas.DISPLAY):
            if is_formula:
                for child in group:
                    self._formula(child)
            elif spans := stripped(inline_spans(group)):
                self._emit(LineKind.TEXT, spans)
                self.tight = True

    def _verbatim(self, text: str) -> None:
        for line in plain_lines(text):
            self._emit(LineKind.TEXT, line.spans)
            self.tight = True

    def _task(self, spans: Spans) -> Spans:
        """Turn the box at the beginning of an item into its marker."""
        box = _TASK.match(spans[0].text) if self.marker == _BULLET and spans and spans[0].style == PLAIN else None
        if box is None:
            return spans
        self.marker = TASK_OPEN if box.group(1) == " " else TASK_DONE
        first = spans[0]._replace(text=spans[0].text[box.end() :])
        return (first, *spans[1:]) if first.text else spans[1:]

    def _formula(self, token: Token) -> None:
        stop = (Span(token.info),) if token.info else ()
        self._emit(LineKind.MATH, (formula_span(token.content, FormulaLook.DISPLAY), *stop))
        self.tight = True

    def _code(self, token: Token) -> None:
        content = token.content.removesuffix("\n")
        if grammar.has_long_mixed_word(content) or not self.work.take(content.count("\n")):
            self._verbatim(content)
            return
        words = grammar.clean(token.info).split()
        language, title = (words or [""])[0][:_LONGEST_TITLE], shortened(" ".join(words), _LONGEST_TITLE)
        start, end = token.map or (0, 0)
        is_closed = end - start > 1 and _FENCE_END.match(self.source[end - 1])
        is_ended = token.type == "code_block" or is_closed
        paint = highlight if not self.grows else highlight_ended if is_ended else highlight_open
        title = tr("{language} · shown as code", language=title) if language.lower() in _DRAWINGS else title
        self._emit(LineKind.CODE_HEAD, (Span(title),) if title else (), number=self.next_code)
        is_coloured = self.work.take(len(content) // _CHARACTERS_A_UNIT)
        for row in paint(content, language if is_coloured else ""):
            self._emit(LineKind.CODE, row, number=self.next_code)
        self._emit(LineKind.CODE_FOOT, number=self.next_code)
        self.next_code += 1

    def _table(self) -> None:
        aligns = tuple(self.aligns)
        for number, row in enumerate(self.rows):
            self.lines.append(Line(LineKind.TABLE, nest=self.nest, number=number, rows=(row,), aligns=aligns))
        self._emit(LineKind.TABLE_FOOT)
        self.rows, self.aligns = [], []
