"""What a file is, by its first bytes. A name can lie, and a PDF may consist of plain letters."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

_HEAD_BYTES: Final = 1024
_IMAGES: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")


class Kind(StrEnum):
    """A kind of file. `OTHER` is attached as it is, if it is text."""

    PDF = "pdf"
    OFFICE = "office"
    FOLDER = "folder"
    OLD_OFFICE = "old office"
    IMAGE = "image"
    OTHER = "other"


def kind_of(path: Path) -> Kind:
    """The kind of a file. A file that cannot be read, or is none, is `OTHER`."""
    if path.is_dir():
        return Kind.FOLDER
    head = _head(path)
    if b"%PDF-" in head:  # readers accept some bytes before it
        return Kind.PDF
    if head.startswith(b"PK\x03\x04"):
        return Kind.OFFICE
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return Kind.OLD_OFFICE
    is_image = head.startswith(_IMAGES) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP") or head[4:8] == b"ftyp"
    return Kind.IMAGE if is_image and b"\x00" in head else Kind.OTHER


def _head(path: Path) -> bytes:
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe in the file's place must not block
        try:
            return os.read(handle, _HEAD_BYTES) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
        finally:
            os.close(handle)
    return b""
