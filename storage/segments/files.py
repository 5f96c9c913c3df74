"""The files of the segment store's records: names, writing, reading and erasing.

A file gets its name only when it is complete and durable. No path follows a link. Functions raise OSError unless they
say otherwise; the store classifies it.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from xxhash import xxh3_128

from storage.errors import BadSegment, DamagedDatabase
from storage.segments.disk import is_folder
from storage.segments.header import built, ordered
from storage.segments.reading import Reading
from storage.segments.records import KINDS, Record, StoredRecord, Tensor
from storage.segments.sweep import SUFFIX, TEMPORARY, sweep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from storage.segments.disk import Disk
    from storage.segments.records import NewRecord, NewSegment
    from storage.segments.safetensors import TensorPlace
    from storage.segments.sweep import Swept

_CHECKED_AT_ONCE: Final = 4 << 20
_KEY: Final = re.compile(r"[0-9a-z_-]{1,128}")


@dataclass(frozen=True, slots=True)
class Draft:
    """A checked record with the header of its file. `bytes` is the size of that file."""

    segment: NewSegment
    record: NewRecord
    head: bytes

    @property
    def bytes(self) -> int:
        """The size of the file."""
        return len(self.head) + sum(tensor.data.nbytes for tensor in self.record.tensors.values())


def draft(segment: NewSegment, record: NewRecord) -> Draft:
    """Check a record and build its header. Raises BadSegment."""
    if not _KEY.fullmatch(segment.key):
        raise BadSegment(f"{segment.key!r} is no key of a segment.")
    return Draft(segment, record, built(segment, record))


class RecordFiles:
    """The files below `root`: `<key>.<kind>.safetensors` in folders of two letters."""

    def __init__(self, root: Path, disk: Disk) -> None:
        self.root = root
        self._disk = disk
        self._doomed: set[Path] = set()

    def path(self, key: str, kind: str) -> Path:
        """The path of a record. Raises DamagedDatabase for an invalid key or kind."""
        return self.root / self.name(key, kind)

    def name(self, key: str, kind: str) -> str:
        """The name of a record relative to the root. Raises DamagedDatabase for an invalid key or kind."""
        if not _KEY.fullmatch(key) or kind not in KINDS:
            raise DamagedDatabase("The index of cached records is damaged: it names no record.")
        return f"{key[:2]}/{key}.{kind}{SUFFIX}"

    def write(self, drafts: Sequence[Draft]) -> list[StoredRecord]:
        """Write records: sync all contents, then rename all files, then sync each folder once.

        On an error all of them are erased; what cannot be erased now is erased with the next erasure.
        """
        paths = [self.path(new.segment.key, new.record.kind) for new in drafts]
        temporaries = [path.with_name(path.name + TEMPORARY) for path in paths]
        folders = sorted({path.parent for path in paths})
        try:
            self._make(folders)
            checksums = [self._stream(new, path) for new, path in zip(drafts, temporaries, strict=True)]
            for temporary, path in zip(temporaries, paths, strict=True):
                self._name(temporary, path)
            for folder in folders:
                self._disk.sync_folder(folder)
        except OSError:
            self._doomed.update(temporaries, paths)
            self.retry()
            raise
        return [_stored(new, checksum) for new, checksum in zip(drafts, checksums, strict=True)]

    def _make(self, folders: Iterable[Path]) -> None:
        """Create missing folders, replacing anything else of the same name."""
        missing = [folder for folder in folders if not is_folder(folder)]
        for folder in missing:
            self._disk.remove(folder)
            self._disk.make_folder(folder)
        if missing:
            self._disk.sync_folder(self.root)

    def _stream(self, new: Draft, temporary: Path) -> str:
        digest = xxh3_128()
        with closing(self._disk.create(temporary)) as file:
            for data in _parts(new):
                digest.update(data)
                self._disk.write(file, data)
            self._disk.sync(file)
        return digest.hexdigest()

    def _name(self, temporary: Path, path: Path) -> None:
        """Rename a complete file, replacing a file without a row."""
        if is_folder(path):
            self._disk.remove(path)
        self._disk.rename(temporary, path)
        self._doomed.discard(path)

    def reading(self, record: StoredRecord) -> Reading:
        """Open a record for reading. Raises DamagedRecord and OSError."""
        return Reading(str(self.root), self.name(record.segment, record.kind), record)

    def read(self, record: StoredRecord) -> Record:
        """Read a record and check all of it. Raises DamagedRecord and OSError."""
        with self.reading(record) as reading:
            head = reading.head
            content = memoryview(bytearray(record.bytes - head.first))
            reading.into(content)
            reading.finish()
        tensors = {name: Tensor(at.dtype, at.shape, _part(content, at)) for name, at in head.places.items()}
        return Record(tensors, head.meta)

    def check(self, record: StoredRecord) -> None:
        """Compare a record with its checksum, with little memory. Raises DamagedRecord and OSError."""
        with self.reading(record) as reading:
            left = record.bytes - reading.head.first
            buffer = memoryview(bytearray(min(left, _CHECKED_AT_ONCE)))
            while left:
                part = buffer[:left]
                reading.into(part)
                left -= len(part)
            reading.finish()

    def erase(self, records: Iterable[tuple[str, str]]) -> None:
        """Erase records by key and kind, and files that could not be erased before.

        Tries all files, then raises the first OSError; the next erasure tries the rest again.
        """
        self._doomed.update(self.path(key, kind) for key, kind in records)
        self._erase_doomed()

    def erase_strays(self, names: Iterable[str]) -> None:
        """Erase the strays that `sweep` found; the next erasure tries again what cannot be erased now."""
        self._doomed.update(self.root / name for name in names)
        self.retry()

    def retry(self) -> None:
        """Try again to erase files that could not be erased before. Raises nothing."""
        with suppress(OSError):  # the failed erasure has reported it
            self._erase_doomed()

    def _erase_doomed(self) -> None:
        if self._doomed and not is_folder(self.root):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.root))
        failures = []
        for path in sorted(self._doomed):
            try:
                if is_folder(path.parent):  # never through a link
                    self._disk.remove(path)
                self._doomed.discard(path)
            except OSError as error:
                failures.append(error)
        if failures:
            raise failures[0]

    def sweep(self, expected: Iterable[StoredRecord]) -> Swept:
        """Compare the files with the `expected` records."""
        return sweep(self.root, {self.name(row.segment, row.kind): row.bytes for row in expected})


def _stored(new: Draft, checksum: str) -> StoredRecord:
    return StoredRecord(new.segment.key, new.record.kind, new.bytes, checksum, dict(new.record.meta))


def _parts(new: Draft) -> Iterator[bytes | memoryview]:
    yield new.head
    for _, tensor in ordered(new.record.tensors):
        if tensor.data.nbytes:
            yield tensor.data


def _part(body: memoryview, place: TensorPlace) -> memoryview:
    return body[slice(*place.span)].toreadonly()
