"""Files of records: written whole, read, checked."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_128_hexdigest

from storage.errors import DamagedDatabase, DamagedRecord
from storage.segments.files import Disk, RecordFiles, draft
from storage.segments.records import ITEM_BYTES, NewRecord, NewSegment, StoredRecord, Tensor, tensor_bytes
from tests.fakes.segments import read_all

if TYPE_CHECKING:
    from pathlib import Path


def _written(files: RecordFiles) -> StoredRecord:
    tensors = {"0.keys": Tensor("F32", (2, 2), memoryview(bytes(range(16))))}
    record = NewRecord("kv", tensors, {"layers": "1"})
    return files.write([draft(NewSegment("ab", None, "model", 0, 4, (record,)), record)])[0]


def read(files: RecordFiles, record: StoredRecord) -> dict[str, Tensor]:
    with files.reading(record) as reading:
        return read_all(reading)


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    """If any single byte of a record's file changes, the record is refused."""
    files = RecordFiles(tmp_path, Disk())
    stored = _written(files)
    path = files.path("ab", "kv")
    good = path.read_bytes()
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        with pytest.raises(DamagedRecord):
            read(files, stored)
    path.write_bytes(good)
    assert bytes(read(files, stored)["0.keys"].data) == bytes(range(16))


@pytest.mark.parametrize(("key", "kind"), [("../ab", "kv"), ("ab", "../kv"), ("", "kv"), ("ab/cd", "kv"), ("AB", "kv")])
def test_no_row_can_name_a_file_elsewhere(tmp_path: Path, key: str, kind: str) -> None:
    """Keys and kinds that no commit writes are refused as damage of the index."""
    with pytest.raises(DamagedDatabase):
        RecordFiles(tmp_path, Disk()).path(key, kind)


_NUMBERS = st.integers(-1, 300) | st.sampled_from([1 << 31, 1 << 62, 1 << 70])
_ENTRY = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from([*ITEM_BYTES, "F8", ""]),
        "shape": st.lists(_NUMBERS, max_size=4),
        "data_offsets": st.lists(_NUMBERS, min_size=1, max_size=3),
    }
)


@given(entries=st.dictionaries(st.text(max_size=3), _ENTRY, max_size=3), data=st.binary(max_size=300))
def test_a_file_that_was_made_to_deceive_is_refused_or_sound(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, Any], data: bytes
) -> None:
    """With any header, even with the right size and checksum: DamagedRecord, or tensors that are exactly the bytes of
    the file.
    """
    files = RecordFiles(tmp_path_factory.getbasetemp() / "deceit", Disk())
    path = files.path("ab", "kv")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(entries).encode()
    content = len(text).to_bytes(8, "little") + text + data
    path.write_bytes(content)
    stored = StoredRecord("ab", "kv", len(content), xxh3_128_hexdigest(content), {})
    with suppress(DamagedRecord):
        tensors = read(files, stored).values()
        assert all(tensor.data.nbytes == tensor_bytes(tensor.dtype, tensor.shape) for tensor in tensors)
        assert sorted(b"".join(bytes(tensor.data) for tensor in tensors)) == sorted(data)
