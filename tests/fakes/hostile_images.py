"""Images for the process that reads them: real ones in the five formats, damaged ones, and bombs."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator
from random import Random

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter

RED = "#c02020"
FORMATS = ("png", "jpeg", "gif", "webp", "bmp")
LEVELS = 40
SVG_BOMB = (
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='9' height='9'>"
    "<g id='a0'><rect width='9' height='9'/></g>"
    + "".join(f"<g id='a{n}'><use xlink:href='#a{n - 1}'/><use xlink:href='#a{n - 1}'/></g>" for n in range(1, LEVELS))
    + f"<use xlink:href='#a{LEVELS - 1}'/></svg>"
)
"""A small drawing with a million million squares. Qt's reader of drawings draws each of them."""


def picture(width: int = 80, height: int = 40, colour: str = RED) -> QImage:
    """An image of one colour."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def encoded(form: str, image: QImage | None = None) -> bytes:
    """The file of an image, by default of `picture()`."""
    if form == "gif":
        return _gif(80, 40)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(form.encode())).write(image or picture())
    return bytes(buffer.data().data())


def data_uri(content: bytes, media: str = "image/png") -> str:
    """The address that carries these bytes."""
    return f"data:{media};base64,{base64.b64encode(content).decode()}"


def _gif(width: int, height: int) -> bytes:
    """All red, with a code of nine bits for each pixel and a clear code before the table would grow."""
    codes = [code for pixel in range(width * height) for code in ((256, 0) if pixel % 200 == 0 else (0,))] + [257]
    bits = sum(code << 9 * place for place, code in enumerate(codes))
    packed = bits.to_bytes(-(-9 * len(codes) // 8), "little")
    blocks = b"".join(bytes((len(part),)) + part for part in (packed[i : i + 255] for i in range(0, len(packed), 255)))
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + bytes.fromhex(RED[1:]) + bytes(765)
    return head + b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x08" + blocks + b"\0;"


def damaged(seed: int) -> Iterator[bytes]:
    """Files without end: random bytes behind a real beginning, and real files with bytes changed, cut or doubled."""
    random = Random(seed)  # noqa: S311 - a seeded test
    reals = {form: encoded(form) for form in FORMATS}
    while True:
        real = bytearray(reals[random.choice(FORMATS)])
        match random.randrange(4):
            case 0:
                yield bytes(real[: random.randrange(4, 40)]) + random.randbytes(random.randrange(2000))
            case 1:
                yield bytes(real[: random.randrange(len(real))])
            case 2:
                start = random.randrange(len(real))
                yield bytes(real[:start] + real[start // 2 : start] + real[start:])
            case _:
                for _ in range(random.randrange(1, 9)):
                    real[random.randrange(len(real))] = random.randrange(256)
                yield bytes(real)


def idat_bomb(megabytes: int) -> bytes:
    """A PNG of 100 x 100 pixels whose data inflate to so many megabytes. A thousand of them are a file of one."""
    deflate = zlib.compressobj(9)
    first, more = (deflate.compress(bytes(1 << 20)) + deflate.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    data = first + more * (megabytes - 1)
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", 100, 100, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
