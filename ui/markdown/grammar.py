"""The Markdown parser, and the characters of a message that can be shown. No Qt.

A text may be hostile, and the GUI thread parses it, so the work for one text is bounded:

- A paragraph that is very long or has very many signs is plain text. So are a very long heading, a table with very many
  columns, and a row of a table from where on it is very long.
- Only the beginning of a very long text is parsed. The other lines are one token of the type `REST`.
- If the work is spent among the blocks, the text from that top-level block on is such a token, too.
- If it is spent among the paragraphs, the others are plain text.

Beside CommonMark it knows tables, strikethrough, formulas, footnotes, and the few HTML tags that models write: line
breaks, sub- and superscript and keys. Other tags stay text.

In the last paragraph of a text that is still being generated, no marker flashes before its other half arrives:

- Emphasis and code whose end is missing are shown as if they had ended.
- The beginning of a link, a tag or an escape is held back until it is decided.
- A formula without its end is one token, so its TeX stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from functools import lru_cache, partial
from threading import get_ident
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.image import image
from markdown_it.token import Token

from ui.markdown.formulas import AT_END, GROWS, OPEN, enable_formulas
from ui.theme.long_texts import LETTERS, switches

MAX_NESTING = 40
"""The nesting level at which the parser drops the content."""

REST: Final = "rest"
"""The type of the token of a text that is too much work. Its map has the lines."""
UNPARSED: Final = "unparsed"
"""In the meta data of an inline token that is too much work. Its content is shown as it is."""
MAX_PARAGRAPH: Final = 20_000
"""Characters. A longer paragraph is plain text."""
_LONG_WORD: Final = re.compile(LETTERS + "{1001,}")
_MOST_SWITCHES: Final = 200
MAX_PARSED: Final = 300_000
"""The characters of a text that are parsed at all."""
MAX_WORK: Final = 40_000
"""The work for one text. Its blocks get half of it, and its paragraphs and code the rest. A sign in a paragraph is one
unit, and so is a row of code; a cell of a table and a line that may begin a block are two, and one that does three. A
unit takes up to 20 microseconds. An answer of 100,000 characters needs about 30,000.
"""
MAX_WORK_GROWING: Final = 12_000
"""The work for the end of a text that grows. It is parsed often."""

_WORK = "work"
_OF_A_LINE = _OF_A_CELL = 2
_OF_A_BLOCK = 3
_CHARACTERS_A_UNIT = 128
_MAX_SIGNS = 2_000
_MAX_COLUMNS = 200
_MAX_BRACKETS = 500
_SIGNS = "\n!#$%&*+-:<=>@[\\]^_`{}~"
"""The parser stops at each of these in a paragraph."""
_LINK = re.compile(r"(?:https?://|mailto:|data:image/)", re.IGNORECASE)
_IMAGE = re.compile(r"(?:https?://|data:image/|file:/|~?/)", re.IGNORECASE)
_OPEN_LINK = re.compile(r"!?\[[^\[\]]{0,200}(?:\](?:\([^()\s]{0,2000}(?:[ \t][^)\n]{0,200})?)?)?\Z")
_OPEN_TAG = re.compile(r"<(?:/?[a-z]{0,4}|(?:https?:|mailto:)[^>\s]{0,500})\Z", re.IGNORECASE)
_MARKERS = re.compile(r"(?:[*_~`]|\\)+\Z")
_TICKS = re.compile(r"\\.|`+", re.DOTALL)
_PAIRED = ("sub", "sup", "kbd")
_LINE_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_OPEN = re.compile(rf"<({'|'.join(_PAIRED)})>", re.IGNORECASE)
_CLOSE = {name: re.compile(f"</{name}>", re.IGNORECASE) for name in _PAIRED}
_REFERENCE = re.compile(r"\[\^(\d{1,4}|[A-Za-z][\w-]{0,30})\](?!\()")
_DEFINITION = re.compile(r"\[\^(\d{1,4}|[A-Za-z][\w-]{2,30}|[A-Za-z][\w-]?(?=\]:[ \t]+\S))\]:[ \t]*")
_CLASS = re.compile(r"[A-Za-z](?:\w?|-[\w-]*)\Z")
"""A label that may as well be a class of characters of a regular expression. It needs a footnote."""
_DEFINED = "footnotes"
"""The labels of the footnotes, in the environment of one parse."""
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffc\ufffe\uffff]")


def clean(text: str) -> str:
    """Replace characters that a text document cannot hold. Cleaning a text in parts gives the same result as cleaning
    it whole.
    """
    return _UNPRINTABLE.sub("\ufffd", text.replace("\r", "").replace("\u2029", "\u2028"))


@dataclass(slots=True)
class Work:
    """The work for one text. `line` and `tokens` say where its last top-level block begins, and `columns` is the width
    of the last table.
    """

    left: int
    line: int = 0
    tokens: int = 0
    columns: int = 0

    def take(self, units: int) -> bool:
        """Use so much of the work. Return whether so much was left; if not, nothing is used."""
        is_left = units <= self.left
        self.left -= units if is_left else 0
        return is_left


class _WorkSpent(Exception):  # noqa: N818 - named after what happened
    """No work is left for the blocks of a text."""


def parse(text: str, work: Work, *, grows: bool = False) -> list[Token]:
    """The tokens of clean text. Any text is accepted. `grows` says that more text may follow."""
    return _parser(get_ident()).parse(text, {GROWS: grows, _WORK: work})


@lru_cache(maxsize=2)
def _parser(_thread: int) -> MarkdownIt:
    """The parser of a thread: it is changed while an image is parsed."""
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    # An address that would never be opened stays visible as text.
    made.validateLink = lambda url: _LINK.match(url) is not None  # type: ignore[method-assign]  # its documented hook
    made.inline.ruler.at("image", partial(_parse_image, made))
    made.core.ruler.at("block", _parse_blocks)
    made.core.ruler.at("inline", _parse_inline)
    made.block.ruler.at("table", _parse_table, {"alt": ["paragraph", "reference"]})
    enable_formulas(made)
    made.inline.ruler.before("autolink", "tag", _tag)
    made.inline.ruler.before("link", "footnote", _reference)
    made.block.ruler.before("reference", "footnote", _definition, {"alt": ["paragraph", "reference"]})
    everywhere = ["paragraph", "reference", "blockquote", "list"]
    made.block.ruler.before("table", "work", _take_work, {"alt": everywhere})
    return made


def _parse_blocks(state: StateCore) -> None:
    """Replaces the library's rule of the same name. It stops if no work is left."""
    work: Work = state.env[_WORK]
    kept = work.left // 2
    work.left -= kept
    is_long = len(state.src) > MAX_PARSED
    parsed = state.src[: state.src.rfind("\n", 0, MAX_PARSED) + 1] if is_long else state.src
    rest = [parsed.count("\n"), state.src.count("\n") + 1]
    try:
        state.md.block.parse(parsed, state.md, state.env, state.tokens)
    except _WorkSpent:
        rest[0], is_long = work.line, True
        del state.tokens[work.tokens :]
    if is_long:
        state.tokens.append(Token(REST, "", 0, map=rest))
    work.left += kept


def _take_work(state: StateBlock, start: int, _last: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """A rule that only ends a table, at a row that is too long for one. The library asks it for each line that begins a
    block or may end one, and for each row of a table.
    """
    work: Work = state.env[_WORK]
    if not silent and state.level == 0:
        work.line, work.tokens = start, len(state.tokens)
    units = _OF_A_CELL * work.columns if state.parentType == "table" else _OF_A_LINE if silent else _OF_A_BLOCK
    if not work.take(units + (state.eMarks[start] - state.bMarks[start]) // _CHARACTERS_A_UNIT):
        raise _WorkSpent
    return silent and state.parentType == "table" and _is_too_long(state, start)


def _is_too_long(state: StateBlock, line: int) -> bool:
    return is_too_long(state.src[state.bMarks[line] : state.eMarks[line]])


def _parse_table(state: StateBlock, start: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """The library's rule, for tables that are not too wide."""
    if start + 1 >= last:
        return False
    columns = 1 + state.src.count("|", state.bMarks[start + 1], state.eMarks[start + 1])
    state.env[_WORK].columns = columns
    return columns <= _MAX_COLUMNS and not _is_too_long(state, start) and table(state, start, last, silent)


def _parse_inline(state: StateCore) -> None:
    """Replaces the library's rule of the same name. It skips links if searching for them would take quadratic time."""
    growing = _growing_paragraph(state) if state.env[GROWS] else -1
    for index, token in enumerate(state.tokens):
        if token.type != "inline":
            continue
        inline = (state.md if token.content.count("[") <= _MAX_BRACKETS else _linkless_parser()).inline
        signs = sum(map(token.content.count, _SIGNS)) + token.content.count("[")  # a link is tried from each
        is_parsed = not is_too_long(token.content) and signs <= _MAX_SIGNS and state.env[_WORK].take(signs)
        if not is_parsed:
            token.children = [Token("text", "", 0, content=token.content)]
            token.meta[UNPARSED] = True
        elif index == growing:
            token.children = _parse_growing(inline, token.content, state)
        else:
            token.children = []
            inline.parse(token.content, state.md, state.env, token.children)


def is_too_long(text: str) -> bool:
    """Whether a text is too long for one line of the page."""
    return len(text) > MAX_PARAGRAPH or has_long_mixed_word(text)


def has_long_mixed_word(text: str) -> bool:
    """Whether the text has a very long word in which scripts alternate. Qt breaks it in time with the square of its
    length.
    """
    return not text.isascii() and any(switches(word) > _MOST_SWITCHES for word in _LONG_WORD.findall(text))


def _parse_image(parser: MarkdownIt, state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the library's signature
    """The library's rule, for files of this computer too. A link to such a file stays visible as text."""
    if state.src[state.pos] != "!" or state.src.find("]", state.pos, state.posMax) < 0:
        return False  # the library would look for the end of the words, with all rules
    links = parser.validateLink
    parser.validateLink = lambda url: _IMAGE.match(url) is not None  # type: ignore[method-assign]  # its documented hook
    try:
        return image(state, silent)
    finally:
        parser.validateLink = links  # type: ignore[method-assign]  # as above


@lru_cache(maxsize=1)
def _linkless_parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").disable(["link", "image"])
    enable_formulas(made)
    return made


def _growing_paragraph(state: StateCore) -> int:
    """The index of the last paragraph's token if text that arrives may still belong to it, or -1."""
    for index in range(len(state.tokens) - 1, -1, -1):
        token = state.tokens[index]
        if (token.type == "inline" and not token.content) or token.type == "td_open":
            continue  # a row of a table is filled up with empty cells
        if token.type == "inline":
            end = token.map[1] if token.map else 0
            return index if end >= state.src.count("\n") else -1
        if token.nesting >= 0:
            return -1
    return -1


def _parse_growing(parser: ParserInline, content: str, state: StateCore) -> list[Token]:
    """The tokens of the last paragraph."""
    content = _decided(content)
    env = {**state.env, AT_END: True}
    tokens, missing = _tokens(parser, content, state, env)
    if not missing:
        return tokens
    formula = tokens.pop() if tokens[-1].type == OPEN else None
    words = content[: -len(formula.content)] if formula else content
    ended = words.rstrip()
    tokens, _ = _tokens(parser, ended + missing, state, state.env)
    gap = words[len(ended) :]
    return [*tokens, *([Token("text", "", 0, content=gap)] if gap else ()), *([formula] if formula else ())]


def _decided(content: str) -> str:
    """`content` without an end whose meaning the next characters decide. Code that has not ended is closed."""
    ticks = _open_ticks(content)
    if ticks >= 0:
        run = _TICKS.match(content, ticks)
        assert run is not None, "an open run of ticks begins there"
        code = content[run.end() :].rstrip("`")
        return content[: run.end()] + code + run.group() if code.strip() else content[:ticks]
    for undecided in (_OPEN_LINK, _OPEN_TAG, _MARKERS):
        content = undecided.sub("", content)
    return content


def _open_ticks(content: str) -> int:
    """The index at which a code span begins that has not ended, or -1."""
    runs = [match for match in _TICKS.finditer(content) if match.group().startswith("`")]
    open_run = -1
    at = 0
    while at < len(runs):
        length = len(runs[at].group())
        same = (later for later in range(at + 1, min(len(runs), at + 200)) if len(runs[later].group()) == length)
        close = next(same, -1)
        if close < 0:
            open_run = max(open_run, runs[at].start()) if open_run < 0 else open_run
            at += 1
        else:
            open_run, at = -1, close + 1
    return open_run


def _tokens(
    parser: ParserInline, content: str, state: StateCore, env: MutableMapping[str, Any]
) -> tuple[list[Token], str]:
    """The tokens, and the markers that would close all emphasis that is open at the end."""
    tokens: list[Token] = []
    inline = StateInline(content, state.md, env, tokens)
    parser.tokenize(inline)
    for rule in parser.ruler2.getRules(""):
        rule(inline)
    left = [one for one in inline.delimiters if one.open and not one.close and one.end < 0]
    closing = [chr(one.marker) * (2 if one.marker == ord("~") else 1) for one in left]
    return tokens, "".join(reversed(closing))


def _tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    if state.src[state.pos] != "<":
        return False
    if match := _LINE_BREAK.match(state.src, state.pos, state.posMax):
        if not silent:
            state.push("hardbreak", "br", 0)
        state.pos = match.end()
        return True
    match = _OPEN.match(state.src, state.pos, state.posMax)
    return match is not None and _pair(state, match, silent=silent)


def _pair(state: StateInline, opening: re.Match[str], *, silent: bool) -> bool:
    name = opening.group(1).lower()
    closing = _CLOSE[name].search(state.src, opening.end(), state.posMax)
    if closing is None:
        return False
    maximum = state.posMax
    if not silent:
        state.push(f"{name}_open", name, 1)
        state.pos, state.posMax = opening.end(), closing.start()
        state.md.inline.tokenize(state)
        state.posMax = maximum
        state.push(f"{name}_close", name, -1)
    state.pos = closing.end()
    return True


def _reference(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    match = _REFERENCE.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "[" else None
    if match is None or (_CLASS.match(match.group(1)) and match.group(1) not in state.env.get(_DEFINED, ())):
        return False
    if not silent:
        token = state.push("footnote_ref", "sup", 0)
        token.content, token.markup = match.group(1), match.group()
    state.pos = match.end()
    return True


def _definition(state: StateBlock, start: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """A footnote is shown where it is written, as an item of a list. It ends with its paragraph."""
    begin = state.bMarks[start] + state.tShift[start]
    match = _DEFINITION.match(state.src, begin, state.eMarks[start])
    if match is None or state.is_code_block(start):
        return False
    if silent:
        return True
    stop = start + 1
    while stop < last and not state.isEmpty(stop) and state.sCount[stop] >= state.blkIndent:
        at = state.bMarks[stop] + state.tShift[stop]
        if _DEFINITION.match(state.src, at, state.eMarks[stop]):
            break
        stop += 1
    text = state.getLines(start, stop, state.blkIndent, False).strip()  # noqa: FBT003 - markdown-it's signature
    state.env.setdefault(_DEFINED, set()).add(match.group(1))
    opening = state.push("footnote_open", "li", 1)
    opening.info, opening.map = match.group(1), [start, stop]
    state.push("paragraph_open", "p", 1).map = [start, stop]
    words = state.push("inline", "", 0)
    words.content, words.map, words.children = text[match.end() - begin :], [start, stop], []
    state.push("paragraph_close", "p", -1)
    state.push("footnote_close", "li", -1)
    state.line = stop
    return True
