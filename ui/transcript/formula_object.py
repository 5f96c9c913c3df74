"""Pictures of formulas in a text document: their formats, and the object that lays them out and paints them.

Runs on the GUI thread. The images that were painted last are kept, for all transcripts of the process.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from math import ceil, sqrt
from typing import Final, NamedTuple

from PySide6.QtCore import QByteArray, QObject, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QImage,
    QPaintEngine,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from ui.markdown.typesetting import INK, SIZE, Typeset
from ui.theme.theme import ui_font
from ui.transcript.formulas import Formula, typesetter
from ui.transcript.properties import TextProperty

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


class _Box(NamedTuple):
    """The place of a picture in its line: how far it reaches, and the font with which Qt reserves just that."""

    font: QFont
    width: float
    ascent: float
    descent: float


def formula_format(form: QTextCharFormat, formula: Formula, room: Room) -> QTextCharFormat:
    """The format of a formula's picture in text of this format."""
    picture = _picture(formula)
    scale = _scale(picture, form.font().pixelSize(), room)
    made = QTextCharFormat(form)
    made.setObjectType(FORMULA_OBJECT)
    made.setProperty(TextProperty.SOURCE, formula.source)
    made.setProperty(TextProperty.FORMULA_INLINE, formula.inline)
    made.setProperty(TextProperty.FORMULA_SCALE, scale)
    box = _box(picture, scale)
    made.setProperty(TextProperty.FORMULA_WIDTH, box.width)
    made.setProperty(TextProperty.FORMULA_HEIGHT, box.ascent + box.descent)
    made.setFont(box.font)
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


@lru_cache(maxsize=1)
def _formula_images() -> FormulaImages:
    """The images of this process."""
    return FormulaImages()


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


class FormulaObject(QPyTextObject):
    """Lays out and paints the pictures of one document. Qt covers a selected picture with half of the colour of the
    selection, so call `paint_selected` when the text is painted.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._painted: dict[int, tuple[QPointF, QImage]] = {}

    def paint_selected(self, painter: QPainter, selected: range) -> None:
        """Paint the pictures again whose position is `selected`, above what covers them."""
        for position, (corner, image) in self._painted.items():
            if position in selected:
                painter.drawImage(corner, image)
        self._painted.clear()

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:  # noqa: A002, ARG002, N802, N803 - Qt's names
        """The size that Qt reserves. Qt asks for it at each layout and at each paint."""
        return QSizeF(
            format.doubleProperty(TextProperty.FORMULA_WIDTH), format.doubleProperty(TextProperty.FORMULA_HEIGHT)
        )

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
        picture = _picture(_formula(format))
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
        image = _formula_images().image(picture, colour, scale * ratio, ratio)
        painter.drawImage(corner, image)
        self._painted[posInDocument] = corner, image


def _formula(form: QTextFormat) -> Formula:
    return Formula(form.stringProperty(TextProperty.SOURCE), form.boolProperty(TextProperty.FORMULA_INLINE))


def _picture(formula: Formula) -> Typeset:
    picture = typesetter().picture(formula)
    assert picture is not None, "a formula that was refused has no picture"
    return picture


def _box(picture: Typeset, scale: float) -> _Box:
    """For a height h and an x-height x, Qt reserves (h + x/2) / 2 above the baseline and (h - x/2) / 2 below it. So the
    font of the picture decides how the height is divided.
    """
    ascent, descent = picture.ascent * scale, max(0.0, picture.descent * scale)
    font, height = _font_with_x_height(max(1, ceil(2 * (ascent - descent))))
    return _Box(font, picture.width * scale, descent + height / 2, descent)


@lru_cache(maxsize=512)
def _font_with_x_height(least: int) -> tuple[QFont, int]:
    """A font whose x-height is `least` or a little more, and that x-height in pixels."""
    pixels = least
    while (height := QFontMetrics(ui_font(pixels)).xHeight()) < least:
        pixels += max(1, (least - height) // 2)
    return ui_font(pixels), height
