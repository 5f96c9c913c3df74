"""Ways to damage a record's file, a row and the bytes of the index: one list, for the tests and for the soak.

The caller asserts how the store reacts. Functions that change the header expect a record in the form of
`tests.fakes.segments.new_record`: one tensor, `0.keys`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from storage.segments.records import built
from tests.fakes.segments import flip, new_record


@dataclass(frozen=True, slots=True)
class FileDamage:
    """`do` damages the file at a path. A reader that finds the damage reports `cause`."""

    name: str
    cause: str
    do: Callable[[Path], object]


@dataclass(frozen=True, slots=True)
class RowDamage:
    """A statement that damages the rows that match `WHERE {condition}`, and the causes that it is counted under."""

    change: str
    causes: tuple[str, ...]

    @property
    def table(self) -> str:
        """The table whose rows are damaged."""
        return self.change.split()[1]


def _swap(path: Path) -> None:
    """Replace it by another valid record of the same size."""
    head = built(new_record(size=_whole(path)).tensors)
    path.write_bytes(head + b"\2" * _whole(path))


def _link(path: Path) -> None:
    path.replace(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def _link_folder(path: Path) -> None:
    path.parent.rename(path.parents[1] / "elsewhere")
    path.parent.symlink_to("elsewhere")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inside").write_text("x")


def _head(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the header's JSON. If possible, the file keeps its size and its tensors their place."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    head = json.loads(content[8 : 8 + length])
    change(head)
    text = json.dumps(head, separators=(",", ":")).encode().ljust(length)
    path.write_bytes((len(text).to_bytes(8, "little") + text + content[8 + length :])[: len(content)])


def _tensor(**values: object) -> Callable[[Path], None]:
    return lambda path: _head(path, lambda head: head["0.keys"].update(values))


def _whole(path: Path) -> int:
    """The bytes of the record's tensor."""
    content = path.read_bytes()
    return len(content) - 8 - int.from_bytes(content[:8], "little")


def _overlap(head: dict[str, Any]) -> None:
    head["0.keys"]["shape"] = [500]
    head["0.keys"]["data_offsets"] = [0, 500]
    head["1"] = dict(head["0.keys"])


def _shape(path: Path) -> None:
    """Another shape of the same size."""
    _tensor(shape=[1, _whole(path)])(path)


LINKED_FOLDER: Final = FileDamage("linked folder", "not_a_file", _link_folder)
"""Removes all records of the folder with it, and leaves `elsewhere` in the store's root."""

FILES: Final = (
    FileDamage("gone", "missing", lambda path: path.unlink()),
    FileDamage("link", "not_a_file", _link),
    LINKED_FOLDER,
    FileDamage("pipe", "not_a_file", _pipe),
    FileDamage("folder", "not_a_file", _folder),
    FileDamage("last byte gone", "size", lambda path: path.write_bytes(path.read_bytes()[:-1])),
    FileDamage("empty", "size", lambda path: path.write_bytes(b"")),
    FileDamage("a byte too many", "size", lambda path: path.write_bytes(path.read_bytes() + b"x")),
    FileDamage("four bytes left", "size", lambda path: path.write_bytes(path.read_bytes()[:4])),
    FileDamage("a hundred bytes left", "size", lambda path: path.write_bytes(path.read_bytes()[:100])),
    FileDamage("length, lowest bit", "header", lambda path: flip(path, 0)),
    FileDamage("length, highest bit", "header", lambda path: flip(path, 7, 0x80)),
    FileDamage("first byte of the header", "header", lambda path: flip(path, 8)),
    FileDamage("zeros", "header", lambda path: path.write_bytes(bytes(path.stat().st_size))),
    FileDamage("last bit", "checksum", lambda path: flip(path, -1)),
    FileDamage("a bit of the tensor", "checksum", lambda path: flip(path, -1000)),
    FileDamage("wider dtype", "header", _tensor(dtype="F32")),
    FileDamage("other dtype", "checksum", _tensor(dtype="I8")),
    FileDamage("no dtype", "header", _tensor(dtype="Q9")),
    FileDamage("other rank", "checksum", _shape),
    FileDamage("huge shape", "header", _tensor(shape=[1 << 40])),
    FileDamage("nine dimensions", "header", _tensor(shape=[1] * 9 + [1000])),
    FileDamage("huge end", "header", _tensor(data_offsets=[0, 1 << 50])),
    FileDamage("huge begin", "header", _tensor(data_offsets=[1 << 50, (1 << 50) + 1000])),
    FileDamage("begin before the file", "header", _tensor(data_offsets=[-8, 992])),
    FileDamage("overlap", "header", lambda path: _head(path, _overlap)),
    FileDamage("another's file", "checksum", _swap),
)

ROWS: Final = (
    RowDamage("UPDATE record SET meta = '{'", ("index",)),
    RowDamage("UPDATE record SET bytes = 'many'", ("index",)),
    RowDamage("UPDATE record SET bytes = -1", ("index",)),
    RowDamage("UPDATE record SET bytes = 1 << 50", ("size",)),
    RowDamage("UPDATE record SET kind = 'guessed ' || kind", ("index",)),
    RowDamage("UPDATE record SET segment = CAST(segment AS BLOB)", ("index",)),
    RowDamage("UPDATE record SET meta = CAST(x'7b2261223a22ff227d' AS TEXT)", ("index",)),
    RowDamage("UPDATE record SET checksum = CAST(x'ff' || substr(checksum, 2) AS TEXT)", ("index",)),
    RowDamage("UPDATE record SET checksum = x'00'", ("index",)),
    RowDamage("UPDATE record SET checksum = 'wrong'", ("checksum",)),
    RowDamage("UPDATE segment SET parent = key", ()),
    RowDamage("UPDATE segment SET parent = 'gone'", ()),
    RowDamage("UPDATE segment SET parent = x'00'", ("index",)),
    RowDamage("UPDATE segment SET identity = x'00'", ("index",)),
    RowDamage("UPDATE segment SET identity = CAST(x'ff' || identity AS TEXT)", ("index",)),
    RowDamage("UPDATE segment SET start = 'x'", ("index",)),
    RowDamage('UPDATE segment SET start = "end" + 1', ("index",)),
    RowDamage("UPDATE segment SET \"end\" = 'x'", ("index",)),
    RowDamage('UPDATE segment SET "end" = 9223372036854775807', ("index",)),
    RowDamage("UPDATE segment SET used = 1.5", ("index",)),
    RowDamage("UPDATE segment SET used = -1", ("index",)),
    RowDamage("UPDATE segment SET used = 9223372036854775807", ("index",)),
    RowDamage("UPDATE hold SET conversation = CAST(conversation AS BLOB)", ("index",)),
    RowDamage("UPDATE hold SET conversation = CAST(x'ff' || conversation AS TEXT)", ("index",)),
    RowDamage("UPDATE tally SET value = 'x'", ("index",)),
    RowDamage("UPDATE tally SET value = 0.5", ("index",)),
    RowDamage("UPDATE tally SET value = 9223372036854775807", ("index",)),
    RowDamage("UPDATE tally SET name = CAST(x'ff' || name AS TEXT)", ("index",)),
    RowDamage("UPDATE tally SET day = CAST(day AS BLOB)", ("index",)),
    RowDamage("UPDATE pin SET conversation = CAST(conversation AS BLOB)", ("index",)),
    RowDamage("UPDATE lost SET kind = 'guessed ' || kind", ("index",)),
)
"""A record, or the whole index, is lost by each."""


@contextmanager
def unconstrained(raw: sqlite3.Connection) -> Iterator[None]:
    """Let statements write any value, as rot does."""
    for pragma in ("foreign_keys = OFF", "ignore_check_constraints = ON"):
        raw.execute(f"PRAGMA {pragma}")
    strict = raw.execute("SELECT name, sql FROM sqlite_master WHERE sql LIKE '% STRICT%'").fetchall()
    _declare(raw, [(name, sql.replace(" STRICT", "")) for name, sql in strict])
    try:
        yield
    finally:
        _declare(raw, strict)
        for pragma in ("foreign_keys = ON", "ignore_check_constraints = OFF"):
            raw.execute(f"PRAGMA {pragma}")


def _declare(raw: sqlite3.Connection, tables: list[tuple[str, str]]) -> None:
    raw.execute("PRAGMA writable_schema = ON")
    raw.executemany("UPDATE sqlite_master SET sql = ?2 WHERE name = ?1", tables)
    raw.execute("PRAGMA writable_schema = RESET")
