"""Values out of the bytes of a page, against SQLite itself."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from storage.recovery.pages import Source
from storage.recovery.records import Record, records

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


def _found(path: Path) -> list[Record]:
    with Source(path) as source:
        (view,) = source.views()
        return [record for number in view.numbers for record in records(view, number)]


@given(_rows)
def test_every_row_and_every_entry_of_an_index_is_read_as_it_was_written(
    rows: list[tuple[int, object, object]],
) -> None:
    """Integers of every size, floats, texts and blobs, short or spread over many pages, with their row's number."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            raw.execute("CREATE TABLE thing (number INTEGER PRIMARY KEY, one, other, last DEFAULT 'x')")
            raw.execute("CREATE INDEX by_one ON thing (one, last)")
            raw.executemany("INSERT INTO thing (number, one, other) VALUES (?, ?, ?)", rows)
            stored = raw.execute("SELECT number, one, other, last FROM thing").fetchall()
        found = [record for record in _found(path) if record.values[-1] == "x" or record.values[-2:-1] == ("x",)]
    rows_found = {record.number: record.values[1:] for record in found if len(record.values) == 4}
    entries = {record.values[2]: record.values[:2] for record in found if len(record.values) == 3}
    assert rows_found == {number: tuple(values) for number, *values in stored}
    assert entries == {number: (one, last) for number, one, _, last in stored}
    assert all(record.whole == len(record.values) for record in found)


def test_a_record_whose_end_is_gone_is_cut_there(tmp_path: Path) -> None:
    """What stands before the missing page is read, and it is told how many values are whole."""
    path = tmp_path / "file"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE thing (one, other, last)")
        raw.execute("INSERT INTO thing VALUES (?, ?, '')", ("whole", "cut " * 5000))
        raw.commit()
    path.write_bytes(path.read_bytes()[: 3 * 4096])
    (record,) = [record for record in _found(path) if len(record.values) == 3]
    assert (record.values[0], record.whole) == ("whole", 1)
    assert isinstance(record.values[1], str)
    assert 4000 < len(record.values[1]) < 20_000
    assert set(record.values[1]) == set("cut ")


@given(st.binary(max_size=600), st.integers(0, 300))
def test_no_bytes_are_ever_a_crash(noise: bytes, place: int) -> None:
    """A page of any content gives records or none, in finite time."""
    page = bytearray(512)
    page[place : place + len(noise)] = noise
    for kind in (2, 10, 13):
        page[0] = kind
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_bytes(bytes(page[:512]).ljust(4096, b"\0"))
            assert all(0 <= record.whole <= len(record.values) for record in _found(path))
