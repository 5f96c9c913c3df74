"""Images in a text document: their formats, and the object that lays them out and paints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainterPath, QPyTextObject, QTextCharFormat, QTextFormat

from ui.transcript.image_loader import image_loader
from ui.transcript.properties import TextProperty

if TYPE_CHECKING:
    from PySide6.QtCore import QRect, QSize
    from PySide6.QtGui import QPainter, QTextDocument

IMAGE_OBJECT: Final = QTextFormat.ObjectTypes.UserObject.value + 2
"""The type of the objects that `ImageObject` paints."""
HIGHEST_PX: Final = 480
_RADIUS: Final = 8.0


def image_format(form: QTextCharFormat, address: str, source: str, widest: float) -> QTextCharFormat:
    """The format of an image that is here. It keeps its own size, unless it is wider or higher than it may be."""
    size = image_size(address, widest)
    made = QTextCharFormat(form)
    made.setObjectType(IMAGE_OBJECT)
    made.setProperty(TextProperty.SOURCE, source)
    made.setProperty(TextProperty.IMAGE, address)
    made.setProperty(TextProperty.IMAGE_WIDTH, size.width())
    made.setProperty(TextProperty.IMAGE_HEIGHT, size.height())
    return made


def image_size(address: str, widest: float) -> QSizeF:
    """The size at which the image at this address is shown."""
    size = image_loader().size(address)
    return QSizeF(1, 1) if size is None else shown_size(size, widest)


def shown_size(size: QSize, widest: float) -> QSizeF:
    """The size at which an image of this size is shown, in pixels of the document."""
    own, most = QSizeF(size), QSizeF(widest, HIGHEST_PX)
    return own if own.boundedTo(most) == own else own.scaled(most, Qt.AspectRatioMode.KeepAspectRatio)


class ImageObject(QPyTextObject):
    """Lays out and paints the images of one document."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:  # noqa: A002, ARG002, N802, N803 - Qt's names
        """The size that Qt reserves."""
        return QSizeF(format.doubleProperty(TextProperty.IMAGE_WIDTH), format.doubleProperty(TextProperty.IMAGE_HEIGHT))

    def drawObject(  # noqa: N802 - Qt's name and signature
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,  # noqa: ARG002 - Qt's signature
        posInDocument: int,  # noqa: ARG002, N803 - Qt's name
        format: QTextFormat,  # noqa: A002 - Qt's name
    ) -> None:
        """Paint an image with round corners. One that was put out of memory comes back when it is painted next."""
        address = format.stringProperty(TextProperty.IMAGE)
        loaded = image_loader().peek(address)
        if loaded is None or loaded.image is None:
            image_loader().is_ready(address)
            return
        corners = QPainterPath()
        corners.addRoundedRect(QRectF(rect), _RADIUS, _RADIUS)
        painter.save()
        painter.setClipPath(corners, Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(rect), loaded.image)
        painter.restore()
