"""Finds the newest version of each page, decodes its cells, and compares both with SQLite's own view."""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.recovery.pages import Cell, PageSource, cells


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


_values = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 1, -1, 127, 128, -128, 2**15, 2**23, 2**31, 2**47]),
    st.floats(allow_nan=False).filter(lambda value: not value.is_integer()),
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.binary(max_size=40),
    st.builds("{} ".format, st.integers(0, 9)).flatmap(lambda word: st.sampled_from([word * 1500, word * 6000])),
)
_rows = st.lists(st.tuples(st.integers(-5, 2**62), _values, _values), max_size=30, unique_by=lambda row: row[0])


def _found(path: Path) -> list[Cell]:
    with PageSource(path) as source:
        (view,) = source.views()
        return [cell for number in view.numbers for cell in cells(view, number)]


@given(_rows)
def test_every_row_and_every_entry_of_an_index_is_read_as_it_was_written(
    rows: list[tuple[int, object, object]],
) -> None:
    """Integers of every size, floats, texts and blobs are decoded with their row number, also across overflow pages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            raw.execute("CREATE TABLE thing (number INTEGER PRIMARY KEY, one, other, last DEFAULT 'x')")
            raw.execute("CREATE INDEX by_one ON thing (one, last)")
            raw.executemany("INSERT INTO thing (number, one, other) VALUES (?, ?, ?)", rows)
            stored = raw.execute("SELECT number, one, other, last FROM thing").fetchall()
        found = [cell for cell in _found(path) if cell.values[-1] == "x" or cell.values[-2:-1] == ("x",)]
    rows_found = {cell.number: cell.values[1:] for cell in found if len(cell.values) == 4}
    entries = {cell.values[2]: cell.values[:2] for cell in found if len(cell.values) == 3}
    assert rows_found == {number: tuple(values) for number, *values in stored}
    assert entries == {number: (one, last) for number, one, _, last in stored}
    assert all(cell.whole == len(cell.values) for cell in found)


def test_a_cell_with_a_missing_overflow_page_is_cut(tmp_path: Path) -> None:
    """The bytes before the missing page are decoded, and `whole` counts the complete values."""
    path = tmp_path / "file"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE thing (one, other, last)")
        raw.execute("INSERT INTO thing VALUES (?, ?, '')", ("whole", "cut " * 5000))
        raw.commit()
    path.write_bytes(path.read_bytes()[: 3 * 4096])
    (cell,) = [cell for cell in _found(path) if len(cell.values) == 3]
    assert (cell.values[0], cell.whole) == ("whole", 1)
    assert isinstance(cell.values[1], str)
    assert 4000 < len(cell.values[1]) < 20_000
    assert set(cell.values[1]) == set("cut ")


@given(st.binary(max_size=600), st.integers(0, 300))
def test_no_bytes_are_ever_a_crash(noise: bytes, place: int) -> None:
    """A page of any content yields cells or none, and decoding it ends."""
    page = bytearray(512)
    page[place : place + len(noise)] = noise
    for kind in (2, 10, 13):
        page[0] = kind
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_bytes(bytes(page[:512]).ljust(4096, b"\0"))
            assert all(0 <= cell.whole <= len(cell.values) for cell in _found(path))
