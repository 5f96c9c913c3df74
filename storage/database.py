"""One SQLite file behind one connection: opening, the steps to the newest version, pragmas and transactions.

- A file gets its name only when it is complete. So a file without Hearth's tables is damaged, never new.
- One process at a time creates a file or brings it to the newest version. The others wait, and use that file.
- Its version is SQLite's `user_version`. A step is never edited after its release, and `tests/golden` has a file of
  each released version. What is older than the first release counts as damaged: its rows can be rescued.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import StaticPool

from resources.language.text import tr
from storage.copies import COMPANIONS, copy, finish, load_schema, refuse_foreign_files, snapshot
from storage.errors import DamagedDatabase, NewerVersion, classified
from storage.folders import OWNER_FILE, fresh_file, locked, private_folder, settle
from storage.searchable import add_functions

_BUSY_SECONDS: Final = 5.0
_MEMORY: Final = Path(":memory:")
_MAGIC: Final = b"SQLite format 3\0"
_HEAD_BYTES: Final = 100
_WRITE_FORMAT: Final = 18
"""The byte of a file's header that holds SQLite's format for writing: 1, or 2 with a write-ahead log."""
_NEWEST_FORMAT: Final = 2
_VERSION: Final = slice(60, 64)
"""The bytes of a file's header that hold `user_version`."""
_UNNAMED: Final = ("PRAGMA synchronous = OFF", "PRAGMA journal_mode = WAL")
"""A file is synced before it gets its name. It switches to a write-ahead log before, too: if two connections switch one
file at the same time, SQLite refuses one of them.
"""
_LAYOUT: Final = """SELECT type, name, coalesce(sql, '') FROM sqlite_master
    WHERE sql IS NULL OR sql NOT IN
        ('CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')"""
"""The tables of ANALYZE are left out."""

Migration = Callable[[Connection], None]
"""One change of a file. Runs inside the caller's transaction."""

Durability = tuple[str, ...]
"""The pragmas that differ between the library and the segment index."""

PRECIOUS: Final[Durability] = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",  # macOS: also flushes the drive's cache; no effect elsewhere
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA secure_delete = ON",
)
"""A committed transaction survives power loss; deleted rows are overwritten."""

DERIVED: Final[Durability] = ("PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = OFF")
"""A power loss may undo the last transactions, but never half of one."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The first of `steps` makes a file of the version `oldest`, the oldest one that Hearth opens. Each of the others
    raises the version by one.
    """

    oldest: int
    steps: tuple[Migration, ...]

    @property
    def version(self) -> int:
        """The newest version."""
        return self.oldest + len(self.steps) - 1

    def until(self, version: int) -> Schema:
        """The schema as it was at this version."""
        return Schema(self.oldest, self.steps[: version - self.oldest + 1])

    def check(self, name: str, found: int) -> None:
        """Raise NewerVersion or DamagedDatabase unless Hearth can open a file of the version `found`."""
        if found > self.version:
            raise NewerVersion(name, found, self.version)
        if found < self.oldest:
            raise DamagedDatabase(tr("{name} is damaged: it holds nothing of Hearth's.", name=name))


class Database:
    """An open database. Only one thread may use it at a time. `written` counts committed transactions that changed
    something.
    """

    def __init__(self, path: Path, raw: sqlite3.Connection) -> None:
        self.path = path
        self.raw = raw
        self.written = 0
        self._seen: int | None = None
        self._folder = None if path == _MEMORY else path.parent
        self._engine = _engine(raw)
        self._connection = self._engine.connect()

    @classmethod
    def open(cls, path: Path, schema: Schema, durability: Durability) -> Self:
        """Open the file at `path`; create it, or bring it to the newest version.

        Raises NewerVersion, DamagedDatabase, EnvironmentProblem.
        """
        with classified(path.parent):
            private_folder(path.parent)
            finish(path)
            if not path.exists():
                with _one_process(path):
                    if not os.path.lexists(path):  # a link that leads nowhere is not replaced
                        cls._create(path, schema)
            _look(path, schema)
            path.chmod(OWNER_FILE)
            database = cls(path, _connect(path))
        try:
            database._prepare(schema, durability)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def in_memory(cls, schema: Schema) -> Self:
        """A database in memory only; `close` discards it. Raises EnvironmentProblem."""
        with classified():
            database = cls(_MEMORY, _connect(_MEMORY))
            database.raw.execute("PRAGMA temp_store = MEMORY")  # otherwise large sorts use files
            _apply(database._connection, schema)
        return database

    @classmethod
    def _create(cls, path: Path, schema: Schema) -> None:
        if path.with_name(path.name + "-wal").exists():
            raise DamagedDatabase(tr("{name} is missing, but its log is there.", name=path.name))
        unnamed = path.with_name(path.name + ".new")
        remove(unnamed)
        fresh_file(unnamed).close()
        database = cls(unnamed, _connect(unnamed))
        try:
            for pragma in _UNNAMED:
                database.raw.execute(pragma).fetchall()
            _apply(database._connection, schema)
            database.truncate_log()  # `close` would hide that the disk is full
        finally:
            database.close()
        settle(unnamed, path)

    def _prepare(self, schema: Schema, durability: Durability) -> None:
        with classified(self._folder):  # outside a transaction, which would write to an emptied file
            load_schema(self.raw)
            with snapshot(self.raw):  # another process may just be applying a step
                found = self._version()
                schema.check(self.path.name, found)
                check_layout(self.raw, self.path.name, schema.until(found))
            for pragma in ("PRAGMA journal_mode = WAL", *durability):
                self.raw.execute(pragma).fetchall()
            if found < schema.version:
                with _one_process(self.path):
                    if (found := self._version()) < schema.version:
                        copy(self.raw, self.path.with_name(f"{self.path.name}.v{found}"))
                        _apply(self._connection, schema, found)

    def _version(self) -> int:
        return int(self.raw.execute("PRAGMA user_version").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction, committed when the block ends and rolled back on any error. Errors are classified."""
        before = self.raw.total_changes
        with classified(self._folder), self._connection.begin():
            yield self._connection
        self.written += self.raw.total_changes > before

    @contextmanager
    def unsynced(self) -> Iterator[Connection]:
        """A transaction that is not synced. It survives the end of the process at once, and a power loss after the next
        synced transaction.
        """
        before = self.raw.execute("PRAGMA synchronous").fetchone()[0]
        self.raw.execute("PRAGMA synchronous = NORMAL")
        try:
            with self.transaction() as connection:
                yield connection
        finally:
            self.raw.execute(f"PRAGMA synchronous = {before}")

    def was_changed_elsewhere(self) -> bool:
        """Whether another connection has committed something since the last call. The first call says no. Reads no
        table.
        """
        before = self._seen
        with classified(self._folder):
            self._seen = int(self.raw.execute("PRAGMA data_version").fetchone()[0])
        return before is not None and self._seen != before

    def truncate_log(self) -> None:
        """Move the write-ahead log into the file and empty it, so that neither holds erased text."""
        with classified(self._folder):
            self.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file. May be called twice."""
        with classified():
            self._connection.close()
            self._engine.dispose()
            self.raw.close()


@contextmanager
def _one_process(path: Path) -> Iterator[None]:
    """Run this block, which changes the file at `path`, in one process at a time. A process that has waited must check
    what the others have done.
    """
    lock = path.with_name(path.name + ".lock")
    with locked(lock, fcntl.LOCK_EX):
        yield
        lock.unlink(missing_ok=True)  # not after an error: those who wait for it would not exclude those who come


def _layout(raw: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """All tables, indexes, triggers and views, with their SQL."""
    return set(raw.execute(_LAYOUT).fetchall())


def _apply(connection: Connection, schema: Schema, found: int = 0) -> None:
    """Apply the steps after the version `found` (0: all), each with its new version in one transaction."""
    for number, step in enumerate(schema.steps, start=schema.oldest):
        if number > found:
            with connection.begin():
                step(connection)
                connection.exec_driver_sql(f"PRAGMA user_version = {number}")


@cache
def _layout_of(schema: Schema) -> set[tuple[str, str, str]]:
    """The layout that this schema creates."""
    with closing(Database.in_memory(schema)) as made:
        return _layout(made.raw)


def check_layout(raw: sqlite3.Connection, name: str, schema: Schema) -> None:
    """Raise DamagedDatabase unless the file has exactly the parts that this schema creates. Other triggers, indexes and
    foreign keys would take part in Hearth's statements, or refuse its rows.
    """
    found, own = _layout(raw), _layout_of(schema)
    if raw.execute("PRAGMA encoding").fetchone() != ("UTF-8",):  # the search reads the bytes of texts
        raise DamagedDatabase(tr("{name} is damaged: its header is not valid.", name=name))
    if not {part[:2] for part in own} <= {part[:2] for part in found}:
        raise DamagedDatabase(tr("{name} is damaged: parts of it are missing.", name=name))
    if found != own:
        raise DamagedDatabase(tr("{name} is damaged: it has parts that are not Hearth's.", name=name))


def _look(path: Path, schema: Schema) -> None:
    """Refuse files that SQLite would change by opening them."""
    refuse_foreign_files(path)
    if path.exists() and not path.is_file():
        raise DamagedDatabase(tr("{name} is damaged: it is not a file.", name=path.name))
    check_header(path, schema)


def check_header(path: Path, schema: Schema) -> None:
    """Raise DamagedDatabase or NewerVersion for a file with a header that Hearth cannot use: SQLite takes an empty file
    for a new database and deletes its log, and it moves the log of a newer format into the file. If a file has an
    unknown format for writing, SQLite opens it, but refuses every write as read-only.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if not head:
        raise DamagedDatabase(tr("{name} is damaged: it is empty.", name=path.name))
    if head.startswith(_MAGIC) and len(head) == _HEAD_BYTES and head[_WRITE_FORMAT] > _NEWEST_FORMAT:
        raise DamagedDatabase(tr("{name} is damaged: its header is not valid.", name=path.name))
    found = int.from_bytes(head[_VERSION], "big")
    if head.startswith(_MAGIC) and found > schema.version:
        schema.check(path.name, found)


def remove(path: Path) -> None:
    """Remove a database file and the logs beside it. Raises OSError."""
    for companion in ("", *COMPANIONS):
        path.with_name(path.name + companion).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    # isolation_level None: SQLAlchemy's begin event opens each transaction, never the driver.
    raw = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    raw.text_factory = decoded
    add_functions(raw)
    raw.execute("PRAGMA foreign_keys = ON")
    return raw


def decoded(text: bytes) -> str:
    """Decodes text so that a damaged byte costs one character, not the row."""
    return text.decode("utf-8", "replace")


def _engine(raw: sqlite3.Connection) -> Engine:
    # hide_parameters: errors are logged, and a statement's parameters are the user's text.
    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool, hide_parameters=True)
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
