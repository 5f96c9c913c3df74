"""The records on a page of a database: owns how bytes become values. Which page is the newest is left to
`storage.recovery.pages`, what a value means to whoever knows the table.

Nothing here raises over what a page holds: a record that makes no sense is left out, one whose end is missing is cut.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from storage.recovery.pages import View

Value = int | float | str | bytes | None

_TABLE_LEAF: Final = 13
_INDEX_LEAF: Final = 10
_INDEX_INNER: Final = 2
_KINDS: Final = frozenset({_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER})
_FILE_HEAD: Final = 100
_LONGEST: Final = 1 << 30
"""Bytes of a record: SQLite's own limit."""
_LARGEST_HEAD: Final = 256
"""Bytes of the types of a record; our tables need a quarter of that."""
_LOW: Final = 0x7F
"""The part of a byte that counts; the rest says whether another one follows."""
_REAL: Final = 7
_FIRST_BLOB: Final = 12
_CONSTANTS: Final[dict[int, Value]] = {0: None, 8: 0, 9: 1}
_SIZES: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""Bytes of a value that is neither text nor blob, by its type."""


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a table, or an entry of an index (`number` 0). `whole` values are complete; the next may be cut, those
    after it are empty.
    """

    number: int
    values: tuple[Value, ...]
    whole: int


def records(view: View, number: int) -> Iterator[Record]:
    """What stands on the page of this number, if it is one of a table's rows or of an index."""
    page = view.page(number)
    head = _FILE_HEAD if number == 1 else 0
    kind = page[head]
    if kind not in _KINDS:
        return
    cells = head + (12 if kind == _INDEX_INNER else 8)
    count = min(int.from_bytes(page[head + 3 : head + 5], "big"), (len(page) - cells) // 2)
    for pointer in range(cells, cells + 2 * count, 2):
        place = int.from_bytes(page[pointer : pointer + 2], "big")
        if found := _record(view, page, place + 4 * (kind == _INDEX_INNER), kind):
            yield found


def _record(view: View, page: bytes, place: int, kind: int) -> Record | None:
    length, place = _varint(page, place)
    number = 0
    if kind == _TABLE_LEAF:
        number, place = _varint(page, place)
    if not 1 < length <= _LONGEST or place >= len(page):
        return None
    return _decoded(number, _payload(view, page, place, length, kind), length)


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the place behind it. Negative ones come out as they are meant."""
    value = 0
    for at, byte in enumerate(data[place : place + 8]):
        value = (value << 7) | (byte & _LOW)
        if byte <= _LOW:
            return value, place + at + 1
    if place + 8 >= len(data):
        return 0, len(data)
    value = (value << 8) | data[place + 8]  # the ninth counts in full
    return (value - (1 << 64) if value >> 63 else value), place + 9


def _payload(view: View, page: bytes, place: int, length: int, kind: int) -> bytes:
    """The bytes of a record, as far as its chain of further pages can be followed."""
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
        if more[0] or not more.strip(b"\0"):  # it belongs to something else, or is gone
            break
        parts.append(more[4 : 4 + left])
        left -= usable - 4
        following = int.from_bytes(more[:4], "big")
    return b"".join(parts)


def _decoded(number: int, payload: bytes, length: int) -> Record | None:
    """None if the types and the record's length contradict each other."""
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


def _filled(number: int, payload: bytes, place: int, columns: list[tuple[int, int]]) -> Record:
    values: list[Value] = []
    whole = len(columns)
    for at, (kind, size) in enumerate(columns):
        data = payload[place : place + size]
        complete = len(data) == size
        values.append(_value(kind, data) if complete or (data and kind >= _FIRST_BLOB) else None)
        whole = whole if complete else min(whole, at)
        place += size
    return Record(number, tuple(values), whole)


def _size(kind: int) -> int:
    """Bytes of a value; negative for a type that there is not."""
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
