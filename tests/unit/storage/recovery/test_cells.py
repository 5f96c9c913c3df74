"""Decodes cells from the bytes of a page and compares them with SQLite's own rows."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from storage.recovery.cells import Cell, cells
from storage.recovery.pages import PageSource

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
