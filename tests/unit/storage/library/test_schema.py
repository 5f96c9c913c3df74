"""The library's tables and steps."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import inspect

from storage.database import PRECIOUS, Database
from storage.library.rows import Aside
from storage.library.schema import STEPS, metadata
from storage.library.store import Library

if TYPE_CHECKING:
    from pathlib import Path


def test_the_steps_make_the_tables_that_the_queries_use(tmp_path: Path) -> None:
    """A new file has exactly the columns that the table definitions name, in the same order."""
    with (
        closing(Database.open(tmp_path / "library.sqlite", STEPS, PRECIOUS)) as database,
        database.transaction() as connection,
    ):
        inspector = inspect(connection)
        for table in metadata.sorted_tables:
            found = [(column["name"], column["nullable"]) for column in inspector.get_columns(table.name)][1:]
            assert found == [(column.name, column.nullable) for column in table.columns][1:]


def test_the_large_column_is_the_last() -> None:
    """Reading a message's text never reads its ledger, because the ledger stands behind it."""
    assert list(metadata.tables["message"].columns)[-1].name == "ledger"


def _old(path: Path) -> None:
    """A library as the first version of Hearth left it."""
    with (
        closing(Database.open(path, STEPS[:1], PRECIOUS)) as database,
        database.transaction() as connection,
    ):
        connection.exec_driver_sql(
            "INSERT INTO conversation (id, title, titled, system, preset, model, created, updated, leaf, draft)"
            " VALUES ('c', 'Old', 1, 'Be brief.', 'precise', 'm', 1, 2, 'r', 'half')"
        )
        for identifier, parent, role, content, ledger in (
            ("q", None, "user", "zebra", ""),
            ("r", "q", "assistant", "giraffe", "[1,2]"),
        ):
            connection.exec_driver_sql(
                "INSERT INTO message (id, conversation, parent, role, state, content, usage, error, model, created,"
                " ledger) VALUES (?, 'c', ?, ?, 'done', ?, '{}', '', 'm', 3, ?)",
                (identifier, parent, role, content, ledger),
            )


def test_a_library_of_the_first_version_opens_with_all_its_words(tmp_path: Path) -> None:
    """Nothing is lost or changed by the step: rows, ledgers, search and draft; a copy of the old file stays."""
    path = tmp_path / "library.sqlite"
    _old(path)
    with closing(Library.open(path)) as library:
        question, reply = library.branch("c")
        assert (question.content, reply.content, reply.ledger, reply.usage) == ("zebra", "giraffe", "[1,2]", "{}")
        assert (reply.aside, reply.places) == (Aside(), 1)
        kept = library.conversation("c")
        assert (kept.title, kept.system, kept.thinking, kept.reads_from) == ("Old", "Be brief.", False, None)
        assert [len(library.conversations(word)) for word in ("zebra", "giraffe", "old")] == [1, 1, 1]
        assert library.draft("c") == "half"
        library.end(replace(library.begin_turn("c", "next", "m").reply, content="lion", state="done", ledger="[3]"))
        assert len(library.conversations("lion")) == 1
    with closing(Database.open(tmp_path / "library.sqlite.v1", STEPS[:1], PRECIOUS)) as copied:
        assert copied.raw.execute("SELECT count(*) FROM message").fetchone() == (2,)


def test_an_old_library_becomes_what_a_new_one_is(tmp_path: Path) -> None:
    """Migrated or made today, a file has the same columns in the same order."""
    _old(tmp_path / "old")
    layouts = []
    for name in ("old", "new"):
        with closing(Database.open(tmp_path / name, STEPS, PRECIOUS)) as database:
            layouts.append(
                [database.raw.execute(f"PRAGMA table_info({table})").fetchall() for table in metadata.tables]
            )
    assert layouts[0] == layouts[1]
