"""The library's tables."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect

from storage.database import PRECIOUS, Database
from storage.library.library import Library
from storage.library.rows import QueuedText, SavedDraft, Switches
from storage.library.schema import SCHEMA, metadata
from tests.fakes.library import say

GOLDEN = Path(__file__).parents[3] / "golden" / "library"
VERSIONS = range(SCHEMA.oldest, SCHEMA.version + 1)


def test_a_new_library_has_the_tables_that_the_queries_use(tmp_path: Path) -> None:
    """A new file has exactly the columns of the table definitions, in the same order."""
    with (
        closing(Database.open(tmp_path / "library.sqlite", SCHEMA, PRECIOUS)) as database,
        database.transaction() as connection,
    ):
        inspector = inspect(connection)
        for table in metadata.sorted_tables:
            found = [(column["name"], column["nullable"]) for column in inspector.get_columns(table.name)][1:]
            assert found == [(column.name, column.nullable) for column in table.columns][1:]


def test_the_large_column_is_the_last() -> None:
    """Querying a message's text never reads its ledger, because the ledger is the last column."""
    assert list(metadata.tables["message"].columns)[-1].name == "ledger"


def _found(library: Library, title: str) -> str:
    found = library.conversations.find(title)
    assert found is not None
    return found.id


@pytest.mark.parametrize("version", VERSIONS)
def test_the_golden_library_opens_with_all_its_words(tmp_path: Path, version: int) -> None:
    """Branches, ledgers, asides, labels, files, drafts, states and the trash are as they were written."""
    path = Path(shutil.copy(GOLDEN / f"v{version}.sqlite", tmp_path / "library.sqlite"))
    before = _rows(path)
    with closing(Library.open(path)) as library:
        assert _rows(path) == before
        chat, plan = _found(library, "Lighthouses"), _found(library, "Plan the garden")
        kept = library.conversations.get(chat)
        assert (kept.system, kept.preset, kept.titled, kept.switches.thinking) == ("Be brief.", "precise", True, True)
        assert library.conversations.draft(chat) == SavedDraft("half a thought")
        line = library.messages.branch(plan)
        waiting, edit = QueuedText("Next"), (line[2].id, "Edited")
        assert library.conversations.draft(plan) == SavedDraft("typed", (waiting,), (edit,))
        assert [one.state for one in line] == ["done", "done", "done", "failed", "done", "open"]
        assert (line[-1].content, library.conversations.get(plan).reads_from) == ("As far as", line[2].id)
        fork = library.conversations.get(_found(library, "Plan the garden (fork)"))
        assert (fork.pinned, fork.folder, fork.tags) == (True, "Garden", ("spring", "beans"))
        assert fork.switches == Switches(cached=False)
        assert [one.name for one in library.attachments.of_draft(fork.id)] == ["seeds.txt"]
        for word in ("cafe", "bell", "🕯", "beans", "lighthouses", "#spring"):
            assert library.search.find(word), word
        assert library.search.find("delete") == ()
        assert [row.title for row in library.trash.listed()] == ["Gone"]
        assert library.messages.interrupt_open() == 1
        say(library, chat, "and now?", "a giraffe")
        assert len(library.search.find("giraffe")) == 1
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("version", VERSIONS)
def test_the_search_forgets_every_word_of_an_erased_golden_library(tmp_path: Path, version: int) -> None:
    """Its indexes are empty then. If words stay, `searchable` is no longer what it was when the file was written: make
    the indexes anew in a step to a new version.
    """
    path = Path(shutil.copy(GOLDEN / f"v{version}.sqlite", tmp_path / "library.sqlite"))
    with closing(Library.open(path)) as library:
        assert library.messages.interrupt_open() == 1
        library.trash.add(*(row.id for row in library.conversations.listed()))
        raw = library.search._database.raw
        for erased in (False, True):
            for index in ("title_search", "message_search", "sign_search", "part_search", "attachment_search"):
                raw.execute(
                    f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{index}_word USING fts5vocab (main, {index}, row)"
                )
                words = [word for (word,) in raw.execute(f"SELECT term FROM temp.{index}_word")]
                assert (words == []) == erased, index
            library.trash.erase(*(row.id for row in library.trash.listed()))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_golden_library_has_the_layout_of_a_new_one(tmp_path: Path, version: int) -> None:
    """The same columns in the same order, and the same indexes, search indexes and triggers."""
    layouts = []
    golden = Path(shutil.copy(GOLDEN / f"v{version}.sqlite", tmp_path / "golden"))
    for path in (golden, tmp_path / "new"):
        with closing(Database.open(path, SCHEMA, PRECIOUS)) as database:
            raw = database.raw
            columns = [
                [column[1] for column in raw.execute(f"PRAGMA table_info({table})")] for table in metadata.tables
            ]
            rest = raw.execute("SELECT type, name FROM sqlite_master WHERE type <> 'table' ORDER BY name").fetchall()
            made = "SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY name"
            layouts.append((columns, rest, raw.execute(made).fetchall()))
    assert layouts[0] == layouts[1]


def _rows(path: Path) -> list[tuple[object, ...]]:
    columns = "id, parent, role, state, content, ledger, usage, error, model, created"
    with closing(sqlite3.connect(path)) as connection:
        said = connection.execute(f"SELECT {columns} FROM message ORDER BY number").fetchall()
        columns = "id, title, leaf, draft, queue, edits, deleted"
        return said + connection.execute(f"SELECT {columns} FROM conversation").fetchall()
