"""The text of a presentation (.pptx): each slide with its diagrams, notes and comments, under its number."""

from __future__ import annotations

from typing import Final

from app.documents import word
from app.documents.limits import Text
from app.documents.office import Office

MAIN: Final = "ppt/presentation.xml"
_LINKED: Final = {"diagramData", "notesSlide", "comments"}


def read(office: Office) -> str:
    """All slides, in order. Raises DocumentRefused."""
    links = {name: part for name, _, part in office.links(MAIN)}
    order = (about.get("id", "") for kind, name, about in office.pieces(MAIN) if (kind, name) == ("start", "sldId"))
    text = Text()
    for number, slide in enumerate((links[one] for one in order if links.get(one, "") in office), 1):
        text.head(f"# Slide {number}\n")
        for part in (slide, *(part for _, kind, part in office.links(slide) if kind in _LINKED)):
            for piece in word.pieces(office, part, {}, {}) if part in office else ():
                text.add(piece)
        text.head("\n")
    return text.whole()
