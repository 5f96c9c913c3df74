"""Reads a JSON array of any length, one element at a time, and continues after a damaged element.

Memory is bounded by one element and one chunk. Lone surrogates, which other programs write into JSON, are kept.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Final, Protocol

from app.base.errors import ImportRefused
from app.import_export.import_summary import Remark, Remarks
from resources.language.text import mark, tr
from storage.untrusted import JsonScanner, UntrustedDataError

CHUNK: Final = 1 << 20
LARGEST: Final = 1 << 25
"""Characters of one element, which is in memory several times while it is read."""
_MOST_COMMAS: Final = 1_000_000
"""A longer element has no more of them, so that its values are few."""
LONGEST: Final = 1 << 33
"""Bytes of a whole file, after decompression."""

_CUT: Final = 1 << 17
"""Characters. A damaged value takes time with the length of the text before it, so used text is cut off."""
_BETWEEN: Final = re.compile(r"[ \t\r\n,]*")
_BROKEN: Final = mark("This is no readable JSON, or the end of it is missing.")
_LONG: Final = 400
"""Digits. No meaningful number has as many, and Python refuses to parse thousands of them."""
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
"""A string, which may continue behind the end of the text, or a bracket."""
_JUNK: Final = re.compile(r"[^\[\]{},]+|.", re.DOTALL)


_BAD: Final = re.compile("[\udc80-\udcff]")
"""The characters that bad bytes are decoded to. Valid UTF-8 never contains them."""


class Utf8Decoder:
    """Decodes a file piece by piece, without its byte order mark. A bad byte costs one character, and is counted."""

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


class JsonSource(Protocol):
    """A file, or an object that is read like one."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; an empty string at the end."""


def elements(file: JsonSource, remarks: Remarks, longest: int = 0) -> Iterator[object]:
    """Yield the elements of the array that `file` holds as UTF-8. An element that is not JSON is counted and left out.
    One of few values may have up to `longest` characters, any other LARGEST.

    At most one element and one more chunk are in memory. Raises ImportRefused if the end is missing, and the errors of
    reading.
    """
    window = _Window(file, remarks, longest)
    if window.next() != "[":
        raise ImportRefused(tr("This JSON is not a list of chats."))
    while window.next() == "[":  # lists that were put one behind the other are one
        window.skip()
        while window.next() not in {"", "]"}:
            yield from window.take()
        if not window.next():
            raise ImportRefused(tr(_BROKEN))
        window.skip()
    remarks[Remark.END] += window.next() not in {"", "}"}  # an object may hold the list


class _Window:
    """The text that was read and not yet used: from `_at` to the end."""

    def __init__(self, file: JsonSource, remarks: Remarks, longest: int) -> None:
        self._file = file
        self._longest = longest
        self._remarks = remarks
        self._decoder = Utf8Decoder(remarks)
        self._json = JsonScanner(lambda digits: int(digits) if len(digits) < _LONG else float(digits), strict=False)
        self._text = ""
        self._at = 0
        self._read = 0

    def next(self) -> str:
        """Return the next character that is neither space nor comma; empty at the end."""
        while True:
            self._at = _end(_BETWEEN, self._text, self._at)
            if self._at < len(self._text) or not self._more(CHUNK):
                return self._text[self._at : self._at + 1]

    def skip(self) -> None:
        """Move behind one character."""
        self._at += 1

    def take(self) -> Iterator[object]:
        """Yield the value that begins here, or nothing if it is damaged."""
        if self._at > _CUT:
            self._text, self._at = self._text[self._at :], 0
        while True:
            try:
                found, end = self._json.scan(self._text, self._at)
            except UntrustedDataError:  # most often because it goes on: twice as much is tried next
                if end := _behind(self._text, self._at):
                    self._at = end
                    self._remarks[Remark.CHAT] += 1
                    return
                self._grow()
            else:
                self._at = end
                yield found
                return

    def _grow(self) -> None:
        held = len(self._text) - self._at
        if held > LARGEST and (held > self._longest or self._text.count(",", self._at) > _MOST_COMMAS):
            raise ImportRefused(tr("A chat in this file is longer than any chat can be."))
        if not self._more(min(max(CHUNK, held), LARGEST)):
            raise ImportRefused(tr(_BROKEN))

    def _more(self, size: int) -> bool:
        data = self._file.read(size)
        self._read += len(data)
        if self._read > LONGEST:
            raise ImportRefused(tr("This file is too large."))
        self._text = self._text[self._at :] + self._decoder.text(data, final=not data)
        self._at = 0
        return bool(data)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _behind(text: str, at: int) -> int:
    """Return the end of the value that begins at `at`, judged by its brackets; 0 if the text does not contain it."""
    if text[at] not in "[{":
        return _end(_JUNK, text, at)
    depth = 0
    for found in _TOKEN.finditer(text, at):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return 0
