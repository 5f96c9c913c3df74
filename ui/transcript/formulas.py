"""The formulas and images in a transcript's lines: as TeX and words until they are ready, then as pictures.

Invariants:
- `Typesetter` typesets formulas on a daemon thread and keeps the pictures for all transcripts. The end of the process
  does not wait for it. Transcripts ask whether a picture is there; the thread calls nothing of theirs.
- A bounded number of formulas and images is kept, and a message is written again when one of its pictures is ready. A
  message with more than that would be written for ever. So on the screen those that are too many stay TeX and words.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from queue import SimpleQueue
from typing import Final, NamedTuple

from resources.language.text import tr
from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import NOT_LOADED, OBJECT, Span, Spans
from ui.markdown.spans import Formula as Look
from ui.markdown.typesetting import Typeset, typeset
from ui.transcript.image_loader import MOST, image_loader

MOST_BYTES: Final = 200_000_000
"""How much the pictures that are kept may take. Those on a page must be among them, or its messages would be written
for ever, and each paint would typeset. A page of nothing but formulas takes less, a usual one a hundredth.
"""


class Formula(NamedTuple):
    """A formula with its delimiters, in a line of text or on a line of its own."""

    source: str
    inline: bool


class Typesetter:
    """The pictures of formulas. The thread starts with the first one."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[Formula, Typeset | None] = OrderedDict()
        self._bytes = 0
        self._asked: set[Formula] = set()
        self._queue: SimpleQueue[Formula] = SimpleQueue()
        self._lock = threading.Lock()
        self._typesetting = threading.Lock()
        self._thread: threading.Thread | None = None

    def is_ready(self, formula: Formula) -> bool:
        """Whether the formula was typeset or refused. If not, the thread does it soon."""
        with self._lock:
            if formula in self._pictures:
                self._pictures.move_to_end(formula)
                return True
            if formula not in self._asked:
                self._asked.add(formula)
                self._queue.put(formula)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="formulas", daemon=True)
            self._thread.start()
        return False

    def picture(self, formula: Formula) -> Typeset | None:
        """The picture, or None for a formula that was refused. Typesets it now if it is not ready."""
        with self._lock:
            if formula in self._pictures:
                return self._pictures[formula]
        with self._typesetting:
            made = typeset(formula.source, inline=formula.inline)
        with self._lock:
            self._bytes += _size(formula, made) if formula not in self._pictures else 0
            self._pictures[formula] = made
            self._asked.discard(formula)
            while self._bytes > MOST_BYTES and len(self._pictures) > 1:
                self._bytes -= _size(*self._pictures.popitem(last=False))
        return made

    def _run(self) -> None:
        while True:
            self.picture(self._queue.get())


def _size(formula: Formula, picture: Typeset | None) -> int:
    return len(formula.source) + (len(picture.svg) if picture is not None else 0)


@lru_cache(maxsize=1)
def typesetter() -> Typesetter:
    """The typesetter of this process."""
    return Typesetter()


_Picture = Formula | str
"""A formula, or the address of an image."""

MOST_IMAGES, MOST_FORMULAS = MOST // 2, 500
"""In one message. Several messages can wait at once."""
_TYPESET = {Look.INLINE, Look.DISPLAY}


class Formulas:
    """Prepares lines for the document, and remembers which messages wait for a picture."""

    def __init__(self, *, on_paper: bool = False) -> None:
        self._on_paper = on_paper
        self._images: set[_Picture] = set()  # of the message that is prepared, like the next
        self._formulas: set[_Picture] = set()
        self._waiting: dict[_Picture, set[str]] = {}

    @property
    def are_waiting(self) -> bool:
        """Whether a formula on the page is not typeset yet, or an image not loaded."""
        return bool(self._waiting)

    def prepared(self, message: str, lines: Iterable[Line]) -> tuple[Line, ...]:
        """The lines of a message with the pictures that are ready."""
        self._images, self._formulas = set(), set()
        return tuple(self._prepared(message, line) if _has_picture(line) else line for line in lines)

    def arrived(self) -> set[str]:
        """The messages whose formulas or images became ready since the last call."""
        ready = [picture for picture in self._waiting if _is_ready(picture)]
        return {message for picture in ready for message in self._waiting.pop(picture)}

    def typeset(self) -> Iterator[None]:
        """Typeset all formulas here, one in each step. Images that are not loaded yet stay words."""
        for picture in self._waiting:
            if isinstance(picture, Formula):
                typesetter().picture(picture)
                yield
        self._waiting.clear()

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
        elif span.style.image and span.text != OBJECT:
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
        loaded = image_loader().peek(address) if self._is_ready(address, message) else None
        if loaded is not None and loaded.image is not None:
            yield Span(OBJECT, span.style)
            return
        yield Span(span.text, plain)
        if loaded is not None and loaded.reason is not None:
            yield Span(" " + tr(loaded.reason), plain._replace(muted=True))

    def _span(self, message: str, span: Span, *, inline: bool) -> Span:
        formula = Formula(span.text, inline)
        if not self._has_room(self._formulas, formula, MOST_FORMULAS):
            return span
        if not self._is_ready(formula, message):
            return span
        if typesetter().picture(formula) is None:
            return span._replace(style=span.style._replace(formula=Look.REFUSED, code=True))
        return Span(OBJECT, span.style._replace(formula=Look.PICTURE, source=span.text))

    def _is_ready(self, picture: _Picture, message: str) -> bool:
        """Whether a picture is ready. If not, the message waits for it."""
        is_ready = _is_ready(picture)
        if not is_ready:
            self._waiting.setdefault(picture, set()).add(message)
        return is_ready

    def _has_room(self, shown: set[_Picture], picture: _Picture, most: int) -> bool:
        """Whether this picture of the message is one of those that are shown."""
        if self._on_paper or len(shown) < most:
            shown.add(picture)
        return picture in shown


def _is_ready(picture: _Picture) -> bool:
    return typesetter().is_ready(picture) if isinstance(picture, Formula) else image_loader().is_ready(picture)


def _has_picture(line: Line) -> bool:
    if line.kind is LineKind.CODE:
        return False
    if line.rows:
        return any(_is_picture(span) for row in line.rows for cell in row for span in cell)
    return any(_is_picture(span) for span in line.spans)


def _is_picture(span: Span) -> bool:
    return bool(span.style.formula or span.style.image)
