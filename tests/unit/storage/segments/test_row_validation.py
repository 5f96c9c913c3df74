"""Which rows of the index are valid."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.database import DERIVED
from storage.segments.index_file import IndexFile
from storage.segments.row_validation import drop_invalid_rows
from storage.segments.schema import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ROWS = (
    """INSERT INTO segment (key, parent, identity, start, "end", used) VALUES
        ('aa', NULL, 'modèle', 0, 4, 1), ('a_-9', 'aa', 'modèle', 4, 4, 2)""",
    "INSERT INTO record VALUES ('aa', 'kv', 9, 'sum', '{}'), ('aa', 'state', 9, 'sum', '{}')",
    "INSERT INTO hold VALUES ('Gespräch', 'aa'), ('Gespräch', 'a_-9'), ('two', 'aa')",
    "INSERT INTO lost VALUES ('a_-9', 'window')",
    "INSERT INTO pin VALUES ('Gespräch')",
    "INSERT INTO tally VALUES ('written', '2026-01-01', 4611686018427387904), ('damaged', 'size', 0)",
)
_TABLES = ("segment", "record", "hold", "lost", "pin", "tally")
_SOUND = dict(zip(_TABLES, (2, 2, 3, 1, 1, 2), strict=True))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[IndexFile]:
    with closing(IndexFile.open(tmp_path / "index", SCHEMA, DERIVED)) as opened:
        for statement in _ROWS:
            opened.raw.execute(statement)
        yield opened


def _left(database: IndexFile) -> dict[str, int]:
    return {name: database.raw.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _TABLES}


def _dropped(database: IndexFile) -> int:
    with database.transaction() as connection:
        return drop_invalid_rows(connection)


def test_valid_rows_stay(database: IndexFile) -> None:
    """Keys of all allowed letters, names in any script, empty spans, and the highest number."""
    assert _dropped(database) == 0
    assert _left(database) == _SOUND


@pytest.mark.parametrize(
    "key",
    ["''", "'A'", "'a b'", "'a/b'", "'ä'", "x'6161'", "'a' || char(0)", "CAST(x'61ff' AS TEXT)", "printf('%0129d', 0)"],
)
def test_invalid_keys_are_dropped(database: IndexFile, key: str) -> None:
    """A key that cannot be a file's name is dropped in every table, and nothing else is."""
    database.raw.execute(f"INSERT INTO segment VALUES ({key}, NULL, 'm', 0, 4, 3)")
    database.raw.execute(f"INSERT INTO record VALUES ({key}, 'kv', 9, 'sum', '{{}}')")
    assert _dropped(database) == 1
    assert _left(database) == _SOUND


@pytest.mark.parametrize("table", ["record", "hold", "lost"])
def test_rows_without_a_segment_are_dropped(database: IndexFile, table: str) -> None:
    """Rows of a segment whose key has changed would be counted forever and never found."""
    database.raw.execute("PRAGMA foreign_keys = OFF")
    database.raw.execute(f"UPDATE {table} SET segment = 'z' || segment")
    assert _dropped(database) == _SOUND[table]
    assert _left(database) == _SOUND | {table: 0}


def test_a_name_that_is_not_text_is_dropped_alone(database: IndexFile) -> None:
    """Only the row with the invalid name is dropped."""
    database.raw.execute("UPDATE hold SET conversation = CAST(x'74ff6f' AS TEXT) WHERE conversation = 'two'")
    assert _dropped(database) == 1
    assert _left(database) == _SOUND | {"hold": 2}
