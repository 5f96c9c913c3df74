"""Decodes text that may not be UTF-8 everywhere. A bad byte costs one character, and is counted."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from typing import Final

from app.import_export.import_summary import Remark, Remarks

_BAD: Final = re.compile("[\udc80-\udcff]")
"""The characters that bad bytes are decoded to. Valid UTF-8 never contains them."""


class Utf8Decoder:
    """Decodes a file piece by piece, without its byte order mark."""

    def __init__(self, remarks: Remarks) -> None:
        self._decode = getincrementaldecoder("utf-8-sig")("surrogateescape").decode
        self._remarks = remarks

    def text(self, data: bytes, *, final: bool) -> str:
        """Return the characters that this piece completes."""
        text = self._decode(data, final=final)
        if text.isascii():
            return text
        plain, bad = _BAD.subn("\ufffd", text)
        self._remarks[Remark.BYTE] += bad
        return plain
