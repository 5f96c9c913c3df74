"""The images of the formulas that were painted last, for all transcripts of the process. Runs on the GUI thread."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from ui.markdown.typesetting import INK

if TYPE_CHECKING:
    from ui.markdown.typesetting import Typeset

_MOST_BYTES: Final = 64_000_000
"""A window full of formulas takes a fifth of it on a display with four dots a pixel."""


class FormulaImages:
    """Images by picture, colour and scale. The least recently painted ones are dropped."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
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
def formula_images() -> FormulaImages:
    """The images of this process."""
    return FormulaImages()


def renderer(picture: Typeset, colour: str) -> QSvgRenderer:
    """What draws a picture in a colour."""
    return QSvgRenderer(QByteArray(picture.svg.replace(INK, colour).encode()))


def _drawn(picture: Typeset, colour: str, scale: float) -> QImage:
    width, height = picture.width * scale, (picture.ascent + picture.descent) * scale
    image = QImage(ceil(width), ceil(height), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer(picture, colour).render(painter, QRectF(0, 0, width, height))
    painter.end()
    return image
