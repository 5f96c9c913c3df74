"""The index's tables and steps."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from sqlalchemy import inspect

from storage.database import DERIVED, Database
from storage.segments.schema import STEPS, metadata

if TYPE_CHECKING:
    from pathlib import Path


def test_the_steps_make_the_tables_that_the_queries_use(tmp_path: Path) -> None:
    """A new index has exactly the columns of the table definitions, in the same order."""
    with (
        closing(Database.open(tmp_path / "segments.sqlite", STEPS, DERIVED)) as database,
        database.transaction() as connection,
    ):
        inspector = inspect(connection)
        for table in metadata.sorted_tables:
            found = [(column["name"], column["nullable"]) for column in inspector.get_columns(table.name)]
            assert found == [(column.name, column.nullable) for column in table.columns]
