"""Turns a model card into plain text: without front matter, HTML and Markdown's marks. Pure.

A card is untrusted: it is cut before it is parsed, and its text holds no address that could be followed and no control
characters.
"""

from __future__ import annotations

import re
from typing import Final

from resources.language.text import mark, tr
from ui.markdown.lines import Line, LineKind, lines

LONGEST: Final = 20_000
"""Characters. The ends of longer cards are mostly tables of results."""


CUT: Final = mark("The rest of this card is on the model's page at the hub.")


_FRONT: Final = re.compile(r"\A\ufeff?---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)


_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


_ELEMENT: Final = (
    "a|abbr|b|br|center|code|details|div|em|figcaption|figure|font|h[1-6]|hr|i|img|kbd|li|ol|p|picture|pre|small|source|"
    "span|strong|style|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video"
)


_ENDS_LINE: Final = re.compile(r"</(?:p|div|h[1-6]|li|tr|table|center|summary)>|<br\s*/?>", re.IGNORECASE)


_TAG: Final = re.compile(rf"</?(?:{_ELEMENT})(?:\s[^<>]{{0,2000}})?/?>", re.IGNORECASE)


_BLANKS: Final = re.compile(r"\n{3,}")


_FRAMES: Final = frozenset({LineKind.CODE_HEAD, LineKind.CODE_FOOT, LineKind.TABLE_FOOT, LineKind.RULE})


def plain(card: str) -> str:
    """Return the text of a card, with a sentence at its end if it was cut."""
    card = _FRONT.sub("", card.replace("\r\n", "\n"), count=1)
    without_html = _TAG.sub("", _ENDS_LINE.sub("\n", _COMMENT.sub("", card[:LONGEST])))
    shown = "".join(_paragraph(line) for line in lines(without_html) if line.kind not in _FRAMES)
    text = _BLANKS.sub("\n\n", "".join(sign for sign in shown if sign.isprintable() or sign == "\n")).strip()
    return f"{text}\n\n{tr(CUT)}" if len(card) > LONGEST else text


def _paragraph(line: Line) -> str:
    """The text of a line. A blank line is above it, but not within a list."""
    is_inside = line.kind is LineKind.CODE or (line.kind is LineKind.TABLE and line.number > 0)
    above = "\n" if line.tight or is_inside else "\n\n"
    if line.kind is LineKind.TABLE:
        return above + "   ".join("".join(span.text for span in cell) for row in line.rows for cell in row)
    text = line.text if line.kind is LineKind.CODE else " ".join(line.text.split())
    indent = "  " * (line.nest.count("-") - 1)
    return f"{above}{indent}{line.marker} {text}" if line.marker else above + text
