"""A JSON array of any length, one element at a time: owns how much of it is in memory; its meaning is the caller's.

Lone halves of surrogate pairs, which other programs write into JSON, come through as they are.
"""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from typing import IO, TYPE_CHECKING, Final

from app.errors import ImportRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK: Final = 1 << 20
LARGEST: Final = 1 << 28
"""Characters of one element."""
LONGEST: Final = 1 << 33
"""Bytes of a whole file: what a compressed one may grow to."""

_BETWEEN: Final = " \t\r\n,"
_BROKEN: Final = "This is no readable JSON, or the end of it is missing."


def elements(file: IO[bytes]) -> Iterator[object]:
    """The objects in the array that `file` holds as UTF-8. Raises ImportRefused, and what reading raises.

    At most one object and one more chunk are held at a time.
    """
    window = _Window(file)
    if window.next() != "[":
        raise ImportRefused("This JSON is not a list of chats.")
    window.skip()
    while window.next() == "{":
        yield window.take()
    if window.next() != "]":
        raise ImportRefused(_BROKEN)


class _Window:
    """The part of the text that was read and not yet used."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decode = getincrementaldecoder("utf-8-sig")("replace").decode
        self._json = json.JSONDecoder()
        self._text = ""
        self._read = 0

    def next(self) -> str:
        """The next sign that is no space or comma; empty at the end."""
        self._text = self._text.lstrip(_BETWEEN)
        while not self._text and self._more(CHUNK):
            self._text = self._text.lstrip(_BETWEEN)
        return self._text[:1]

    def skip(self) -> None:
        """Leave one sign behind."""
        self._text = self._text[1:]

    def take(self) -> object:
        """The object that begins here."""
        while True:
            try:
                found, end = self._json.raw_decode(self._text)
            except RecursionError as error:
                raise ImportRefused(_BROKEN) from error
            except json.JSONDecodeError as error:  # most often because it goes on: twice as much is tried next
                if len(self._text) > LARGEST or not self._more(max(CHUNK, len(self._text))):
                    raise ImportRefused(_BROKEN) from error
            else:
                self._text = self._text[end:]
                return found

    def _more(self, size: int) -> bool:
        data = self._file.read(size)
        self._read += len(data)
        if self._read > LONGEST:
            raise ImportRefused("This file is too large.")
        self._text += self._decode(data, final=not data)
        return bool(data)
