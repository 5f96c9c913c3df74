"""The text of a presentation (.pptx): each slide with what belongs to it, under its number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Final

from app.documents import word
from app.documents.limits import Text, refuse_long
from app.documents.number_format import number
from app.documents.office import Office

MAIN: Final = "ppt/presentation.xml"
_LABELS: Final = {"chart": "Chart:\n", "notesSlide": "Speaker notes:\n", "comments": "Comments:\n"}
_LINKED: Final = {"drawing", "diagramData", *_LABELS}
_LINES: Final = {"p", "text", "tx", "cat", "val", "xVal", "yVal", "lvl"}  # of comments and charts


def read(office: Office) -> str:
    """All slides, in order. Raises DocumentRefused."""
    links = {name: part for name, _, part in office.links(MAIN)}
    order = (about.get("id", "") for kind, name, about in office.pieces(MAIN) if (kind, name) == ("start", "sldId"))
    text = Text()
    for place, slide in enumerate((links[one] for one in order if links.get(one, "") in office), 1):
        is_hidden = next(office.pieces(slide))[2].get("show") in {"0", "false"}
        text.head(f"# Slide {place}{' (hidden)' * is_hidden}\n")
        for piece in word.pieces(office, slide, {}, {}):
            text.add(piece)
        add_linked(text, office, slide)
        text.head("\n")
    return text.whole()


def add_linked(text: Text, office: Office, part: str) -> None:
    """Append the text of what belongs to a slide or a sheet. The charts of a sheet belong to its drawing."""
    links = list(office.links(part))
    for _, kind, name in chain(links, *(office.links(one) for _, kind, one in links if kind == "drawing")):
        if kind in _LINKED and name in office:
            text.head(_LABELS.get(kind, ""))
            for piece in _lines(office, name) if kind in {"chart", "comments"} else word.pieces(office, name, {}, {}):
                text.add(piece)


def _lines(office: Office, part: str) -> Iterator[str]:
    """The text of a chart or of comments, which may have no paragraphs."""
    value, is_text, place = "", False, 0
    for kind, name, about in office.pieces(part):
        if kind == "text":
            value += name * is_text
            refuse_long(len(value))
        elif kind == "start":
            value, is_text = "", name in {"t", "v", "text"}
            yield f"{about.get('ref', '')}: " * (name == "comment")
            if name == "pt":  # an empty cell has none
                before, place = place, int(about.get("idx", "0")[:5])
                yield "\t" * (place - before)
        else:
            with suppress(ValueError):
                value = number(value) if name == "v" else value
            yield value + "\n" * (name in _LINES)
            value, is_text, place = "", False, 0 if name in _LINES else place
