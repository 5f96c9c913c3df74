"""Pictures of formulas in a text document: their formats, and the object that lays them out and paints them."""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QImage,
    QPaintEngine,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from ui.markdown.typesetting import INK, SIZE
from ui.theme.theme import ui_font
from ui.transcript.typesetter import Formula, typesetter

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject, QRect
    from PySide6.QtGui import QTextDocument

    from ui.markdown.typesetting import Typeset

FORMULA_OBJECT = QTextFormat.ObjectTypes.UserObject.value + 1
"""The type of the objects that `FormulaObject` paints."""
SOURCE = QTextFormat.Property.UserProperty + 7
"""Property of text that is copied as another text: the TeX of a formula."""
_INLINE = QTextFormat.Property.UserProperty + 8
_SCALE = QTextFormat.Property.UserProperty + 9

_LARGER = 1.14
"""The formulas' font has smaller letters than the text's."""


class _Box(NamedTuple):
    """The place of a picture in its line: how far it reaches, and the font with which Qt reserves just that."""

    font: QFont
    width: float
    ascent: float
    descent: float


def formula_format(form: QTextCharFormat, formula: Formula, pixels: int, widest: float) -> QTextCharFormat:
    """The format of a formula's picture in text of this format and size. A picture that is wider than `widest` shrinks
    to it.
    """
    picture = _picture(formula)
    scale = _scale(picture, pixels, widest)
    made = QTextCharFormat(form)
    made.setObjectType(FORMULA_OBJECT)
    made.setProperty(SOURCE, formula.source)
    made.setProperty(_INLINE, formula.inline)
    made.setProperty(_SCALE, scale)
    made.setFont(_box(picture, scale).font)
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    return made


def formula_width(formula: Formula, pixels: int, widest: float) -> float:
    """The width of the picture in text of this size."""
    picture = _picture(formula)
    return picture.width * _scale(picture, pixels, widest)


def _scale(picture: Typeset, pixels: int, widest: float) -> float:
    return min(pixels * _LARGER / SIZE, widest / picture.width)


class FormulaObject(QPyTextObject):
    """Lays out and paints the pictures of one document. Qt covers a selected picture with half of the colour of the
    selection, so call `paint_selected` when the text is painted.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._painted: dict[int, tuple[QPointF, QImage]] = {}

    def paint_selected(self, painter: QPainter, selected: Callable[[int], bool]) -> None:
        """Paint the pictures again whose position is `selected`, above what covers them."""
        for position, (corner, image) in self._painted.items():
            if selected(position):
                painter.drawImage(corner, image)
        self._painted.clear()

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:  # noqa: A002, ARG002, N802, N803 - Qt's names
        """The size that Qt reserves."""
        box = _box(_picture(_formula(format)), format.doubleProperty(_SCALE))
        return QSizeF(box.width, box.ascent + box.descent)

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
        scale = format.doubleProperty(_SCALE)
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
        image = _image(picture, colour, scale, ratio)
        painter.drawImage(corner, image)
        self._painted[posInDocument] = corner, image


def _formula(form: QTextFormat) -> Formula:
    return Formula(form.stringProperty(SOURCE), form.boolProperty(_INLINE))


def _picture(formula: Formula) -> Typeset:
    picture = typesetter().picture(formula)
    assert picture is not None, "a formula that was refused has no picture"
    return picture


def _renderer(picture: Typeset, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(picture.svg.replace(INK, colour).encode()))


@lru_cache(maxsize=200)
def _image(picture: Typeset, colour: str, scale: float, ratio: float) -> QImage:
    factor = scale * ratio
    width, height = picture.width * factor, (picture.ascent + picture.descent) * factor
    image = QImage(ceil(width), ceil(height), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    _renderer(picture, colour).render(painter, QRectF(0, 0, width, height))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


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
