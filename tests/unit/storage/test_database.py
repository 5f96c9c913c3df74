"""One SQLite file: creation, pragmas, transactions, damage."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from storage.copies import read_only, second_connection
from storage.database import DERIVED, PRECIOUS, Database, Schema
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem, StorageFault
from storage.folders import settle
from storage.library.schema import SCHEMA
from tests.fakes import foreign_journal
from tests.fakes.first_look import after_first_look
from tests.fakes.problems import raising, reported
from tests.soak.small_disk import Mounted, small_disk

if TYPE_CHECKING:
    from sqlalchemy import Connection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.sqlite"


def _table(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE word (text TEXT UNIQUE)")


def _open(path: Path) -> Database:
    return Database.open(path, Schema(1, (_table,)), PRECIOUS)


def _words(database: Database) -> list[str]:
    with database.transaction() as connection:
        return list(connection.exec_driver_sql("SELECT text FROM word ORDER BY text").scalars())


def _write(database: Database, *words: str) -> None:
    with database.transaction() as connection:
        for word in words:
            connection.exec_driver_sql("INSERT INTO word (text) VALUES (?)", (word,))


def test_a_failed_transaction_leaves_nothing(path: Path) -> None:
    """A transaction is all or nothing, and the connection works afterwards. `written` counts neither queries nor failed
    transactions.
    """
    with closing(_open(path)) as database:
        before = database.written
        with pytest.raises(StorageFault):
            _write(database, "one", "one")
        assert _words(database) == []
        assert database.written == before
        _write(database, "two")
        assert _words(database) == ["two"]
        assert database.written == before + 1


def test_an_unsynced_transaction_is_safe_from_the_end_of_the_process(path: Path) -> None:
    """Another process reads it at once. Every other transaction is synced as before, after an error too."""
    with closing(_open(path)) as database, closing(_open(path)) as other:
        with database.unsynced() as connection:
            during = connection.exec_driver_sql("PRAGMA synchronous").scalar()
            connection.exec_driver_sql("INSERT INTO word VALUES ('one')")
        assert _words(other) == ["one"]
        with pytest.raises(StorageFault), database.unsynced() as connection:
            connection.exec_driver_sql("INSERT INTO word VALUES ('one')")
        assert (during, database.raw.execute("PRAGMA synchronous").fetchone()[0]) == (1, 2)


def test_a_read_only_disk_is_reported_as_such(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite has one error for every refused write; a test write to the folder finds the reason."""
    refused = sqlite3.OperationalError("disk I/O error")
    refused.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    with closing(_open(path)) as database, monkeypatch.context() as patched:
        patched.setattr(os, "open", raising(OSError(errno.EROFS, "refused")))
        with reported(Problem.READ_ONLY), database.transaction():
            raise refused


def test_files_and_folders_are_the_owners_alone(tmp_path: Path) -> None:
    """Only the owner can read the database, its log and its folder, even if the file was open to all before."""
    path = tmp_path / "private" / "file.sqlite"
    _open(path).close()
    path.chmod(0o644)
    with closing(_open(path)) as database:
        _write(database, "one")
        modes = {entry.name: entry.stat().st_mode & 0o777 for entry in path.parent.iterdir()}
    assert modes == {"file.sqlite": 0o600, "file.sqlite-wal": 0o600, "file.sqlite-shm": 0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_the_library_is_durable_and_the_cache_index_fast(tmp_path: Path) -> None:
    """Both use a write-ahead log and foreign keys; only the precious file is synced at every commit and overwritten."""
    pragmas = ("journal_mode", "foreign_keys", "synchronous", "secure_delete", "busy_timeout")
    for durability, expected in ((PRECIOUS, ["wal", 1, 2, 1, 5000]), (DERIVED, ["wal", 1, 1, 0, 5000])):
        path = tmp_path / f"{expected[2]}.sqlite"
        with closing(Database.open(path, Schema(1, (_table,)), durability)) as database:
            assert [database.raw.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas] == expected


@pytest.mark.parametrize("content", [b"", bytes(65536), b"SQLite format 3\0" + bytes(200), b"not a database" * 400])
def test_a_broken_file_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    """An emptied, zeroed, cut or foreign file is reported as damaged and stays unchanged. So does the log of an emptied
    file, which SQLite would remove.
    """
    log = path.with_name("file.sqlite-wal")
    path.write_bytes(content)
    log.write_bytes(b"words")
    with pytest.raises(DamagedDatabase):
        _open(path)
    assert path.read_bytes() == content
    assert content or log.read_bytes() == b"words"


def test_an_unknown_format_for_writing_is_damage(path: Path) -> None:
    """SQLite would open such a file and then refuse every write as read-only, at every start."""
    _open(path).close()
    content = bytearray(path.read_bytes())
    content[18] = 3
    path.write_bytes(content)
    with pytest.raises(DamagedDatabase):
        _open(path)
    assert path.read_bytes() == content


def test_a_database_without_our_tables_is_refused(path: Path) -> None:
    """A SQLite file that Hearth did not create is not taken for a new one."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
    with pytest.raises(DamagedDatabase):
        _open(path)


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE word",
        "DROP INDEX word_length",
        "DROP TRIGGER word_added",
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'search_data'",
    ],
)
@pytest.mark.parametrize("later", [(), (_table,)])
def test_a_file_without_a_part_of_its_version_is_damaged(
    path: Path, damage: str, later: tuple[Callable[[Connection], None], ...]
) -> None:
    """If a step's table or column is missing, opening reports damage before it migrates the file."""
    Database.open(path, Schema(1, (_searched,)), PRECIOUS).close()
    with closing(sqlite3.connect(path)) as other:
        other.executescript(damage)
        before = other.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
    with pytest.raises(DamagedDatabase, match="parts of it are missing"):
        Database.open(path, Schema(1, (_searched, *later)), PRECIOUS)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == before


def test_additions_are_no_damage(path: Path) -> None:
    """Another program may analyse the file."""
    _open(path).close()
    with closing(sqlite3.connect(path)) as other:
        other.executescript("INSERT INTO word VALUES ('a'); ANALYZE; DELETE FROM word")
    with closing(_open(path)) as database:
        assert _words(database) == []


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE word RENAME COLUMN length TO size",
        "CREATE TABLE other (x REFERENCES word (length))",
        "CREATE VIEW other AS SELECT 1",
        'CREATE TRIGGER "sqlite-stat1" AFTER INSERT ON word BEGIN DELETE FROM word; END',
        "ANALYZE; PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'stat)', 'stat AS (1))')",
        'CREATE TABLE "sqlitexstat1" (x REFERENCES word (length))',
        """CREATE TRIGGER other AFTER INSERT ON word BEGIN DELETE FROM word; END; PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET name = 'sqlite_stat1', sql = replace(sql, 'other', 'sqlite_stat1')
            WHERE name = 'other'""",
        "CREATE TRIGGER other AFTER INSERT ON word BEGIN DELETE FROM word; END",
        "DROP TRIGGER word_added; CREATE TRIGGER word_added AFTER INSERT ON word BEGIN DELETE FROM word; END",
        "CREATE UNIQUE INDEX other ON word (length)",
        "DROP INDEX word_length; CREATE UNIQUE INDEX word_length ON word (length)",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'INTEGER', 'INTEGER CHECK (0)')",
        "ALTER TABLE word ADD COLUMN other REFERENCES word (length) ON DELETE CASCADE",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'BLOB', 'BLOB CHECK (0)')",
        "DROP TABLE search; CREATE VIRTUAL TABLE search USING fts5 (text, content = 'word', tokenize = 'porter')",
    ],
)
def test_a_file_with_parts_that_are_not_ours_is_damaged(path: Path, change: str) -> None:
    """A hostile copy may have a trigger, an index or a table with the name of one of Hearth's. It would take part in
    Hearth's statements, and could erase words or refuse them.
    """
    Database.open(path, Schema(1, (_searched,)), PRECIOUS).close()
    with closing(sqlite3.connect(path)) as other:
        other.executescript(change)
    with pytest.raises(DamagedDatabase, match="not Hearth's"):
        Database.open(path, Schema(1, (_searched,)), PRECIOUS)


@pytest.mark.parametrize(("size", "rows"), [(10_000_000, 200), (10_000, 200_000)], ids=["large", "many"])
def test_statistics_that_a_file_computes_delay_nothing(path: Path, size: int, rows: int) -> None:
    """SQLite reads the statistics of ANALYZE before anything else. In a hostile copy they may be a computed column, and
    the window waits for the file thread when it closes.
    """
    _open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.executescript(f"""INSERT INTO word VALUES ('a'); ANALYZE; PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat AS (hex(zeroblob({size}))))'
                WHERE name = 'sqlite_stat1'""")
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA writable_schema = ON")
        other.executemany("INSERT INTO sqlite_stat1 (tbl) VALUES ('word')", [()] * rows)
    began = time.process_time()
    with pytest.raises(DamagedDatabase, match="not Hearth's"):
        _open(path)
    read_only(path).close()
    second_connection(path).close()
    assert time.process_time() - began < 0.5


def test_a_file_in_another_encoding_is_damaged(path: Path) -> None:
    """What is written to it would not be found: the search reads UTF-8."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA encoding = 'UTF-16le'")
        own = Database.in_memory(Schema(1, (_searched,)))
        for (sql,) in own.raw.execute("SELECT sql FROM sqlite_master WHERE sql NOT LIKE 'CREATE TABLE ''%'").fetchall():
            other.execute(sql)
        other.execute("PRAGMA user_version = 1")
        own.close()
    with pytest.raises(DamagedDatabase, match="header"):
        Database.open(path, Schema(1, (_searched,)), PRECIOUS)


def _searched(connection: Connection) -> None:
    for statement in (
        "CREATE TABLE word (text TEXT, length INTEGER)",
        "CREATE INDEX word_length ON word (length)",
        "CREATE VIRTUAL TABLE search USING fts5 (text, content = 'word')",
        "CREATE TRIGGER word_added AFTER INSERT ON word BEGIN INSERT INTO search VALUES (new.text); END",
    ):
        connection.exec_driver_sql(statement)


def test_a_creation_that_the_disk_refuses_leaves_no_damaged_file(tmp_path: Path) -> None:
    """However much room there is, the file gets its name only if all of it is on the disk."""
    with small_disk(tmp_path) as disk:
        if not isinstance(disk, Mounted):
            pytest.skip("no small disk can be mounted here")
        outcomes = set()
        for left in range(0, 800_000, 16_384):
            path = tmp_path / str(left) / "library.sqlite"
            path.parent.mkdir()
            disk.fill(left)
            with suppress(EnvironmentProblem):
                Database.open(path, SCHEMA, PRECIOUS).close()
            outcomes.add(path.exists())
            disk.free()
            Database.open(path, SCHEMA, PRECIOUS).close()
            shutil.rmtree(path.parent)
        assert outcomes == {False, True}


def test_a_creation_that_was_cut_short_starts_again(tmp_path: Path, path: Path) -> None:
    """A partially created file never has the database's name, and the next start creates it anew."""

    def broken(connection: Connection) -> None:
        _table(connection)
        connection.exec_driver_sql("CREATE nonsense")

    with pytest.raises(StorageFault):
        Database.open(path, Schema(1, (broken,)), PRECIOUS)
    assert not path.exists()
    with closing(_open(path)) as database:
        assert _words(database) == []
    assert [entry.name for entry in tmp_path.glob("file*")] == ["file.sqlite"]


def _open_and_write(path: Path, schema: Schema, word: str) -> None:
    with closing(Database.open(path, schema, PRECIOUS)) as database:
        _write(database, word)


def test_a_second_creation_never_replaces_the_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two first starts at once: the words that one has saved meanwhile are in the file that the other opens."""
    after_first_look(monkeypatch, path, lambda: _open_and_write(path, Schema(1, (_table,)), "saved"))
    with closing(_open(path)) as database:
        assert _words(database) == ["saved"]


def _add_column(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE word ADD COLUMN length INTEGER")


@pytest.mark.parametrize("before", [(), (_table,)])
def test_several_processes_create_or_upgrade_a_file_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, before: tuple[Callable[[Connection], None], ...]
) -> None:
    """One that starts while another is at work waits for it, and both use the same file. The copy that is kept of a
    file before its upgrade is the old one, and no other file stays.
    """
    if before:
        Database.open(path, Schema(1, before), PRECIOUS).close()
    reached, others = threading.Event(), list[Future[None]]()
    lock = fcntl.flock

    def flock(handle: int, operation: int) -> None:
        reached.set()
        lock(handle, operation)

    with ThreadPoolExecutor(1) as pool:

        def last(connection: Connection) -> None:
            _add_column(connection)
            if not others:
                monkeypatch.setattr(fcntl, "flock", flock)
                others.append(pool.submit(_open_and_write, path, schema, "theirs"))
                others[0].add_done_callback(lambda _: reached.set())
                reached.wait()

        schema = Schema(1, (_table, last))
        _open_and_write(path, schema, "ours")
        others[0].result()
    with closing(Database.open(path, schema, PRECIOUS)) as database:
        assert _words(database) == ["ours", "theirs"]
    kept = path.with_name("file.sqlite.v1")
    assert sorted(path.parent.iterdir()) == ([path, kept] if before else [path])
    if before:
        with closing(sqlite3.connect(kept)) as raw:
            assert raw.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_new_file_can_be_read_by_others_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that reads it as soon as it has its name does not stop the one that has created it."""
    readers = list[sqlite3.Connection]()

    def named(temporary: Path, final: Path) -> None:
        settle(temporary, final)
        readers.append(sqlite3.connect(final, isolation_level=None))
        readers[0].execute("BEGIN")
        readers[0].execute("SELECT * FROM word").fetchall()

    monkeypatch.setattr("storage.database.settle", named)
    with closing(_open(path)) as database:
        _write(database, "one")
        assert _words(database) == ["one"]
    readers[0].close()


def test_a_transaction_sees_no_other_writes(path: Path) -> None:
    """A transaction locks out other writers from its start, so it never fails because its rows are stale. A lock that
    stays is a problem of the environment, and the transaction that waited leaves nothing.
    """
    with closing(_open(path)) as database, closing(_open(path)) as other:
        other.raw.execute("PRAGMA busy_timeout = 1")
        with database.transaction() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM word").scalar_one()
            with reported(Problem.LOCKED):
                _write(other, "between")
            connection.exec_driver_sql("INSERT INTO word VALUES ('mine')")
        _write(other, "after")
        assert _words(database) == ["after", "mine"]


def test_a_full_disk_undoes_the_transaction_and_recovers(path: Path) -> None:
    """On a full disk the transaction fails as disk_full; once there is room, the next one succeeds."""
    with closing(_open(path)) as database:
        pages = database.raw.execute("PRAGMA page_count").fetchone()[0]
        database.raw.execute(f"PRAGMA max_page_count = {pages}").fetchall()
        with reported(Problem.DISK_FULL):
            _write(database, "x" * 100_000)
        database.raw.execute("PRAGMA max_page_count = 100000").fetchall()
        _write(database, "two")
        assert _words(database) == ["two"]


def test_an_error_does_not_contain_the_users_text(path: Path) -> None:
    """Neither the error nor its cause contains the parameters of the statement."""
    with closing(_open(path)) as database:
        _write(database, words := "confidential"[::-1])
        with pytest.raises(StorageFault) as caught:
            _write(database, words)
    assert words not in "".join(traceback.format_exception(caught.value))


def test_a_rotten_byte_costs_a_character_not_the_row(path: Path) -> None:
    """Text that is not UTF-8 is read with a replacement character."""
    with closing(_open(path)) as database:
        database.raw.execute("INSERT INTO word VALUES (CAST(x'61FF62' AS TEXT))")
        assert _words(database) == ["a\N{REPLACEMENT CHARACTER}b"]


def test_closing_twice_is_harmless_and_use_after_is_our_fault(path: Path) -> None:
    """Using a closed database raises StorageFault; it does not open again."""
    database = _open(path)
    database.close()
    database.close()
    with pytest.raises(StorageFault):
        database.truncate_log()


def test_a_file_in_the_place_of_the_folder_is_a_problem_of_the_environment(tmp_path: Path) -> None:
    """If a file has the folder's name, the error is classified."""
    (tmp_path / "blocked").write_text("")
    with pytest.raises(EnvironmentProblem):
        _open(tmp_path / "blocked" / "inner" / "file.sqlite")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_folder_or_pipe_is_a_damaged_file(path: Path, make: Callable[[Path], None]) -> None:
    """A folder or a pipe of the file's name is reported as damage, without blocking."""
    make(path)
    with pytest.raises(DamagedDatabase, match="not a file"):
        _open(path)


@pytest.mark.parametrize("content", [None, b"precious", b"a database"])
def test_a_link_is_a_damaged_file(tmp_path: Path, path: Path, content: bytes | None) -> None:
    """The file to which it leads is the user's. It keeps its content, its mode and the files beside it. No file takes
    the place of a link that leads nowhere.
    """
    mine, log = tmp_path / "mine", tmp_path / "mine-wal"
    if content == b"a database":
        _open(path).close()
        path.rename(mine)
    elif content:
        mine.write_bytes(content)
    if content:
        mine.chmod(0o644)
        log.write_bytes(b"precious")
        content = mine.read_bytes()
    path.symlink_to(mine)
    for _ in range(2):
        with pytest.raises(DamagedDatabase, match="not a file"):
            _open(path)
        with pytest.raises(DamagedDatabase, match="not a file"):
            second_connection(path)
    assert path.is_symlink()
    assert mine.exists() == log.exists() == (content is not None)
    if content:
        assert (mine.read_bytes(), mine.stat().st_mode & 0o777, log.read_bytes()) == (content, 0o644, b"precious")


@pytest.mark.parametrize("companion", ["-wal", "-shm", "-journal"])
def test_a_pipe_beside_the_file_is_in_the_way(tmp_path: Path, path: Path, companion: str) -> None:
    """SQLite would open it, and wait for ever."""
    _open(path).close()
    os.mkfifo(tmp_path / f"file.sqlite{companion}")
    with reported(Problem.IN_THE_WAY):
        _open(path)


@pytest.mark.parametrize(
    "foreign", ["VIEW other AS SELECT text FROM word", "TRIGGER other AFTER INSERT ON word BEGIN DELETE FROM word; END"]
)
def test_a_trigger_or_view_of_others_is_damage(path: Path, foreign: str) -> None:
    """It would run with Hearth's statements, and could change or delete anything, or never end."""
    _open(path).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"CREATE {foreign}")
    with pytest.raises(DamagedDatabase, match="not Hearth's"):
        _open(path)


def test_a_journal_that_names_another_file_is_in_the_way(tmp_path: Path, path: Path) -> None:
    """SQLite would erase that file."""
    _open(path).close()
    (tmp_path / "letter.txt").write_text("precious")
    journal = foreign_journal.leave(path, tmp_path / "letter.txt")
    with reported(Problem.IN_THE_WAY):
        _open(path)
    assert (tmp_path / "letter.txt").read_text() == "precious"
    journal.unlink()
    _open(path).close()


def test_a_journal_of_the_file_alone_is_applied(tmp_path: Path, path: Path) -> None:
    """It is what a crash leaves of a change without a write-ahead log."""
    _open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = PERSIST")
        raw.execute("INSERT INTO word VALUES ('one')")
    assert (tmp_path / "file.sqlite-journal").exists()
    with closing(_open(path)) as database:
        assert _words(database) == ["one"]


def test_only_the_commits_of_others_are_noticed(path: Path) -> None:
    """A connection learns once of what another one has committed since it first asked, and never of its own
    transactions.
    """
    with closing(_open(path)) as ours, closing(_open(path)) as theirs:
        assert not ours.was_changed_elsewhere()
        _write(ours, "one")
        assert not ours.was_changed_elsewhere()
        _write(theirs, "two")
        assert ours.was_changed_elsewhere()
        assert not ours.was_changed_elsewhere()
