"""The library's tables and steps."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect

from storage.database import PRECIOUS, Database
from storage.library.library import Library
from storage.library.rows import Aside
from storage.library.schema import STEPS, metadata
from tests.fakes.library import say

GOLDEN = Path(__file__).parents[3] / "golden" / "library"


def test_the_steps_make_the_tables_that_the_queries_use(tmp_path: Path) -> None:
    """A new file has exactly the columns of the table definitions, in the same order."""
    with (
        closing(Database.open(tmp_path / "library.sqlite", STEPS, PRECIOUS)) as database,
        database.transaction() as connection,
    ):
        inspector = inspect(connection)
        for table in metadata.sorted_tables:
            found = [(column["name"], column["nullable"]) for column in inspector.get_columns(table.name)][1:]
            assert found == [(column.name, column.nullable) for column in table.columns][1:]


def test_the_large_column_is_the_last() -> None:
    """Querying a message's text never reads its ledger, because the ledger is the last column."""
    assert list(metadata.tables["message"].columns)[-1].name == "ledger"


def _golden(version: int, folder: Path) -> Path:
    """A library as Hearth wrote it at this version."""
    return Path(shutil.copy(GOLDEN / f"v{version}.sqlite", folder / "library.sqlite"))


def _found(library: Library, title: str) -> str:
    found = library.conversations.find(title)
    assert found is not None
    return found.id


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_a_library_of_every_earlier_version_opens_with_all_its_words(version: int, tmp_path: Path) -> None:
    """Branches, ledgers, drafts, states and the trash are unchanged, and a copy of the old file is kept."""
    path = _golden(version, tmp_path)
    before = _rows(path)
    with closing(Library.open(path)) as library:
        assert _rows(path) == before
        chat, plan = _found(library, "Lighthouses"), _found(library, "Plan the garden")
        kept = library.conversations.get(chat)
        assert (kept.system, kept.preset, kept.titled) == ("Be brief.", "precise", True)
        assert (kept.pinned, kept.folder, kept.tags, kept.cached) == (False, "", (), True)
        assert library.conversations.draft(chat) == "half a thought"
        assert [one.state for one in library.messages.branch(plan)] == [
            "done",
            "done",
            "done",
            "failed",
            "done",
            "open",
        ]
        assert library.messages.branch(plan)[-1].content == "As far as"
        for word in ("café", "bell", "🕯", "beans", "lighthouses"):
            assert library.search.find(word), word
        assert library.search.find("delete") == ()
        assert [row.title for row in library.trash.listed()] == ["Gone"]
        assert library.messages.interrupt_open() == 1
        say(library, chat, "and now?", "a giraffe")
        assert len(library.search.find("giraffe")) == 1
    with closing(sqlite3.connect(tmp_path / "library.sqlite")) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    assert _rows(tmp_path / f"library.sqlite.v{version}") == before


def test_fields_that_the_first_version_lacked_are_unset(tmp_path: Path) -> None:
    """Ledger and usage keep their values; reasoning and tool calls are empty."""
    with closing(Library.open(_golden(1, tmp_path))) as library:
        line = library.messages.branch(_found(library, "Lighthouses"))
        library.messages.step(line[0].conversation, line[1].id, -1)
        reply = library.messages.branch(line[0].conversation)[1]
        assert (reply.content, reply.ledger, reply.usage) == ("A keeper kept it.", "[1,2,3]", '{"prompt_tokens":3}')
        assert (reply.aside, reply.attachments) == (Aside(), ())
        assert library.conversations.get(reply.conversation).reads_from is None


def test_fields_of_the_second_version_are_kept(tmp_path: Path) -> None:
    """Reasoning, tool calls, forks and the first message of the prompt survive the migration."""
    with closing(Library.open(_golden(2, tmp_path))) as library:
        chat, plan = _found(library, "Lighthouses"), _found(library, "Plan the garden")
        assert library.conversations.get(chat).thinking
        assert library.conversations.get(plan).reads_from == library.messages.branch(plan)[2].id
        assert len(library.messages.branch(_found(library, "Plan the garden (fork)"))) == 2
        question = library.messages.branch(chat)[0]
        assert (question.content, question.place, question.places) == ("Who kept the light?", 2, 2)
        library.messages.step(chat, question.id, -1)
        library.messages.step(chat, library.messages.branch(chat)[1].id, -1)
        assert library.messages.branch(chat)[1].aside.reasoning == "Let me think of islands."
        assert library.messages.branch(chat)[1].aside.thought_ms == 2500


def test_fields_of_the_third_version_are_kept(tmp_path: Path) -> None:
    """Labels and files survive the migration."""
    with closing(Library.open(_golden(3, tmp_path))) as library:
        fork = library.conversations.get(_found(library, "Plan the garden (fork)"))
        assert (fork.pinned, fork.folder, fork.tags, fork.cached) == (True, "Garden", ("spring", "beans"), False)
        assert [one.name for one in library.attachments.of_draft(fork.id)] == ["seeds.txt"]


def test_a_conversation_of_the_fourth_version_sets_no_sampling_values(tmp_path: Path) -> None:
    """Its preset stays, and it can set values of its own from then on."""
    with closing(Library.open(_golden(4, tmp_path))) as library:
        chat = _found(library, "Lighthouses")
        assert (library.conversations.get(chat).preset, library.conversations.get(chat).sampling) == ("precise", "")
        library.labels.set_preset(chat, "precise", '{"top_k":40}')
        assert library.conversations.get(chat).sampling == '{"top_k":40}'


def _rows(path: Path) -> list[tuple[object, ...]]:
    columns = "id, parent, role, state, content, ledger, usage, error, model, created"
    with closing(sqlite3.connect(path)) as connection:
        said = connection.execute(f"SELECT {columns} FROM message ORDER BY number").fetchall()
        return said + connection.execute("SELECT id, title, leaf, draft, deleted FROM conversation").fetchall()


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_an_old_library_becomes_what_a_new_one_is(version: int, tmp_path: Path) -> None:
    """A migrated file has the columns of a new one in the same order, and its indexes, search indexes and triggers."""
    layouts = []
    for path in (_golden(version, tmp_path), tmp_path / "new"):
        with closing(Database.open(path, STEPS, PRECIOUS)) as database:
            raw = database.raw
            columns = [raw.execute(f"PRAGMA table_info({table})").fetchall() for table in metadata.tables]
            rest = raw.execute("SELECT type, name FROM sqlite_master WHERE type <> 'table' ORDER BY name").fetchall()
            made = "SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY name"
            layouts.append((columns, rest, raw.execute(made).fetchall()))
    assert layouts[0] == layouts[1]
