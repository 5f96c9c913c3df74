"""The cells on a page of a database file, decoded into values: rows of tables and entries of indexes.

Follows "Database File Format" in SQLite's documentation. No content of a page raises an error: a cell that contradicts
itself is skipped, and a cell whose overflow pages are missing is cut. Python's `sqlite3` offers neither `.recover` nor
the `sqlite_dbpage` table that `.recover` reads, so pages are decoded here. This module is complete; do not extend it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from storage.recovery.pages import PageView

Value = int | float | str | bytes | None

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
_SIZES: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""Bytes of a value by its serial type, without text and blobs."""


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
    return _SIZES.get(kind, -1)


def _value(kind: int, data: bytes) -> Value:
    if kind >= _FIRST_BLOB:
        return data.decode("utf-8", "replace") if kind % 2 else data
    if kind in _CONSTANTS:
        return _CONSTANTS[kind]
    if kind == _REAL:
        return float(struct.unpack(">d", data)[0])
    return int.from_bytes(data, "big", signed=True)
