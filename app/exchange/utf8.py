"""Text of files that may not be UTF-8 everywhere: owns that a bad byte costs one character, and is counted."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from typing import Final

from app.exchange.remarks import Remark, Remarks

_BAD: Final = re.compile("[\udc80-\udcff]")
"""What a bad byte is decoded to. No UTF-8 decodes to these."""


class Utf8Decoder:
    """Decodes a file piece by piece; a byte order mark is left out."""

    def __init__(self, remarks: Remarks) -> None:
        self._decode = getincrementaldecoder("utf-8-sig")("surrogateescape").decode
        self._remarks = remarks

    def text(self, data: bytes, *, final: bool) -> str:
        """The characters that are complete with this piece."""
        text = self._decode(data, final=final)
        if text.isascii():
            return text
        plain, bad = _BAD.subn("\ufffd", text)
        self._remarks[Remark.BYTE] += bad
        return plain
