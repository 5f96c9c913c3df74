"""Loads the images that answers name by a file of this computer or carry in their text. Nothing comes from the network.

Invariants:
- Images are read and decoded on a daemon thread; the end of the process does not wait for it.
- Only regular files of a bounded size are read, and only bitmap formats are decoded, into a bounded number of pixels.
- The first bytes decide about the format before Qt sees any: Qt's readers of drawings parse what they are asked to look
  at, with Python's lock.
- Transcripts ask whether an image is there; the thread calls nothing of theirs.
"""

from __future__ import annotations

import os
import re
import stat
import threading
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImageReader

from resources.language.text import mark

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

LARGEST_FILE: Final = 32 << 20
MOST_PIXELS: Final = 50_000_000
SHOWN: Final = QSize(1520, 1000)
"""The most pixels that are kept of an image: twice the size at which it is shown."""
MOST: Final = 40
"""How many images are kept. One takes 6 MB at most."""
_FORMATS: Final = {
    b"png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    b"jpeg": re.compile(rb"\xff\xd8\xff"),
    b"gif": re.compile(rb"GIF8[79]a"),
    b"webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    b"bmp": re.compile(rb"BM"),
}
"""The bitmap formats by their first bytes."""
_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC

NOT_FOUND: Final = mark("(image, not found)")
TOO_LARGE: Final = mark("(image, too large to show)")
UNREADABLE: Final = mark("(image that cannot be shown)")


class Loaded(NamedTuple):
    """An image, or the reason in words why there is none."""

    image: QImage | None
    reason: str = ""


class ImageLoader:
    """The images by their addresses. The thread starts with the first one."""

    def __init__(self) -> None:
        self._loaded: OrderedDict[str, Loaded] = OrderedDict()
        self._asked: set[str] = set()
        self._queue: SimpleQueue[str] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def is_ready(self, address: str) -> bool:
        """Whether the image was loaded or refused. If not, the thread loads it soon."""
        with self._lock:
            if address in self._loaded:
                self._loaded.move_to_end(address)
                return True
            if address not in self._asked:
                self._asked.add(address)
                self._queue.put(address)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="images", daemon=True)
            self._thread.start()
        return False

    def peek(self, address: str) -> Loaded | None:
        """The image or the reason, None if it is not here."""
        with self._lock:
            return self._loaded.get(address)

    def load_now(self, address: str) -> Loaded:
        """Load an image on this thread, unless it is here: for a page that is printed."""
        found = self.peek(address) or load(address)
        with self._lock:
            self._loaded[address] = found
            self._asked.discard(address)
            if len(self._loaded) > MOST:
                self._loaded.popitem(last=False)
        return found

    def _run(self) -> None:
        while True:
            self.load_now(self._queue.get())


@lru_cache(maxsize=1)
def image_loader() -> ImageLoader:
    """The loader of this process."""
    return ImageLoader()


def load(address: str) -> Loaded:
    """Read and decode an image."""
    try:
        content = _content(address)
    except FileNotFoundError:
        return Loaded(None, NOT_FOUND)
    except (OSError, ValueError, RuntimeError):  # a user without a home has no ~
        return Loaded(None, UNREADABLE)
    return Loaded(None, TOO_LARGE) if len(content) > LARGEST_FILE else _decoded(content)


def _content(address: str) -> bytes:
    if address[:5].lower() != "data:":
        return _file(_path(address))
    head, _, content = address.partition(",")
    raw = unquote_to_bytes(content)
    return bytes(QByteArray.fromBase64(QByteArray(raw)).data()) if head.lower().endswith(";base64") else raw


def _path(address: str) -> Path:
    if address[:5].lower() != "file:":
        return Path(unquote(address)).expanduser()
    parts = urlsplit(address)
    if parts.netloc not in {"", "localhost"}:
        raise ValueError("a file of another computer is not read")
    return Path(unquote(parts.path))


def _file(path: Path) -> bytes:
    """The bytes of a regular file, and at most one more than can be shown. A pipe would block."""
    with os.fdopen(os.open(path, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("this is not a file")
        return file.read(LARGEST_FILE + 1)


def _decoded(content: bytes) -> Loaded:
    name = next((name for name, first in _FORMATS.items() if first.match(content)), b"")
    if not name:
        return Loaded(None, UNREADABLE)
    buffer = QBuffer()
    buffer.setData(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(name))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid():
        return Loaded(None, UNREADABLE)
    if size.width() * size.height() > MOST_PIXELS:
        return Loaded(None, TOO_LARGE)
    if size.width() > SHOWN.width() or size.height() > SHOWN.height():
        reader.setScaledSize(size.scaled(SHOWN, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return Loaded(None, UNREADABLE) if image.isNull() else Loaded(image)
