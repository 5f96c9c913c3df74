"""A new library for every test, with a clock that the test sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.database import PRECIOUS, Database
from storage.library.backups import Backups
from storage.library.files import beside
from storage.library.library import Library
from storage.library.schema import SCHEMA
from tests.fakes.library import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library" / "library.sqlite"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    """The database of `library`, for rows that no method writes and for SQLite's own measures."""
    with closing(Database.open(path, SCHEMA, PRECIOUS)) as opened:
        yield opened


@pytest.fixture
def library(path: Path, clock: Clock, database: Database) -> Library:
    return Library(database, clock, beside(path), Backups(path, clock))


@pytest.fixture
def chat(library: Library) -> str:
    """A new conversation of `library`."""
    return library.conversations.create().id
