"""The few HTML tags that models write in Markdown: line breaks, sub- and superscript and keys. No Qt.

Other tags stay text. Footnotes are here too, as they are shown with a superscript.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

PAIRED = ("sub", "sup", "kbd")
FOOTNOTE = "footnote_ref"
"""The type of the token of a reference to a footnote. Its content is the label."""

_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_OPEN = re.compile(rf"<({'|'.join(PAIRED)})>", re.IGNORECASE)
_CLOSE = {name: re.compile(f"</{name}>", re.IGNORECASE) for name in PAIRED}
_REFERENCE = re.compile(r"\[\^(\d{1,4}|[A-Za-z][\w-]{0,30})\](?!\()")
_DEFINITION = re.compile(r"\[\^(\d{1,4}|[A-Za-z][\w-]{2,30}|[A-Za-z][\w-]?(?=\]:[ \t]+\S))\]:[ \t]*")
_CLASS = re.compile(r"[A-Za-z](?:\w?|-[\w-]*)\Z")
"""A label that may as well be a class of characters of a regular expression. It needs a footnote."""
_DEFINED = "footnotes"
"""The labels of the footnotes, in the environment of one parse."""


def enable_tags(parser: MarkdownIt) -> None:
    """Let `parser` recognise the tags and footnotes."""
    parser.inline.ruler.before("autolink", "tag", _tag)
    parser.inline.ruler.before("link", "footnote", _reference)
    parser.block.ruler.before("reference", "footnote", _definition, {"alt": ["paragraph", "reference"]})


def _tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    if state.src[state.pos] != "<":
        return False
    if match := _BREAK.match(state.src, state.pos, state.posMax):
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
        token = state.push(FOOTNOTE, "sup", 0)
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
