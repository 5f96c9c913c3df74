"""Inline Markdown (emphasis, code, links) as spans, of which paragraphs, headings and table cells consist. No Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from markdown_it.token import Token

from resources.language.text import mark, tr
from ui.markdown.formulas import DISPLAY, INLINE, OPEN
from ui.markdown.grammar import clean

BREAK = "\u2028"
"""A line break inside a line."""
OBJECT = "\ufffc"
"""Stands for an icon, or for the picture of a formula or an image, as in a document of Qt."""

NOT_LOADED = mark("(image, not loaded)")
_REMOTE = re.compile(r"https?:", re.IGNORECASE)
_FILE = re.compile(r"file:[^?#]*", re.IGNORECASE)
_THIN = "\u2009"
ROOM = "\u202f"
_BARE_LINK = re.compile(r"https?://[^\s<>\"`]*[^\s<>\"`.,;:!?)\]}'*_]", re.IGNORECASE)


class FormulaLook(StrEnum):
    """How a span of TeX is shown."""

    NONE = ""
    INLINE = "inline"
    DISPLAY = "display"
    OPEN = "open"  # its end is not generated yet
    PICTURE = "picture"  # the transcript has typeset it
    REFUSED = "refused"  # it cannot be typeset


class Style(NamedTuple):
    """How a span differs from plain text.

    - `token` is a kind of source code.
    - `icon` is the icon that replaces the span, and `tip` its tool tip.
    - `muted` is set on secondary text and on disabled icons.
    - The text of a span with a `formula` is its TeX with the delimiters. A picture has the TeX as its `source`.
    - `script` is "sub" or "sup" for small text below or above the line, and `key` is set on the name of a key.
    - `source` is copied in place of the text.
    - Spans with the same `chip` (from 1) are on one card, which has the icon `chip_icon`.
    - `is_room` is set on the space at both sides of code: it is shown, and is no part of the text.
    - `image` is the address of an image of this computer, which the transcript shows in place of the text.
    """

    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    href: str = ""
    token: str = ""
    icon: str = ""
    tip: str = ""
    muted: bool = False
    chip: int = 0
    chip_icon: str = ""
    formula: FormulaLook = FormulaLook.NONE
    source: str = ""
    script: str = ""
    key: bool = False
    image: str = ""
    is_room: bool = False


PLAIN = Style()


class Span(NamedTuple):
    """A run of text in one style."""

    text: str
    style: Style = PLAIN


Spans = tuple[Span, ...]

_SWITCHES = {"strong": "bold", "em": "italic", "s": "strike", "kbd": "key"}
"""The fields of a style that a tag sets."""
_FORMULAS = {INLINE: FormulaLook.INLINE, DISPLAY: FormulaLook.DISPLAY, OPEN: FormulaLook.OPEN}


def formula_span(source: str, formula: FormulaLook) -> Span:
    """A display formula, which is a line of its own."""
    return Span(_printable(source), Style(formula=formula))


def inline_spans(tokens: Iterable[Token]) -> Spans:
    """The spans of an inline token's children."""
    spans: list[Span] = []
    style = PLAIN
    for token in tokens:
        if token.nesting and token.tag in _SWITCHES:
            switched: dict[str, Any] = {_SWITCHES[token.tag]: token.nesting > 0}
            style = style._replace(**switched)
        elif token.nesting and token.tag in {"sub", "sup"}:
            style = style._replace(script=token.tag if token.nesting > 0 else "")
        elif token.type in {"link_open", "link_close"}:
            address = str(token.attrGet("href") or "")
            style = style._replace(href="" if address[:5].lower() == "data:" else address)
        else:
            spans.extend(_leaf(token, style))
    return _merged(spans)


def stripped(spans: Spans) -> Spans:
    """The spans without blanks and line breaks at the ends."""
    kept = list(spans)
    while kept and not kept[0].text.strip():
        del kept[0]
    while kept and not kept[-1].text.strip():
        del kept[-1]
    if kept:
        kept[0] = kept[0]._replace(text=kept[0].text.lstrip())
        kept[-1] = kept[-1]._replace(text=kept[-1].text.rstrip())
    return tuple(kept)


def _leaf(token: Token, style: Style) -> Iterator[Span]:
    match token.type:
        case "softbreak" | "hardbreak":
            yield Span(BREAK, style)
        case "code_inline":
            yield from code_spans(token.content, style._replace(code=True))
        case "image":
            yield from _image(token, style)
        case "footnote_ref":
            yield Span(token.content, style._replace(script="sup", source=token.markup))
        case kind if kind in _FORMULAS:
            yield Span(token.content, style._replace(formula=_FORMULAS[kind]))
        case _ if style.key:
            yield Span(f"{_THIN}{token.content}{_THIN}", style._replace(source=token.content))
        case _ if style.href:
            yield Span(token.content, style)
        case _:
            yield from _linked(token.content, style)


def code_spans(code: str, style: Style) -> Iterator[Span]:
    """Code between words, with room at both sides of its pill. A line does not break at that room."""
    room = Span(ROOM, Style(is_room=True))
    yield from (room, Span(code, style), room)


def image_address(address: str) -> str:
    """The address without a query and a fragment, which name no other file (RFC 8089, section 2)."""
    return file.group() if (file := _FILE.match(address)) else address


def text_of(spans: Iterable[Span]) -> str:
    """The text of spans."""
    return "".join(span.text for span in spans if not span.style.is_room)


def _image(token: Token, style: Style) -> Iterator[Span]:
    """A remote image is never loaded: its words and its address stand for it."""
    address = str(token.attrGet("src") or "")
    if _REMOTE.match(address):
        yield Span(token.content or address, style._replace(href=style.href or address))
        yield Span(" " + tr(NOT_LOADED), style._replace(href="", muted=True))
    else:
        words = token.content or tr("Image")
        source = f"![{token.content}]({address})"
        yield Span(words, style._replace(image=image_address(address), tip=words, source=source))


def _linked(text: str, style: Style) -> Iterator[Span]:
    """Split the text so that bare web addresses become links."""
    end = 0
    for match in _BARE_LINK.finditer(text):
        yield Span(text[end : match.start()], style)
        yield Span(match.group(), style._replace(href=match.group()))
        end = match.end()
    yield Span(text[end:], style)


def _merged(spans: Iterable[Span]) -> Spans:
    """Merge neighbours of the same style and drop empty spans, so that equal text gives equal spans.

    Character references ("&#10;") may have brought back characters that `clean` had replaced.
    """
    joined: list[Span] = []
    for text, style in spans:
        span = Span(_printable(text), style)
        if joined and joined[-1].style == span.style and not style.formula:
            joined[-1] = Span(joined[-1].text + span.text, span.style)
        elif span.text:
            joined.append(span)
    return tuple(joined)


def _printable(text: str) -> str:
    return clean(text).replace("\n", BREAK)
