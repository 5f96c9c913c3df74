"""Asks the hub about models, within 20 seconds a question. Blocks, so the window calls it on the network thread.

A card is untrusted: it is cut before it is parsed, and becomes plain text without front matter, HTML and Markdown's
marks, without an address that could be followed and control characters.

Raises HubError alone, apart from `examined`. huggingface_hub is imported with the first question: it takes 0.2 s and
24 MB.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from app.base import paths
from app.hub import library
from app.hub.found_models import FoundModel
from app.hub.model_page import CARD, ModelPage
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectModel
from resources.language.text import mark, tr
from storage.untrusted import MEBIBYTE
from ui.markdown.lines import Line, LineKind, lines

if TYPE_CHECKING:
    from app.hub.source import Source

MOST_FOUND: Final = 60
_LARGEST_CARD: Final = MEBIBYTE
_LARGEST_DESCRIPTION: Final = 64 * MEBIBYTE
"""Bytes of all the files together; a tokenizer of 250,000 tokens takes 20 MB."""
_ANSWER_S: Final = 8.0
_CONNECT_S: Final = 5.0
_SECONDS: Final = 20.0
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


class HubClient:
    """`token` returns the user's token, None for the one that huggingface_hub finds itself (HF_TOKEN, a login)."""

    def __init__(self, token: Callable[[], str | None] = lambda: None) -> None:
        self._token = token

    def search(self, text: str, limit: int = MOST_FOUND) -> tuple[FoundModel, ...]:
        """The most downloaded models for MLX whose names hold these words. Malformed ones are left out."""
        return self._source().search(text, limit)

    def model(self, repository: str, revision: str = "") -> ModelPage:
        """The page of a model at a commit or branch; "" is the newest commit."""
        from app.hub.source import NEWEST

        return self._source().page(repository, revision or NEWEST)

    def card(self, page: ModelPage) -> str:
        """The card of a model as plain text, "" for a model without one."""
        size = page.size(CARD)
        if size > _LARGEST_CARD:
            return CUT
        if not size:
            return ""
        return plain_card(self.read(page.id, page.revision, CARD, _LARGEST_CARD).decode("utf-8", "replace"))

    def examined(self, page: ModelPage, inspect: Callable[[InspectModel], Inspection]) -> Inspection:
        """Examine a model without its weights: the files that describe it go into a temporary folder, where the
        inspector process reads them. It runs no code of theirs and has a limit on time. Raises FolderRefused and what
        `inspect` raises, too.
        """
        left = _LARGEST_DESCRIPTION
        with paths.temporary("model-") as folder:
            for name in page.described_by:
                content = self.read(page.id, page.revision, name, left)
                left -= len(content)
                (folder / name).write_bytes(content)
            return inspect(InspectModel(str(folder), weight_bytes=page.weight_bytes))

    def read(self, repository: str, revision: str, name: str, largest: int) -> bytes:
        """The content of a small file. Raises HubAnswerUnreadable if it is larger."""
        return self._source().read(repository, revision, name, largest)

    def _source(self) -> Source:
        token = library.token(self._token())
        import httpx2
        from huggingface_hub import constants

        from app.hub.source import Source

        return Source(constants.ENDPOINT, token, httpx2.Timeout(_ANSWER_S, connect=_CONNECT_S), _SECONDS)


def plain_card(card: str) -> str:
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
