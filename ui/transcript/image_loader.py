"""Loads the images that answers name by a file of this computer or carry in their text, and lays them out in the
document. Nothing comes from the network.

Invariants:
- The app passes in what reads an image. It is called on a daemon thread, and may take its time; the end of the process
  does not wait for it.
- A bounded size of images is kept, and those that someone holds.
- Transcripts ask whether an image is there; the thread calls nothing of theirs.
- The newest request is served first. Transcripts that are shown, and papers, repeat theirs several times a second.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Final
from weakref import WeakValueDictionary

from PySide6.QtCore import QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPyTextObject, QTextCharFormat, QTextDocument, QTextFormat

from resources.language.text import mark
from ui.transcript.blocks import TextProperty

MOST_BYTES: Final = 240_000_000
"""How much the images that are kept may take, with the addresses of those that were refused. An image takes 6 MB at
most, and those on the largest screen half of this.
"""
_REFUSED_BYTES: Final = 500
"""What a refused image takes beside its address."""
_DROPPED_S: Final = 2
"""A request that is not repeated for so long is dropped: its chat is closed, deleted or behind another one. If it comes
again, it is a new one.
"""


class Reason(StrEnum):
    """Why an image is not shown, in words."""

    NOT_FOUND = mark("(image, not found)")
    TOO_LARGE = mark("(image, too large to show)")
    UNREADABLE = mark("(image that cannot be shown)")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Loaded:
    """An image, or the reason why there is none."""

    image: QImage | None
    reason: Reason | None = None

    @property
    def bytes(self) -> int:
        """What it takes in memory."""
        return 0 if self.image is None else self.image.sizeInBytes()


class ImageLoader:
    """The images by their addresses. The thread starts with the first one."""

    def __init__(self, load: Callable[[str], Loaded], most_bytes: int = MOST_BYTES) -> None:
        self._load = load
        self._most_bytes = most_bytes
        self._bytes = 0
        self._newest: OrderedDict[str, Loaded] = OrderedDict()
        self._loaded: WeakValueDictionary[str, Loaded] = WeakValueDictionary()
        self.sizes: dict[str, QSize] = {}
        """Of all images that were loaded once, also if they are not here now. Their places on a page stay."""
        self._asked: OrderedDict[str, float] = OrderedDict()
        """When each request was repeated last. The newest one is the last."""
        self._lock = threading.Condition()
        self._thread: threading.Thread | None = None

    def is_ready(self, address: str) -> bool:
        """Whether the image was loaded or refused. If not, the thread loads it soon."""
        with self._lock:
            if address in self._newest:
                self._newest.move_to_end(address)
            if address in self._loaded:
                return True
            now = monotonic()
            if now - self._asked.get(address, now) > _DROPPED_S:
                self._asked.move_to_end(address)
            self._asked[address] = now
            self._lock.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="images", daemon=True)
            self._thread.start()
        return False

    def peek(self, address: str) -> Loaded | None:
        """The image or the reason, None if it is not here."""
        with self._lock:
            return self._loaded.get(address)

    def _run(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._asked)
                address, asked = next(reversed(self._asked.items()))
                if monotonic() - asked > _DROPPED_S:
                    del self._asked[address]
                    continue
            loaded = self._load(address)
            with self._lock:
                self._loaded[address] = self._newest[address] = loaded
                if loaded.image is not None:
                    self.sizes[address] = loaded.image.size()
                del self._asked[address]
                self._bytes += _size(address, loaded)
                while self._bytes > self._most_bytes:
                    self._bytes -= _size(*self._newest.popitem(last=False))


def _size(address: str, loaded: Loaded) -> int:
    """The memory that an eviction frees. The address of an image stays in `ImageLoader.sizes`."""
    return loaded.bytes or len(address) + _REFUSED_BYTES


class _Present:
    loader = ImageLoader(lambda _: Loaded(None, Reason.UNREADABLE))


def install(load: Callable[[str], Loaded]) -> None:
    """Read images with this function from now on. Without one, none is shown."""
    _Present.loader = ImageLoader(load)


def image_loader() -> ImageLoader:
    """The loader of this process."""
    return _Present.loader


IMAGE_OBJECT: Final = QTextFormat.ObjectTypes.UserObject.value + 2
"""The type of the objects that `ImageObject` paints."""
HIGHEST_PX: Final = 480
_RADIUS: Final = 8.0


def image_format(form: QTextCharFormat, address: str, widest: float) -> QTextCharFormat:
    """The format of an image that is here. It keeps its own size, unless it is wider or higher than it may be."""
    size = image_size(address, widest)
    made = QTextCharFormat(form)
    made.setObjectType(IMAGE_OBJECT)
    made.setProperty(TextProperty.IMAGE, address)
    made.setProperty(TextProperty.PICTURE_WIDTH, size.width())
    made.setProperty(TextProperty.PICTURE_HEIGHT, size.height())
    return made


def image_size(address: str, widest: float) -> QSizeF:
    """The size at which the image at this address is shown."""
    size = image_loader().sizes.get(address)
    return QSizeF(1, 1) if size is None else shown_size(size, widest)


def shown_size(size: QSize, widest: float) -> QSizeF:
    """The size at which an image of this size is shown, in pixels of the document."""
    own, most = QSizeF(size), QSizeF(widest, HIGHEST_PX)
    return own if own.boundedTo(most) == own else own.scaled(most, Qt.AspectRatioMode.KeepAspectRatio)


class PictureObject(QPyTextObject):
    """Lays out the pictures of one document."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:  # noqa: A002, ARG002, N802, N803 - Qt's names
        """The size that Qt reserves. Qt asks for it at each layout and at each paint."""
        width, height = TextProperty.PICTURE_WIDTH, TextProperty.PICTURE_HEIGHT
        return QSizeF(format.doubleProperty(width), format.doubleProperty(height))


class ImageObject(PictureObject):
    """Lays out and paints the images of one document."""

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
