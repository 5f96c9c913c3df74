"""The index's tables."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from sqlalchemy import inspect

from storage.database import DERIVED, Database
from storage.segments.schema import SCHEMA, metadata

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_index_has_the_tables_that_the_queries_use(tmp_path: Path) -> None:
    """A new index has exactly the columns of the table definitions, in the same order."""
    with (
        closing(Database.open(tmp_path / "segments.sqlite", SCHEMA, DERIVED)) as database,
        database.transaction() as connection,
    ):
        inspector = inspect(connection)
        for table in metadata.sorted_tables:
            found = [(column["name"], column["nullable"]) for column in inspector.get_columns(table.name)]
            assert found == [(column.name, column.nullable) for column in table.columns]
