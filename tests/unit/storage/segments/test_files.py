"""Files of records: written whole, read, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from storage.errors import DamagedDatabase, DamagedRecord
from storage.segments.disk import Disk
from storage.segments.files import RecordFiles, draft
from storage.segments.records import NewRecord, NewSegment, StoredRecord, Tensor
from tests.fakes.disk import FailingDisk

if TYPE_CHECKING:
    from pathlib import Path


def _written(files: RecordFiles) -> StoredRecord:
    tensors = {"0.keys": Tensor("F32", (2, 2), memoryview(bytes(range(16))))}
    record = NewRecord("kv", tensors, {"layers": "1"})
    return files.write([draft(NewSegment("ab", None, "model", 0, 4, (record,)), record)])[0]


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    """No single byte of a record's file can change without the record being refused."""
    files = RecordFiles(tmp_path, Disk())
    stored = _written(files)
    path = files.path("ab", "kv")
    good = path.read_bytes()
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        with pytest.raises(DamagedRecord):
            files.read(stored)
    path.write_bytes(good)
    assert bytes(files.read(stored).tensors["0.keys"].data) == bytes(range(16))


def test_a_record_is_synced_before_it_has_its_name(tmp_path: Path) -> None:
    """The order is: folder, create, write, sync, rename, sync of the folder."""
    disk = FailingDisk(lambda _: None, lambda _: None)
    _written(RecordFiles(tmp_path, disk))
    assert disk.steps == [
        "remove",
        "make_folder",
        "sync_folder",
        "create",
        "write",
        "write",
        "sync",
        "rename",
        "sync_folder",
    ]


def test_what_is_read_is_not_mapped(tmp_path: Path) -> None:
    """Tensors are read-only views of one buffer in memory: a disk that goes away takes nothing with it."""
    files = RecordFiles(tmp_path, Disk())
    view = files.read(_written(files)).tensors["0.keys"].data
    assert isinstance(view.obj, bytearray)
    assert view.readonly


def test_a_leftover_of_a_broken_write_is_replaced(tmp_path: Path) -> None:
    """A temporary file that is in the way does not stop the next write."""
    files = RecordFiles(tmp_path, Disk())
    path = files.path("ab", "kv")
    path.parent.mkdir()
    path.with_name(path.name + ".tmp").write_bytes(b"half")
    assert files.read(_written(files)).meta == {"layers": "1"}
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(("key", "kind"), [("../ab", "kv"), ("ab", "../kv"), ("", "kv"), ("ab/cd", "kv"), ("AB", "kv")])
def test_no_row_can_name_a_file_elsewhere(tmp_path: Path, key: str, kind: str) -> None:
    """Keys and kinds that no commit writes are refused as damage of the index."""
    with pytest.raises(DamagedDatabase):
        RecordFiles(tmp_path, Disk()).path(key, kind)
