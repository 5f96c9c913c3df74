"""Finds the newest version of each page and compares it with SQLite's own view."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.recovery.pages import PageSource

if TYPE_CHECKING:
    from pathlib import Path


def _as_a_crash_leaves_it(folder: Path, size: int, transactions: int) -> tuple[Path, Path]:
    """A database with pages of `size` bytes whose last log frames are uncommitted, and a copy as SQLite sees it."""
    chance = random.Random(size)  # noqa: S311 - lengths, no secrets
    with closing(sqlite3.connect(folder / "live", isolation_level=None)) as raw:
        raw.executescript(f"PRAGMA page_size = {size}; PRAGMA journal_mode = WAL; CREATE TABLE word (text)")
        raw.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(transactions):
            if number == transactions // 2:
                raw.execute("PRAGMA wal_checkpoint(RESTART)")  # the log is used from its start again
            raw.execute("INSERT INTO word VALUES (?)", (f"{number} " * chance.randrange(size),))
        with closing(sqlite3.connect(folder / "seen", isolation_level=None)) as seen:
            raw.backup(seen)
            seen.execute("PRAGMA journal_mode = DELETE")
        raw.execute("PRAGMA cache_size = 1")
        raw.execute("BEGIN")
        raw.execute("INSERT INTO word VALUES (?)", ("never " * size * 4,))
        for suffix in ("", "-wal"):
            shutil.copyfile(folder / f"live{suffix}", folder / f"dead{suffix}")
        raw.execute("ROLLBACK")
    return folder / "dead", folder / "seen"


@pytest.mark.parametrize("size", [512, 4096, 65536])
def test_pages_are_those_that_sqlite_would_see(tmp_path: Path, size: int) -> None:
    """Committed pages in the log replace those in the file; uncommitted frames and frames of an earlier use of the log
    are ignored.
    """
    dead, seen = _as_a_crash_leaves_it(tmp_path, size, 8)
    with PageSource(dead) as source:
        (view,) = source.views()
        assert source.size == size
        pages = [view.page(number) for number in view.numbers]
    content = seen.read_bytes()
    assert b"".join(pages)[size:] == content[size:], "but for the first page, which says how the file is written"


def test_behind_a_break_in_the_log_there_is_a_second_view(tmp_path: Path) -> None:
    """The second view holds the committed pages that SQLite ignores."""
    dead, seen = _as_a_crash_leaves_it(tmp_path, 512, 8)
    log = dead.with_name("dead-wal")
    broken = bytearray(log.read_bytes())
    broken[32 + 24 + 5] ^= 1
    log.write_bytes(broken)
    with PageSource(dead) as source:
        first, second = source.views()
        pages = {number: second.page(number) for number in second.numbers}
        assert len(first.numbers) * 512 < seen.stat().st_size
    content = seen.read_bytes()
    same = [number for number, page in pages.items() if page == content[(number - 1) * 512 : number * 512]]
    assert len(same) >= len(pages) - 2, "but for the first page and the broken one"


def test_pages_that_are_nowhere_are_not_numbered(tmp_path: Path) -> None:
    """A log of others may say that there are billions of pages. Those in the log count, also behind a cut file."""
    dead, seen = _as_a_crash_leaves_it(tmp_path, 512, 8)
    count = seen.stat().st_size // 512
    dead.write_bytes(dead.read_bytes()[:1024])
    with PageSource(dead) as source:
        (view,) = source.views()
        assert view.numbers[:2] == [1, 2]
        assert view.numbers[-1] == count
        assert any(view.numbers[place + 1] > number + 1 for place, number in enumerate(view.numbers[:-1]))


def test_no_more_pages_are_read_than_a_few_times_those_that_there_are(tmp_path: Path) -> None:
    """Each of many records may lead through all pages of a foreign file."""
    (tmp_path / "file").write_bytes(b"x" * 4096 * 3)
    with PageSource(tmp_path / "file") as source:
        (view,) = source.views()
        assert sum(any(view.page(2)) for _ in range(1000)) == 48


def test_missing_files_and_pages_read_as_zeros(tmp_path: Path) -> None:
    """A missing file, a missing log and a page past the end raise no error."""
    with PageSource(tmp_path / "nowhere") as source:
        (view,) = source.views()
        assert list(view.numbers) == []
        assert view.page(5) == view.page(0) == bytes(4096)
