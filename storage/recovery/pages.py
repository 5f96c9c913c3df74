"""A database file that SQLite refuses, as its pages: owns which bytes are a page's newest, in the file or in its log.

What is on a page is left to `storage.recovery.records`. The file is read as it lies; nothing is written, no lock is
taken.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from array import array
from typing import TYPE_CHECKING, Final, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

_MAGIC: Final = b"SQLite format 3\0"
_SIZES: Final = frozenset(1 << power for power in range(9, 17))
_USUAL: Final = 4096
_LOG_HEAD: Final = struct.Struct(">8I")
_FRAME_HEAD: Final = struct.Struct(">6I")
_LOG_MAGIC: Final = {0x377F0682: "little", 0x377F0683: "big"}


class View:
    """The database as it was at some moment: `numbers` are the pages that are worth reading."""

    def __init__(self, source: Source, places: dict[int, int], numbers: range | list[int]) -> None:
        self.numbers = numbers
        self._source = source
        self._places = places

    def page(self, number: int) -> bytes:
        """The bytes of a page, numbered from 1; zeros for what is not there or cannot be read."""
        place = self._places.get(number)
        if place is not None:
            return self._source.logged(place)
        return self._source.stored(number)


class Source:
    """The file and the log beside it, either of which may be missing. To be used in a `with`. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._file = _opened(path)
        self._log = _opened(path.with_name(path.name + "-wal"))
        self.size = self._page_size()
        """Bytes of a page."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for handle in (self._file, self._log):
            if handle >= 0:
                os.close(handle)

    def views(self) -> tuple[View, ...]:
        """The database as SQLite would see it, and, where its log is broken in the middle, what stands behind that."""
        sure, later = self._places()
        count = sure.pages or -(-_length(self._file) // self.size)
        views = [View(self, sure.places, range(1, count + 1))]
        if later.places:
            views.append(View(self, sure.places | later.places, sorted(later.places)))
        return tuple(views)

    def stored(self, number: int) -> bytes:
        """A page in the file."""
        return _read(self._file, (number - 1) * self.size, self.size) if number > 0 else bytes(self.size)

    def logged(self, place: int) -> bytes:
        """A page in the log."""
        return _read(self._log, place, self.size)

    def _page_size(self) -> int:
        head = _read(self._file, 0, 18)
        in_log = _LOG_HEAD.unpack(_read(self._log, 0, _LOG_HEAD.size))[2]
        in_file = int.from_bytes(head[16:18], "big") if head.startswith(_MAGIC) else 0
        return next((size for size in (1 << 16 if in_file == 1 else in_file, in_log) if size in _SIZES), _USUAL)

    def _places(self) -> tuple[_Commits, _Commits]:
        """Where pages are in the log: those that SQLite would take, and those behind the first frame that it would not.

        Frames of an earlier use of the log, and such as were never committed, are neither.
        """
        sure, later = _Commits(), _Commits()
        at = sure
        for frame in self._frames():
            if not frame.sound:
                at = later
            at.add(frame)
        return sure, later

    def _frames(self) -> Iterator[_Frame]:
        head = _read(self._log, 0, _LOG_HEAD.size)
        magic, _, _, _, *salts, first, second = _LOG_HEAD.unpack(head)
        order = _LOG_MAGIC.get(magic, "little")
        sums = _summed(head[:24], (0, 0), order)
        sound = sums == (first, second)
        for place in range(_LOG_HEAD.size, _length(self._log) - self.size, _FRAME_HEAD.size + self.size):
            page, pages, *rest = _FRAME_HEAD.unpack(_read(self._log, place, _FRAME_HEAD.size))
            salts = salts if sound or place > _LOG_HEAD.size else rest[:2]
            if rest[:2] != salts:
                return
            data = _read(self._log, place + _FRAME_HEAD.size, self.size)
            sums = _summed(data, _summed(_read(self._log, place, 8), sums, order), order)
            sound = sound and sums == tuple(rest[2:])
            yield _Frame(page, pages, place + _FRAME_HEAD.size, sound)


class _Frame(NamedTuple):
    """A page in the log. `pages`: how many the database has after the transaction that it ends; 0 if it ends none."""

    page: int
    pages: int
    place: int
    sound: bool


class _Commits:
    """The pages of the transactions that have come to their end."""

    def __init__(self) -> None:
        self.places: dict[int, int] = {}
        self.pages = 0
        self._open: dict[int, int] = {}

    def add(self, frame: _Frame) -> None:
        self._open[frame.page] = frame.place
        if frame.pages:
            self.places |= self._open
            self.pages = frame.pages
            self._open.clear()


def _summed(data: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    """SQLite's checksum of a log, over `data`, a multiple of eight bytes."""
    words = array("I", data)
    if order != sys.byteorder:
        words.byteswap()
    first, second = before
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _opened(path: Path) -> int:
    """A handle; -1 for a file that is not there."""
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return -1


def _length(handle: int) -> int:
    return os.fstat(handle).st_size if handle >= 0 else 0


def _read(handle: int, place: int, size: int) -> bytes:
    """Exactly `size` bytes: what lies behind the end, or on a spot that the disk cannot read, are zeros."""
    try:
        found = os.pread(handle, size, place) if handle >= 0 else b""
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        found = b""
    return found.ljust(size, b"\0")
