"""The process that reads images: each line of stdin is an address as JSON, and is answered with a Picture.

Images may be hostile, so they are read here and not in the app: a crash, a bomb or a flood of memory ends this process
alone. The app ends it if an answer takes too long, and starts another. It ends with its stdin.

Invariants:
- Nothing comes from the network. Only regular files of a bounded size are read.
- The first bytes decide about the format before Qt sees any, and Qt loads no plugin but the one for that format.
- An image is decoded only if its header claims a bounded number of pixels.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLoggingCategory, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from app.base.program import answer_lines
from app.images.images import LARGEST, LARGEST_FILE, MOST_MEMORY_BYTES, MOST_PIXELS, MOST_SECONDS, Picture
from storage.untrusted import decode_json
from ui.transcript.image_loader import Reason

_FORMATS: Final = {
    b"png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    b"jpeg": re.compile(rb"\xff\xd8\xff"),
    b"gif": re.compile(rb"GIF8[79]a"),
    b"webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    b"bmp": re.compile(rb"BM"),
}
"""The bitmap formats by their first bytes."""
_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def main(_arguments: Sequence[str] = ()) -> int:
    """Answer until stdin ends."""
    QLoggingCategory.setFilterRules("qt.gui.imageio*=false")  # a damaged image has more warnings than a log has room
    return answer_lines(MOST_SECONDS, MOST_MEMORY_BYTES, lambda line: picture(decode_json(line, str)))


def picture(address: str) -> Picture:
    """Read and decode the image that an answer names by a file, or carries in the address itself."""
    try:
        content = _content(address)
    except FileNotFoundError:
        return Picture(Reason.NOT_FOUND)
    except (OSError, ValueError, RuntimeError):  # a user without a home has no ~
        return Picture(Reason.UNREADABLE)
    return Picture(Reason.TOO_LARGE) if len(content) > LARGEST_FILE else _decoded(content)


def _content(address: str) -> bytes:
    """The bytes of the image, at most one more than can be shown of a file."""
    if address[:5].lower() != "data:":
        with os.fdopen(os.open(_path(address), _READ), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError("this is not a file")  # a pipe would block
            return file.read(LARGEST_FILE + 1)
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


def _decoded(content: bytes) -> Picture:
    name = next((name for name, first in _FORMATS.items() if first.match(content)), b"")
    if not name:
        return Picture(Reason.UNREADABLE)
    buffer = QBuffer()
    buffer.setData(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(name))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size, most = reader.size(), QSize(*LARGEST)
    if not size.isValid():
        return Picture(Reason.UNREADABLE)
    if size.width() * size.height() > MOST_PIXELS:
        return Picture(Reason.TOO_LARGE)
    if size.boundedTo(most) != size:
        reader.setScaledSize(size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1)))
    image = reader.read().convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        return Picture(Reason.UNREADABLE)
    return Picture(None, image.width(), image.height(), bytes(image.constBits()))
