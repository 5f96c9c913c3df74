"""Damages bytes of files at random. Damages with a name are in `tests.fakes.damages`."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.fakes.damages import FILES, ROWS, FileDamage, RowDamage, unconstrained

ANY: Final = "any"
"""The cause of random damage, which the reader may report in any way."""

_ONE: Final = {
    "record": "segment = :key AND kind = :kind",
    "segment": "key = :key",
    "hold": "segment = :key",
    "lost": "segment = :key AND kind = :kind",
    "tally": "name = 'written'",
    "pin": "TRUE",
}
"""The rows to damage for one record. The tally of damages is never damaged, because it is the measure."""

_PAGE: Final = 4096
_HEAD: Final = 100


def file_damage(chance: random.Random) -> FileDamage:
    """A named damage, or random bytes anywhere in the file. The file always changes."""
    if chance.random() < 2 / 3:
        return chance.choice(FILES)
    return FileDamage("bytes anywhere", ANY, lambda path: patch(path, chance))


def row_damage(chance: random.Random) -> RowDamage:
    """Mostly damage to a record, whose exact cost is predictable."""
    return chance.choices(ROWS, weights=[4 if damage.table == "record" else 1 for damage in ROWS])[0]


def patch(path: Path, chance: random.Random) -> None:
    """Change some bytes of a file without changing its size."""
    content = bytearray(path.read_bytes())
    before = bytes(content)
    while content == before:
        _patch(content, 0, len(content), chance)
    path.write_bytes(content)


def spoil_rows(index: Path, chance: random.Random, count: int) -> list[RowDamage]:
    """Damage rows of up to `count` records, of their segments, or beside them. Returns the kinds of damage."""
    damages: list[RowDamage] = []
    with closing(sqlite3.connect(index, isolation_level=None)) as other, unconstrained(other):
        rows = other.execute("SELECT segment, kind FROM record ORDER BY segment, kind").fetchall()
        for key, kind in chance.sample(rows, min(len(rows), count)):
            damage = row_damage(chance)
            statement = f"{damage.change} WHERE {_ONE[damage.table]}"
            if other.execute(statement, {"key": key, "kind": kind}).rowcount:
                damages.append(damage)
    return damages


def spoil_index(index: Path, chance: random.Random, *ways: str) -> str:
    """Damage the bytes of the index in one of these ways, or in any. Returns the way."""
    content = bytearray(index.read_bytes())
    name = chance.choice(ways or tuple(_WAYS))
    _WAYS[name](content, chance)
    index.write_bytes(content)
    return name


def _bytes(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 8)):
        _patch(content, 0, len(content), chance)


def _head(content: bytearray, chance: random.Random) -> None:
    _patch(content, 0, _HEAD, chance)


def _patch(content: bytearray, begin: int, end: int, chance: random.Random) -> None:
    length = chance.randint(1, 16)
    at = chance.randrange(begin, max(begin + 1, end - length))
    content[at : at + length] = chance.randbytes(len(content[at : at + length]))


def _no_page(content: bytearray, chance: random.Random) -> None:
    at = _PAGE * chance.randrange(_pages(content))
    content[at : at + _PAGE] = bytes(len(content[at : at + _PAGE]))


def _swapped(content: bytearray, chance: random.Random) -> None:
    one, other = (_PAGE * chance.randrange(_pages(content)) for _ in range(2))
    content[one : one + _PAGE], content[other : other + _PAGE] = (
        content[other : other + _PAGE],
        content[one : one + _PAGE],
    )


def _cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def _pages(content: bytearray) -> int:
    return max(1, len(content) // _PAGE)


_WAYS: Final[dict[str, Callable[[bytearray, random.Random], None]]] = {
    "bytes": _bytes,
    "head": _head,
    "page of zeros": _no_page,
    "pages swapped": _swapped,
    "cut": _cut,
}
PAGES: Final = ("page of zeros", "pages swapped", "cut")
"""The ways that cannot make it look like an index of a later version."""
