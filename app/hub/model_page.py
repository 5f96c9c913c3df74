"""A model's page on the hub as checked values: its commit, files, licence and card. Pure.

Turns a model card into plain text: without front matter, HTML and Markdown's marks. Pure.

A card is untrusted: it is cut before it is parsed, and its text holds no address that could be followed and no control
characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.hub.fetch.selection import WEIGHTS, RemoteFile, of_use
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
    shown = "".join(_paragraph(line) for line in lines(_without_html(card[:LONGEST])) if line.kind not in _FRAMES)
    text = _BLANKS.sub("\n\n", "".join(sign for sign in shown if sign.isprintable() or sign == "\n")).strip()
    return f"{text}\n\n{tr(CUT)}" if len(card) > LONGEST else text


def _without_html(text: str) -> str:
    return _TAG.sub("", _ENDS_LINE.sub("\n", _COMMENT.sub("", text)))


def _paragraph(line: Line) -> str:
    """The text of a line. A blank line is above it, but not within a list."""
    is_inside = line.kind is LineKind.CODE or (line.kind is LineKind.TABLE and line.number > 0)
    above = "\n" if line.tight or is_inside else "\n\n"
    if line.kind is LineKind.TABLE:
        return above + "   ".join("".join(span.text for span in cell) for row in line.rows for cell in row)
    text = line.text if line.kind is LineKind.CODE else " ".join(line.text.split())
    indent = "  " * (line.nest.count("-") - 1)
    return f"{above}{indent}{line.marker} {text}" if line.marker else above + text


DESCRIPTION: Final = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "tokenizer.model",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
    "chat_template.json",
)
"""The files that describe a model without its weights."""
_HEADED: Final = re.compile(r"([^/]+/Qwen3\.[5-9][\w.-]*?)-(\d+bit|bf16)", re.ASCII | re.IGNORECASE)
"""The models whose families have draft heads, and how the names of their repositories end."""
CARD: Final = "README.md"
HEAD: Final = ("mtp/", "mtp.")


@dataclass(frozen=True, slots=True)
class ModelPage:
    """A model at one commit, with the files of that."""

    id: str
    revision: str
    licence: str = ""
    gated: bool = False
    files: tuple[RemoteFile, ...] = ()

    @property
    def publisher(self) -> str:
        """The account that published the model."""
        return self.id.partition("/")[0]

    @property
    def weight_bytes(self) -> int:
        """The bytes of the weights that Hearth can load."""
        return sum(file.size for file in self.files if file.path.endswith(WEIGHTS) and "/" not in file.path)

    @property
    def download_bytes(self) -> int:
        """The bytes of all files that a download fetches: beside the weights, the tokenizer and the licence."""
        names = of_use(file.path for file in self.files)
        return sum(file.size for file in self.files if file.path in names)

    @property
    def head_bytes(self) -> int:
        """The bytes of a draft head beside the weights, which a download fetches too."""
        return sum(file.size for file in self.files if file.path.startswith(HEAD) and file.path.endswith(WEIGHTS))

    @property
    def head_repository(self) -> str:
        """Where the model's draft head would be, if it was published apart; "" if the model brings one, or has none."""
        named = None if self.head_bytes else _HEADED.fullmatch(self.id)
        return "" if named is None or "-MTP" in self.id.upper() else f"{named[1]}-MTP-{named[2]}"

    @property
    def described_by(self) -> tuple[str, ...]:
        """The names of the files that describe the model."""
        return tuple(file.path for file in self.files if file.path in DESCRIPTION)

    def size(self, name: str) -> int:
        """The bytes of a file, 0 if the commit lacks it."""
        return next((file.size for file in self.files if file.path == name), 0)
