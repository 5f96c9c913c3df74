"""The Markdown parser, and the characters of a message that can be shown. No Qt."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_inline.image import image

from ui.markdown.formulas import GROWS, enable_formulas
from ui.markdown.growing_end import growing_paragraph, parse_growing
from ui.markdown.tags import enable_tags

if TYPE_CHECKING:
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_NESTING = 40
"""The nesting level at which the parser drops the content."""

_MAX_BRACKETS = 500
_LINK = re.compile(r"(?:https?://|mailto:|data:image/)", re.IGNORECASE)
_IMAGE = re.compile(r"(?:https?://|data:image/|file:/|~?/)", re.IGNORECASE)
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffc\ufffe\uffff]")


def clean(text: str) -> str:
    """Replace characters that a text document cannot hold. Cleaning a text in parts gives the same result as cleaning
    it whole.
    """
    return _UNPRINTABLE.sub("\ufffd", text.replace("\r", "").replace("\u2029", "\u2028"))


def parse(text: str, *, grows: bool = False) -> list[Token]:
    """The tokens of clean text. Any text is accepted. `grows` says that more text may follow."""
    return _parser().parse(text, {GROWS: grows})


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    # An address that would never be opened stays visible as text.
    made.validateLink = lambda url: _LINK.match(url) is not None  # type: ignore[method-assign]  # its documented hook
    made.inline.ruler.at("image", partial(_parse_image, made))
    made.core.ruler.at("inline", _parse_inline)
    enable_formulas(made)
    enable_tags(made)
    return made


def _parse_inline(state: StateCore) -> None:
    """Replaces the library's rule of the same name. It skips links if searching for them would take quadratic time."""
    growing = growing_paragraph(state) if state.env[GROWS] else -1
    for index, token in enumerate(state.tokens):
        if token.type != "inline":
            continue
        inline = _inline_parser(state, token.content)
        if index == growing:
            token.children = parse_growing(inline, token.content, state)
        else:
            token.children = []
            inline.parse(token.content, state.md, state.env, token.children)


def _parse_image(parser: MarkdownIt, state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the library's signature
    """The library's rule, for files of this computer too. A link to such a file stays visible as text."""
    links = parser.validateLink
    parser.validateLink = lambda url: _IMAGE.match(url) is not None  # type: ignore[method-assign]  # its documented hook
    try:
        return image(state, silent)
    finally:
        parser.validateLink = links  # type: ignore[method-assign]  # as above


def _inline_parser(state: StateCore, content: str) -> ParserInline:
    few = content.count("[") <= _MAX_BRACKETS
    return (state.md if few else _linkless_parser()).inline


@lru_cache(maxsize=1)
def _linkless_parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").disable(["link", "image"])
    enable_formulas(made)
    return made
