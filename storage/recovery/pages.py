"""The pages of a damaged database file and of its write-ahead log, the newest version of each, and their cells: rows of
tables and entries of indexes, decoded into values.

The file is only read: nothing is written and no lock is taken. SQLite itself cannot do this: it refuses a file without
a valid first page, and ignores everything behind the first broken frame of the log. Python's `sqlite3` offers neither
`.recover` nor the `sqlite_dbpage` table that `.recover` reads. Cells follow "Database File Format" in SQLite's
documentation. No content of a page raises an error: a cell that contradicts itself is skipped, and a cell whose
overflow pages are missing is cut. This module is complete; do not extend it.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

_MAGIC: Final = b"SQLite format 3\0"
_SIZES: Final = frozenset(1 << power for power in range(9, 17))
_USUAL: Final = 4096
_READ: Final = 16
"""How often each page is read on average, at most. A sound database needs it twice."""
_LOG_HEAD: Final = struct.Struct(">8I")
_FRAME_HEAD: Final = struct.Struct(">6I")
_LOG_MAGIC: Final = {0x377F0682: "little", 0x377F0683: "big"}

_TABLE_LEAF: Final = 13
_INDEX_LEAF: Final = 10
_INDEX_INNER: Final = 2
_KINDS: Final = frozenset({_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER})
_FILE_HEAD: Final = 100
_LONGEST: Final = 1 << 30
"""Bytes of a record; SQLite's own limit."""
_LARGEST_HEAD: Final = 256
"""Bytes of a record's header; our tables need a quarter of it."""
_LOW: Final = 0x7F
"""The bits of a varint's byte that carry its value; the highest bit says that another byte follows."""
_REAL: Final = 7
_FIRST_BLOB: Final = 12
_CONSTANTS: Final[dict[int, Value]] = {0: None, 8: 0, 9: 1}
_VALUE_SIZES: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""Bytes of a value by its serial type, without text and blobs."""

Value = int | float | str | bytes | None


class PageView:
    """The database at one moment. `numbers` are the pages to read. `most` pages are read; all further ones are zeros.
    A sound database has each page in one place, but in a foreign one every record may lead through all pages.
    """

    def __init__(self, source: PageSource, places: dict[int, int], numbers: list[int], most: int) -> None:
        self.numbers = numbers
        self._source = source
        self._places = places
        self._left = most

    def page(self, number: int) -> bytes:
        """The bytes of a page, numbered from 1; zeros if it is missing or unreadable."""
        if not self._left:
            return bytes(self._source.size)
        self._left -= 1
        place = self._places.get(number)
        if place is not None:
            return self._source.logged(place)
        return self._source.stored(number)


class PageSource:
    """A database file and its log, either of which may be missing. A context manager. Raises OSError."""

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

    def views(self) -> tuple[PageView, ...]:
        """The database as SQLite sees it, and, if a frame of the log is broken, what was committed after that frame."""
        sure, later = self._places()
        stored = -(-_length(self._file) // self.size)
        most = _READ * (stored + len(sure.places) + len(later.places))
        count = sure.pages or stored
        logged = sorted(number for number in sure.places if stored < number <= count)
        views = [PageView(self, sure.places, [*range(1, min(count, stored) + 1), *logged], most)]
        if later.places:
            views.append(PageView(self, sure.places | later.places, sorted(later.places), most))
        return tuple(views)

    def stored(self, number: int) -> bytes:
        """The page of this number in the file."""
        return _read(self._file, (number - 1) * self.size, self.size) if number > 0 else bytes(self.size)

    def logged(self, place: int) -> bytes:
        """The page at this offset in the log."""
        return _read(self._log, place, self.size)

    def _page_size(self) -> int:
        head = _read(self._file, 0, 18)
        in_log = _LOG_HEAD.unpack(_read(self._log, 0, _LOG_HEAD.size))[2]
        in_file = int.from_bytes(head[16:18], "big") if head.startswith(_MAGIC) else 0
        return next((size for size in (1 << 16 if in_file == 1 else in_file, in_log) if size in _SIZES), _USUAL)

    def _places(self) -> tuple[_Commits, _Commits]:
        """Offsets of committed pages in the log: those that SQLite would use, and those behind the first broken frame.

        Frames of an earlier use of the log, and uncommitted frames, are in neither.
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
    """A page in the log. `pages` is the size of the database in pages if the frame ends a transaction, else 0."""

    page: int
    pages: int
    place: int
    sound: bool


class _Commits:
    """The pages of committed transactions."""

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
    """SQLite's checksum of a log, continued over `data`, whose length is a multiple of eight bytes.

    Source: "The WAL File Format", section "Checksum Algorithm", in SQLite's documentation.
    """
    words = array("I", data)
    if order != sys.byteorder:
        words.byteswap()
    first, second = before
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _opened(path: Path) -> int:
    """A file descriptor; -1 if the file does not exist."""
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return -1


def _length(handle: int) -> int:
    return os.fstat(handle).st_size if handle >= 0 else 0


def _read(handle: int, place: int, size: int) -> bytes:
    """Exactly `size` bytes; bytes past the end or on an unreadable sector are zeros."""
    try:
        found = os.pread(handle, size, place) if handle >= 0 else b""
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        found = b""
    return found.ljust(size, b"\0")


@dataclass(frozen=True, slots=True)
class Cell:
    """A row of a table, or an entry of an index (`number` 0). The first `whole` values are complete; the next may be
    cut, and those after it are None.
    """

    number: int
    values: tuple[Value, ...]
    whole: int


def cells(view: PageView, number: int) -> Iterator[Cell]:
    """The cells of a page, if it is a leaf of a table or any page of an index."""
    page = view.page(number)
    head = _FILE_HEAD if number == 1 else 0
    kind = page[head]
    if kind not in _KINDS:
        return
    pointers = head + (12 if kind == _INDEX_INNER else 8)
    count = min(int.from_bytes(page[head + 3 : head + 5], "big"), (len(page) - pointers) // 2)
    for pointer in range(pointers, pointers + 2 * count, 2):
        place = int.from_bytes(page[pointer : pointer + 2], "big")
        if found := _cell(view, page, place + 4 * (kind == _INDEX_INNER), kind):
            yield found


def _cell(view: PageView, page: bytes, place: int, kind: int) -> Cell | None:
    length, place = _varint(page, place)
    number = 0
    if kind == _TABLE_LEAF:
        number, place = _varint(page, place)
    if not 1 < length <= _LONGEST or place >= len(page):
        return None
    return _decoded(number, _payload(view, page, place, length, kind), length)


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A varint of one to nine bytes as a signed number, and the offset behind it."""
    value = 0
    for at, byte in enumerate(data[place : place + 8]):
        value = (value << 7) | (byte & _LOW)
        if byte <= _LOW:
            return value, place + at + 1
    if place + 8 >= len(data):
        return 0, len(data)
    value = (value << 8) | data[place + 8]  # the ninth counts in full
    return (value - (1 << 64) if value >> 63 else value), place + 9


def _payload(view: PageView, page: bytes, place: int, length: int, kind: int) -> bytes:
    """The bytes of a record, up to the first overflow page that is missing."""
    usable = len(page)
    most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    if length <= most:
        return page[place : place + length]
    least = (usable - 12) * 32 // 255 - 23
    local = least + (length - least) % (usable - 4)
    local = local if local <= most else least
    parts = [page[place : place + local]]
    following = int.from_bytes(page[place + local : place + local + 4], "big")
    left = length - local
    seen: set[int] = set()
    while left > 0 and following and following not in seen:
        seen.add(following)
        more = view.page(following)
        if more[0] or not more.strip(b"\0"):  # a page of another use, or an empty one
            break
        parts.append(more[4 : 4 + left])
        left -= usable - 4
        following = int.from_bytes(more[:4], "big")
    return b"".join(parts)


def _decoded(number: int, payload: bytes, length: int) -> Cell | None:
    """None if the header and the length of the record contradict each other."""
    head, place = _varint(payload, 0)
    if not place < head <= min(len(payload), _LARGEST_HEAD):
        return None
    types = []
    while place < head:
        kind, place = _varint(payload, place)
        types.append(kind)
    sizes = [_size(kind) for kind in types]
    if place != head or head + sum(sizes) != length or min(sizes) < 0:
        return None
    return _filled(number, payload, head, list(zip(types, sizes, strict=True)))


def _filled(number: int, payload: bytes, place: int, columns: list[tuple[int, int]]) -> Cell:
    values: list[Value] = []
    whole = len(columns)
    for at, (kind, size) in enumerate(columns):
        data = payload[place : place + size]
        complete = len(data) == size
        values.append(_value(kind, data) if complete or (data and kind >= _FIRST_BLOB) else None)
        whole = whole if complete else min(whole, at)
        place += size
    return Cell(number, tuple(values), whole)


def _size(kind: int) -> int:
    """Bytes of a value of this serial type; negative for an undefined type."""
    if kind >= _FIRST_BLOB:
        return (kind - _FIRST_BLOB) // 2
    return _VALUE_SIZES.get(kind, -1)


def _value(kind: int, data: bytes) -> Value:
    if kind >= _FIRST_BLOB:
        return data.decode("utf-8", "replace") if kind % 2 else data
    if kind in _CONSTANTS:
        return _CONSTANTS[kind]
    if kind == _REAL:
        return float(struct.unpack(">d", data)[0])
    return int.from_bytes(data, "big", signed=True)
