"""The formulas and images in a transcript's lines: as TeX and words until they are ready, then as pictures.

Formulas are typeset, and images of this computer are loaded, on threads of their own. A bounded number of both is kept,
and a message is written again when one of its pictures is ready. A message with more than that would be written for
ever. So on the screen those that are too many stay TeX and words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from resources.language.text import tr
from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import NOT_LOADED, Span
from ui.markdown.spans import Formula as Look
from ui.transcript.footer import ICON
from ui.transcript.image_loader import MOST, image_loader
from ui.transcript.typesetter import Formula, typesetter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ui.markdown.spans import Spans

_Key = TypeVar("_Key")

MOST_IMAGES, MOST_FORMULAS = MOST // 2, 500
"""In one message. Several messages can wait at once."""
_TYPESET = {Look.INLINE, Look.DISPLAY}


class Formulas:
    """Prepares lines for the document, and remembers which messages wait for a picture."""

    def __init__(self, *, on_paper: bool = False) -> None:
        self._on_paper = on_paper
        self._images: set[str] = set()  # of the message that is prepared, like the next
        self._formulas: set[Formula] = set()
        self._waiting: dict[Formula, set[str]] = {}
        self._loading: dict[str, set[str]] = {}

    @property
    def are_waiting(self) -> bool:
        """Whether a formula on the page is not typeset yet, or an image not loaded."""
        return bool(self._waiting or self._loading)

    def prepared(self, message: str, lines: Iterable[Line]) -> tuple[Line, ...]:
        """The lines of a message with the pictures that are ready."""
        self._images, self._formulas = set(), set()
        return tuple(self._prepared(message, line) if _has_picture(line) else line for line in lines)

    def arrived(self) -> set[str]:
        """The messages whose formulas or images became ready since the last call."""
        ready = [formula for formula in self._waiting if typesetter().is_ready(formula)]
        here = [address for address in self._loading if image_loader().is_ready(address)]
        changed = {message for formula in ready for message in self._waiting.pop(formula)}
        return changed | {message for address in here for message in self._loading.pop(address)}

    def typeset(self) -> Iterator[None]:
        """Typeset all formulas here, one in each step. Images that are not loaded yet stay words."""
        for formula in self._waiting:
            typesetter().picture(formula)
            yield
        self._waiting.clear()
        self._loading.clear()

    def _prepared(self, message: str, line: Line) -> Line:
        inline = line.kind is not LineKind.MATH
        spans = self._spans(message, line.spans, inline=inline)
        rows = tuple(tuple(self._spans(message, cell, inline=True) for cell in row) for row in line.rows)
        kind = line.kind
        if kind is LineKind.MATH and spans[0].style.formula is Look.REFUSED:
            kind = LineKind.TEXT
        return line._replace(kind=kind, spans=spans, rows=rows)

    def _spans(self, message: str, spans: Spans, *, inline: bool) -> Spans:
        return tuple(made for span in spans for made in self._pictures(message, span, inline=inline))

    def _pictures(self, message: str, span: Span, *, inline: bool) -> Iterator[Span]:
        if span.style.formula in _TYPESET:
            yield self._span(message, span, inline=inline)
        elif span.style.image and span.text != ICON:
            yield from self._image(message, span)
        else:
            yield span

    def _image(self, message: str, span: Span) -> Iterator[Span]:
        """An image, or its words with the reason why it is not shown."""
        address, plain = span.style.image, span.style._replace(image="", source="")
        if not self._has_room(self._images, address, MOST_IMAGES):
            yield Span(span.text, plain)
            yield Span(" " + tr(NOT_LOADED), plain._replace(muted=True))
            return
        is_ready = image_loader().is_ready(address)
        loaded = image_loader().peek(address)
        if is_ready and loaded is not None and loaded.image is not None:
            yield Span(ICON, span.style)
        elif is_ready and loaded is not None and loaded.reason is not None:
            yield Span(span.text, plain)
            yield Span(" " + tr(loaded.reason), plain._replace(muted=True))
        else:
            self._loading.setdefault(address, set()).add(message)
            yield Span(span.text, plain)

    def _span(self, message: str, span: Span, *, inline: bool) -> Span:
        formula = Formula(span.text, inline)
        if not self._has_room(self._formulas, formula, MOST_FORMULAS):
            return span
        if not typesetter().is_ready(formula):
            self._waiting.setdefault(formula, set()).add(message)
            return span
        if typesetter().picture(formula) is None:
            return span._replace(style=span.style._replace(formula=Look.REFUSED, code=True))
        return Span(ICON, span.style._replace(formula=Look.PICTURE, source=span.text))

    def _has_room(self, shown: set[_Key], picture: _Key, most: int) -> bool:
        """Whether this picture of the message is one of those that are shown."""
        if self._on_paper or len(shown) < most:
            shown.add(picture)
        return picture in shown


def _has_picture(line: Line) -> bool:
    if line.kind is LineKind.CODE:
        return False
    if line.rows:
        return any(_is_picture(span) for row in line.rows for cell in row for span in cell)
    return any(_is_picture(span) for span in line.spans)


def _is_picture(span: Span) -> bool:
    return bool(span.style.formula or span.style.image)
