"""The formulas and images in a transcript's lines: as TeX and words until they are ready, then as pictures.

Invariants:
- `Typesetter` typesets formulas on a daemon thread and keeps the pictures for all transcripts. The end of the process
  does not wait for it. Transcripts ask whether a picture is there; the thread calls nothing of theirs.
- A bounded number of formulas and images is kept, and a message is written again when one of its pictures is ready. A
  message with more than that would be written for ever. So on the screen those that are too many stay TeX and words.
- The images that were painted last are kept, for all transcripts of the process.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from math import ceil, sqrt
from typing import Final, NamedTuple

from PySide6.QtCore import QByteArray, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPaintEngine, QPainter, QTextCharFormat, QTextDocument, QTextFormat
from PySide6.QtSvg import QSvgRenderer

from resources.language.text import tr
from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import NOT_LOADED, OBJECT, FormulaLook, Span, Spans
from ui.markdown.typesetting import INK, SIZE, Typeset, typeset
from ui.theme.theme import ui_font
from ui.transcript.blocks import TextProperty
from ui.transcript.image_loader import PictureObject, image_loader

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
        self._asked: OrderedDict[Formula, None] = OrderedDict()
        """Those that are not here. The one that was asked for last is the last, and typeset next."""
        self._lock = threading.Condition()
        self._typesetting = threading.Lock()
        self._thread: threading.Thread | None = None

    def is_ready(self, formula: Formula) -> bool:
        """Whether the formula was typeset or refused. If not, the thread does it soon."""
        with self._lock:
            if formula in self._pictures:
                self._pictures.move_to_end(formula)
                return True
            self._asked[formula] = None
            self._asked.move_to_end(formula)
            self._lock.notify()
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
            self._asked.pop(formula, None)
            while self._bytes > MOST_BYTES and len(self._pictures) > 1:
                self._bytes -= _size(*self._pictures.popitem(last=False))
        return made

    def _run(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._asked)
                formula = next(reversed(self._asked))
            self.picture(formula)


def _size(formula: Formula, picture: Typeset | None) -> int:
    return len(formula.source) + (len(picture.svg) if picture is not None else 0)


@lru_cache(maxsize=1)
def typesetter() -> Typesetter:
    """The typesetter of this process."""
    return Typesetter()


_Picture = Formula | str
"""A formula, or the address of an image."""

MOST_IMAGES, MOST_FORMULAS = 20, 500
"""In one message. Several messages can wait at once."""
_TYPESET = {FormulaLook.INLINE, FormulaLook.DISPLAY}


class Formulas:
    """Prepares lines for the document. `waiting` has the formulas on the page that are not typeset yet and the images
    that are not loaded, each with the messages that wait for it. On paper all formulas are shown, and the images at
    the `printed` addresses.
    """

    def __init__(self, printed: Container[str] | None = None) -> None:
        self._printed = printed
        self._message = ""  # that is prepared, with its images and formulas
        self._images: set[_Picture] = set()
        self._formulas: set[_Picture] = set()
        self.waiting: dict[_Picture, set[str]] = {}

    def prepared(self, message: str, lines: Iterable[Line]) -> tuple[Line, ...]:
        """The lines of a message with the pictures that are ready."""
        self._message, self._images, self._formulas = message, set(), set()
        return tuple(self._prepared(line) if _has_picture(line) else line for line in lines)

    def arrived(self) -> set[str]:
        """The messages whose formulas or images became ready since the last call."""
        ready = [picture for picture in self.waiting if _is_ready(picture)]
        return {message for picture in ready for message in self.waiting.pop(picture)}

    def typeset(self) -> Iterator[None]:
        """Typeset all formulas here, one in each step."""
        for picture in self.waiting:
            if isinstance(picture, Formula):
                typesetter().picture(picture)
                yield
        self.waiting.clear()

    def _prepared(self, line: Line) -> Line:
        spans = self._shown(line.spans, inline=line.kind is not LineKind.MATH)
        rows = tuple(tuple(self._shown(cell, inline=True) for cell in row) for row in line.rows)
        is_refused = line.kind is LineKind.MATH and spans[0].style.formula is FormulaLook.REFUSED
        return line._replace(kind=LineKind.TEXT if is_refused else line.kind, spans=spans, rows=rows)

    def _shown(self, spans: Spans, *, inline: bool) -> Spans:
        made: list[Span] = []
        for span in spans:
            if span.style.formula in _TYPESET:
                made.append(self._formula(span, Formula(span.text, inline)))
            elif span.style.image and span.text != OBJECT:
                made += self._image(span)
            else:
                made.append(span)
        return tuple(made)

    def _image(self, span: Span) -> list[Span]:
        """An image, or its words with the reason why it is not shown."""
        address, plain = span.style.image, span.style._replace(image="", source="")
        reason: str | None = NOT_LOADED
        if self._has_room(self._images, address, MOST_IMAGES):
            loaded = image_loader().peek(address) if self._is_ready(address) else None
            if loaded is not None and loaded.image is not None:
                return [Span(OBJECT, span.style)]
            reason = None if loaded is None else loaded.reason
        words = Span(span.text, plain)
        return [words, Span(" " + tr(reason), plain._replace(muted=True))] if reason else [words]

    def _formula(self, span: Span, formula: Formula) -> Span:
        if not self._has_room(self._formulas, formula, MOST_FORMULAS) or not self._is_ready(formula):
            return span
        if typesetter().picture(formula) is None:
            return span._replace(style=span.style._replace(formula=FormulaLook.REFUSED, code=True))
        return Span(OBJECT, span.style._replace(formula=FormulaLook.PICTURE, source=span.text))

    def _is_ready(self, picture: _Picture) -> bool:
        """Whether a picture is ready. If not, the message waits for it."""
        is_ready = _is_ready(picture)
        if not is_ready:
            self.waiting.setdefault(picture, set()).add(self._message)
        return is_ready

    def _has_room(self, shown: set[_Picture], picture: _Picture, most: int) -> bool:
        """Whether this picture of the message is one of those that are shown."""
        if self._printed is not None:
            return isinstance(picture, Formula) or picture in self._printed
        if len(shown) < most:
            shown.add(picture)
        return picture in shown


def _is_ready(picture: _Picture) -> bool:
    return typesetter().is_ready(picture) if isinstance(picture, Formula) else image_loader().is_ready(picture)


def _has_picture(line: Line) -> bool:
    spans = (span for cell in line.cells for span in cell)
    return line.kind is not LineKind.CODE and any(span.style.formula or span.style.image for span in spans)


FORMULA_OBJECT = QTextFormat.ObjectTypes.UserObject.value + 1
"""The type of the objects that `FormulaObject` paints."""

_LARGER = 1.14
"""The formulas' font has smaller letters than the text's."""
_MOST_PIXELS = 2_000_000
"""A larger picture shrinks: a model may draw a bar of any size. No formula with letters only is so large."""

_MOST_IMAGE_BYTES: Final = 64_000_000
"""A window full of formulas takes a fifth of it on a display with four dots a pixel."""


class Room(NamedTuple):
    """How wide a picture may be, in pixels. One that is wider than `wanted` shrinks to it, but its letters do not get
    smaller than those of a text of size `smallest`, unless it would be wider than `most`.
    """

    wanted: float
    most: float
    smallest: int


def formula_format(form: QTextCharFormat, formula: Formula, room: Room) -> QTextCharFormat:
    """The format of a formula's picture in text of this format. For a height h and an x-height x, Qt reserves
    (h + x/2) / 2 above the baseline and (h - x/2) / 2 below it. So the font of the picture decides how the height is
    divided.
    """
    picture = _picture(formula)
    scale = _scale(picture, form.font().pixelSize(), room)
    ascent, descent = picture.ascent * scale, max(0.0, picture.descent * scale)
    pixels, height = _font_with_x_height(max(1, ceil(2 * (ascent - descent))))
    made = QTextCharFormat(form)
    made.setObjectType(FORMULA_OBJECT)
    made.setProperty(TextProperty.FORMULA_INLINE, formula.inline)
    made.setProperty(TextProperty.FORMULA_SCALE, scale)
    made.setProperty(TextProperty.PICTURE_WIDTH, picture.width * scale)
    made.setProperty(TextProperty.PICTURE_HEIGHT, descent + height / 2 + descent)
    made.setFont(ui_font(pixels))
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    return made


def formula_width(formula: Formula, pixels: int, room: Room) -> float:
    """The width of the picture in text of this size."""
    picture = _picture(formula)
    return picture.width * _scale(picture, pixels, room)


def _scale(picture: Typeset, pixels: int, room: Room) -> float:
    least = min(pixels, room.smallest) * _LARGER / SIZE
    largest = sqrt(_MOST_PIXELS / (picture.width * (picture.ascent + picture.descent)))
    most = min(pixels * _LARGER / SIZE, room.most / picture.width, largest)
    return min(most, max(least, room.wanted / picture.width))


class FormulaImages:
    """Images by picture, colour and scale. The least recently painted ones are dropped."""

    def __init__(self, most_bytes: int = _MOST_IMAGE_BYTES) -> None:
        self._most_bytes = most_bytes
        self._images: OrderedDict[tuple[Typeset, str, float, float], QImage] = OrderedDict()
        self._bytes = 0

    def image(self, picture: Typeset, colour: str, scale: float, ratio: float) -> QImage:
        """The image of a picture at a scale in dots, for a device with `ratio` dots a pixel."""
        key = picture, colour, scale, ratio
        if key in self._images:
            self._images.move_to_end(key)
            return self._images[key]
        made = self._images[key] = _drawn(picture, colour, scale)
        made.setDevicePixelRatio(ratio)
        self._bytes += made.sizeInBytes()
        while self._bytes > self._most_bytes and len(self._images) > 1:
            self._bytes -= self._images.popitem(last=False)[1].sizeInBytes()
        return made


def _renderer(picture: Typeset, colour: str) -> QSvgRenderer:
    """What draws a picture in a colour."""
    return QSvgRenderer(QByteArray(picture.svg.replace(INK, colour).encode()))


def _drawn(picture: Typeset, colour: str, scale: float) -> QImage:
    width, height = picture.width * scale, (picture.ascent + picture.descent) * scale
    image = QImage(ceil(width), ceil(height), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    _renderer(picture, colour).render(painter, QRectF(0, 0, width, height))
    painter.end()
    return image


class FormulaObject(PictureObject):
    """Lays out and paints the pictures of one document. Qt covers a selected picture with half of the colour of the
    selection, so call `paint_selected` when the text is painted.
    """

    _images = FormulaImages()  # of this process

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._painted: dict[int, tuple[QPointF, QImage]] = {}

    def paint_selected(self, painter: QPainter, selected: range) -> None:
        """Paint the pictures again whose position is `selected`, above what covers them."""
        for position, (corner, image) in self._painted.items():
            if position in selected:
                painter.drawImage(corner, image)
        self._painted.clear()

    def drawObject(  # noqa: N802 - Qt's name and signature
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,
        posInDocument: int,  # noqa: N803 - Qt's name
        format: QTextFormat,  # noqa: A002 - Qt's name
    ) -> None:
        """Paint a picture on the baseline of its line. Qt gives the rectangle in the middle of the line."""
        block = doc.findBlock(posInDocument)
        line = block.layout().lineForTextPosition(posInDocument - block.position())
        baseline = rect.top() + line.ascent() - (line.height() - rect.height()) / 2
        source, is_inline = format.stringProperty(TextProperty.SOURCE), format.boolProperty(TextProperty.FORMULA_INLINE)
        picture = _picture(Formula(source, is_inline))
        scale = format.doubleProperty(TextProperty.FORMULA_SCALE)
        place = QRectF(
            rect.left(),
            baseline - picture.ascent * scale,
            picture.width * scale,
            (picture.ascent + picture.descent) * scale,
        )
        colour = format.toCharFormat().foreground().color().name()
        if painter.paintEngine().type() == QPaintEngine.Type.Pdf:
            hairline = f'<svg stroke="{colour}" stroke-width="0.01" '  # without it, QtSvg strokes a PDF with 1
            thin = picture._replace(svg=picture.svg.replace("<svg ", hairline, 1))
            _renderer(thin, colour).render(painter, place)
            return
        ratio = painter.device().devicePixelRatioF()
        # Whole pixels keep the picture as sharp as the text.
        corner = QPointF(round(place.left() * ratio) / ratio, round(place.top() * ratio) / ratio)
        image = self._images.image(picture, colour, scale * ratio, ratio)
        painter.drawImage(corner, image)
        self._painted[posInDocument] = corner, image


def _picture(formula: Formula) -> Typeset:
    picture = typesetter().picture(formula)
    assert picture is not None, "a formula that was refused has no picture"
    return picture


@lru_cache(maxsize=512)
def _font_with_x_height(least: int) -> tuple[int, int]:
    """The size of a font whose x-height is `least` or a little more, and that x-height, in pixels."""
    pixels = least
    while (height := QFontMetrics(ui_font(pixels)).xHeight()) < least:
        pixels += max(1, (least - height) // 2)
    return pixels, height
