r"""TeX formulas in Markdown: `$...$`, `$$...$$`, `\(...\)`, `\[...\]` and `\begin{...}...\end{...}`. No Qt.

A formula is a token whose content is its source with the delimiters. Nothing inside is Markdown, so no escape is lost.
In a text that may still grow, a formula without its end is a token of the type `OPEN`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

INLINE, DISPLAY, OPEN = "math_inline", "math_display", "math_open"
"""The types of the tokens."""
GROWS = "grows"
"""Set in the environment of a text that may still grow."""
AT_END = "at end"
"""Set in the environment while the parser is in the last paragraph of such a text."""

FORMULA_SIGNS = ("$", "\\")
"""A text without these signs has no formula."""

_MAX_CHARACTERS = 8_000
_MAX_LINES = 120
_MAX_DOLLAR = 1_000
_BLOCK_START = re.compile(r"\$\$|\\\[|\\begin\{[a-zA-Z]+\*?\}")
_BEGIN = re.compile(r"\\(begin|end)\{([a-zA-Z]+\*?)\}")
_STOPS = " \t.,;:"
_FAILED = "formulas without an end"
_MAX_FAILED = 200
_MAX_DEPTH = 20
_CLOSING = {"$$": ("$$", DISPLAY), "\\[": ("\\]", DISPLAY), "\\(": ("\\)", INLINE)}
_DOLLAR_END = re.compile(r"(?<![\s\\])\$(?![\w$])")
_WORDS = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{2,}(?:[,;]?\s+[a-zA-Z]{2,})")
_PRICE = re.compile(r"\d[\d.,]*[a-zA-Z]?\s.*[a-zA-Z]{2}", re.DOTALL)
_TEX = re.compile(r"[\\^_{=]")


class _Found(NamedTuple):
    """A formula at the start of a text: the type of its token, and where its source ends. A formula that is still open
    ends at -1.
    """

    type: str
    end: int


def enable_formulas(parser: MarkdownIt) -> None:
    """Let `parser` recognise formulas."""
    interrupts = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "formula", _block, {"alt": interrupts})
    parser.inline.ruler.before("escape", "formula", _inline)


def is_formula(text: str) -> bool:
    """Whether `text` is the source of a formula, from delimiter to delimiter."""
    found = _formula(text)
    return found is not None and found.end == len(text)


def _block(state: StateBlock, start: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """A display formula that begins a line. Blank lines, dashes and the like do not end it."""
    if state.is_code_block(start):
        return False
    begin = state.bMarks[start] + state.tShift[start]
    if state.src[begin : begin + 1] not in {"$", "\\"} or not _BLOCK_START.match(state.src, begin):
        return False
    if state.env.get(_FAILED, 0) > _MAX_FAILED:
        return False
    stop = start + 1  # the line after the last one that may belong to the formula
    while stop < min(last, start + _MAX_LINES) and (state.isEmpty(stop) or state.sCount[stop] >= state.blkIndent):
        stop += 1
    text = state.getLines(start, stop, state.blkIndent, False).lstrip(" \t")  # noqa: FBT003 - markdown-it's signature
    found = _formula(text)
    may_grow = state.env.get(GROWS) and stop == len(state.bMarks) - 1
    if found is None or (found.end < 0 and not may_grow):
        state.env[_FAILED] = state.env.get(_FAILED, 0) + 1
        return False
    source = text if found.end < 0 else text[: found.end]
    rest = text[len(source) :].partition("\n")[0].strip()
    if "\n" not in source and rest.strip(_STOPS):
        return False  # the formula is a part of this paragraph
    if not silent:
        _push_block(state, start, OPEN if found.end < 0 else DISPLAY, source, rest)
    return True


def _push_block(state: StateBlock, start: int, kind: str, source: str, rest: str) -> None:
    """Push the formula, and a paragraph for the words after it. A full stop there belongs to the formula's line."""
    stop = start + source.count("\n") + 1
    has_words = bool(rest.strip(_STOPS))
    if has_words:
        state.push("formula_open", "", 1).map = [start, stop]  # a stream freezes whole lines only
    formula = state.push(kind, "math", 0)
    formula.content, formula.map = source, [start, stop]
    formula.info = "" if has_words else rest
    if has_words:
        state.push("paragraph_open", "p", 1).map = [stop - 1, stop]
        words = state.push("inline", "", 0)
        words.content, words.map, words.children = rest, [stop - 1, stop], []
        state.push("paragraph_close", "p", -1)
        state.push("formula_close", "", -1)
    state.line = stop


def _inline(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    start = state.pos
    if state.src[start] not in {"$", "\\"}:
        return False
    text = state.src[start : min(state.posMax, start + _MAX_CHARACTERS + 1)]
    follows_word = text[0] == "$" and start > 0 and (state.src[start - 1].isalnum() or state.src[start - 1] in "$\\")
    found = None if follows_word else _formula(text)
    is_open = found is not None and found.end < 0
    if found is None or (is_open and not (state.env.get(AT_END) and state.posMax == len(state.src))):
        if not text.startswith(("\\(", "\\[")):
            return False
        state.pending += text[:2]  # Markdown would drop the backslash of a delimiter without an end
        state.pos += 2
        return True
    end = len(text) if is_open else found.end
    if is_open and text.startswith("$") and not _TEX.search(text):
        return False
    if not silent:
        state.push(OPEN if is_open else found.type, "math", 0).content = text[:end]
    state.pos = start + end
    return True


def _formula(text: str) -> _Found | None:
    """The formula that `text` begins with."""
    if text[:2] in _CLOSING:
        return _delimited(text, *_CLOSING[text[:2]])
    if text.startswith("\\begin{"):
        return _environment(text)
    return _dollar(text) if text.startswith("$") else None


def _delimited(text: str, closing: str, kind: str) -> _Found | None:
    at = 2
    while (end := text.find(closing, at, _MAX_CHARACTERS)) >= 0:
        if not _is_escaped(text, end):
            return _Found(kind, end + 2) if text[2:end].strip() else None
        at = end + 1
    return _still_open(text, kind)


def _is_escaped(text: str, at: int) -> bool:
    r"""Whether an odd number of backslashes stands before `at`, as in `\\]`: a line break and a bracket."""
    slashes = 0
    while at - slashes > 2 and text[at - slashes - 1] == "\\":  # noqa: PLR2004 - the opening delimiter
        slashes += 1
    return slashes % 2 == 1


def _environment(text: str) -> _Found | None:
    open_names: list[str] = []
    for match in _BEGIN.finditer(text, 0, _MAX_CHARACTERS):
        if match.group(1) == "begin":
            open_names.append(match.group(2))
        elif open_names and open_names.pop() != match.group(2):
            return None
        if len(open_names) > _MAX_DEPTH:
            return None
        if not open_names:
            return _Found(DISPLAY, match.end())
    return _still_open(text, DISPLAY) if open_names else None


def _dollar(text: str) -> _Found | None:
    """A formula between single dollars. Prices and shell variables are none."""
    if len(text) < 2 or text[1].isspace():  # noqa: PLR2004 - a dollar and one character
        return None
    close = text.find("$", 1, _MAX_DOLLAR)
    while close > 0 and text[close - 1] == "\\":
        close = text.find("$", close + 1, _MAX_DOLLAR)
    if close < 0:
        return None if "`" in text or _is_prose(text[1:]) else _still_open(text, INLINE)
    content = text[1:close]
    if not _DOLLAR_END.match(text, close) or "`" in content or _is_prose(content):
        return None
    return _Found(INLINE, close + 1)


def _is_prose(content: str) -> bool:
    is_words = _WORDS.search(content) or _PRICE.match(content)
    return is_words is not None and not _TEX.search(content)


def _still_open(text: str, kind: str) -> _Found | None:
    return _Found(kind, -1) if len(text) <= _MAX_CHARACTERS and text.count("\n") < _MAX_LINES - 1 else None
