"""Small segments, and the questions that tests ask a store about them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from storage.database import DERIVED
from storage.errors import DamagedRecord, classified
from storage.folders import locked, private_folder
from storage.segments.files import Disk, Reading, RecordFiles
from storage.segments.index import Index
from storage.segments.records import NewRecord, NewSegment, StoredRecord, Tensor
from storage.segments.schema import SCHEMA
from storage.segments.store import SegmentStore

MUCH = 1 << 30
"""A quota that no test here reaches."""


@contextmanager
def opened_with_index(root: Path, files: RecordFiles | None = None) -> Iterator[tuple[SegmentStore, Index]]:
    """A store and its index, for tests that change or watch rows behind the store's back: no second connection can, as
    the index is opened by one process alone.
    """
    private_folder(root, root.parent.parent)
    files = files or RecordFiles(root, Disk())
    with locked(root / "lock") as lock, closing(Index.open(root / "segments.sqlite", SCHEMA, DERIVED)) as index:
        yield SegmentStore(index, files, lock, MUCH), index


def new_record(kind: str = "kv", fill: int = 1, size: int = 1000) -> NewRecord:
    data = memoryview(bytes([fill]) * size)
    return NewRecord(kind, {"0.keys": Tensor("U8", (size,), data)}, {"layers": "1"})


def new_segment(key: str, parent: str | None = None, *records: NewRecord) -> NewSegment:
    start = 0 if parent is None else 4 * (ord(parent[-1]) - ord("a") + 1)
    return NewSegment(key, parent, "model", start, start + 4, records or (new_record(),))


def new_chain(name: str, length: int, *kinds: str) -> list[NewSegment]:
    keys = [f"{name}{chr(ord('a') + number)}" for number in range(length)]
    records = [new_record(kind) for kind in kinds or ("kv",)]
    return [new_segment(key, parent, *records) for key, parent in zip(keys, [None, *keys], strict=False)]


def linked(keys: Sequence[str], records: Callable[[str], tuple[NewRecord, ...]] = lambda _: ()) -> list[NewSegment]:
    """A chain with these keys, each of one token. `records` gives the records of a key; without it there are only rows,
    no files.
    """
    return [
        NewSegment(key, parent, "model", number, number + 1, records(key))
        for number, (key, parent) in enumerate(zip(keys, [None, *keys], strict=False))
    ]


def without_a_layer(root: Path) -> None:
    """Rewrite every record of the store as one of a model with an array less. The files are otherwise valid."""
    with closing(SegmentStore.open(root)) as store:
        keys = sorted({file.name.split(".")[0] for file in root.glob("??/*")})
        for segment in store.index.lookup(keys):
            records = [(record, read(store, record)) for record in segment.records.values()]
            store.drop([record for record, _ in records])
            fewer = [NewRecord(one.kind, dict(list(tensors.items())[1:]), one.meta) for one, tensors in records]
            place = (segment.key, segment.parent, segment.identity, segment.start, segment.end)
            store.commit(store.index.holders([segment.key])[0], [NewSegment(*place, tuple(fewer))])


def read(store: SegmentStore, record: StoredRecord) -> dict[str, Tensor]:
    """A record as a reader reads it. Raises DamagedRecord after the store has refused it."""
    try:
        with classified(), store.reading(record) as reading:
            return read_all(reading)
    except DamagedRecord as damage:
        store.refuse(record, damage)
        raise


def read_all(reading: Reading) -> dict[str, Tensor]:
    content = memoryview(bytearray(reading.bytes))
    reading.into(content)
    reading.finish()
    return {name: Tensor(at.dtype, at.shape, content[slice(*at.span)]) for name, at in reading.places.items()}


def files_of(root: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in root.glob("??/*")}


def stored_keys(store: SegmentStore, *keys: str) -> list[str]:
    return [segment.key for segment in store.index.lookup(keys)]


def first_bytes(store: SegmentStore, key: str, kind: str = "kv") -> bytes:
    return bytes(read(store, store.index.lookup([key])[0].records[kind])["0.keys"].data)


def assert_agreement(store: SegmentStore, root: Path) -> None:
    """Rows and files agree to the byte, nothing is unreachable, and every record can be read."""
    assert store.reconcile() == {}
    files = files_of(root)
    found = store.index.lookup(list({name.partition(".")[0] for name in files}))
    records = [record for segment in found for record in segment.records.values()]
    assert {f"{record.segment}.{record.kind}.safetensors": record.bytes for record in records} == files
    assert store.index.stats().records == len(files)
    assert store.index.stats().bytes == sum(files_of(root).values())
    verified = store.verify()
    assert (verified.total, dict(verified.causes)) == (store.index.stats().bytes, {})


def open_files() -> int:
    """How many files this process has open."""
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - no folder of files


def flip(path: Path, at: int, mask: int = 1) -> None:
    """Change bits of one byte of a file."""
    content = bytearray(path.read_bytes())
    content[at] ^= mask
    path.write_bytes(content)
