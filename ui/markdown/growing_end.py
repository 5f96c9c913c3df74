"""The last paragraph of a text that is still being generated: no marker flashes before its other half arrives. No Qt.

- Emphasis and code whose end is missing are shown as if they had ended.
- The beginning of a link, a tag or an escape is held back until it is decided.
- A formula without its end is one token, so its TeX stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ui.markdown.formulas import AT_END, OPEN

_LINK = re.compile(r"!?\[[^\[\]]{0,200}(?:\](?:\([^()\s]{0,2000}(?:[ \t][^)\n]{0,200})?)?)?\Z")
_TAG = re.compile(r"<(?:/?[a-z]{0,4}|(?:https?:|mailto:)[^>\s]{0,500})\Z", re.IGNORECASE)
_MARKERS = re.compile(r"(?:[*_~`]|\\)+\Z")
_TICKS = re.compile(r"\\.|`+", re.DOTALL)


def growing_paragraph(state: StateCore) -> int:
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


def parse_growing(parser: ParserInline, content: str, state: StateCore) -> list[Token]:
    """The tokens of the last paragraph."""
    content = _decided(content)
    env = {**state.env, AT_END: True}
    tokens, missing = _parse(parser, content, state, env)
    if not missing:
        return tokens
    formula = tokens.pop() if tokens[-1].type == OPEN else None
    words = content[: -len(formula.content)] if formula else content
    ended = words.rstrip()
    tokens, _ = _parse(parser, ended + missing, state, state.env)
    return [*tokens, *_gap(words[len(ended) :]), *([formula] if formula else ())]


def _decided(content: str) -> str:
    """`content` without an end whose meaning the next characters decide. Code that has not ended is closed."""
    ticks = _open_ticks(content)
    if ticks >= 0:
        run = _TICKS.match(content, ticks)
        assert run is not None, "an open run of ticks begins there"
        code = content[run.end() :].rstrip("`")
        return content[: run.end()] + code + run.group() if code.strip() else content[:ticks]
    for undecided in (_LINK, _TAG, _MARKERS):
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


def _parse(
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


def _gap(blanks: str) -> list[Token]:
    if not blanks:
        return []
    return [Token("text", "", 0, content=blanks)]
