"""The dialect: which Markdown is understood, and which characters of a message can be shown at all.

Owns the settings of the library that parses; what comes of its tokens is `lines`'s and `spans`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore

DEEPEST = 40
"""The nesting level at which the parser drops what is inside."""

_MOST_BRACKETS = 500
_LINK = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffc\ufffe\uffff]")


def clean(text: str) -> str:
    """`text` without what a document cannot hold. The result of a whole is the sum of the results of its parts."""
    return _UNPRINTABLE.sub("\ufffd", text.replace("\r", "").replace("\u2029", "\u2028"))


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The one parser. It raises on no text."""
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}).enable(["table", "strikethrough"])
    # An address that would never be opened stays visible as it was written.
    made.validateLink = lambda url: _LINK.match(url) is not None  # type: ignore[method-assign]  # its documented hook
    made.core.ruler.at("inline", _parse_inline)
    return made


def _parse_inline(state: StateCore) -> None:
    """The library's rule of the same name, but without links where looking for them would take quadratic time."""
    for token in state.tokens:
        if token.type == "inline":
            few = token.content.count("[") <= _MOST_BRACKETS
            inline = (state.md if few else _linkless_parser()).inline
            token.children = []
            inline.parse(token.content, state.md, state.env, token.children)


@lru_cache(maxsize=1)
def _linkless_parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough").disable(["link", "image"])
