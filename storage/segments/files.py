"""The files of the segment store's records: names, writing, reading, erasing, and what is wrong with them.

A file is complete before its row is written. It is not synced: its size and its checksum show what a power loss took.
No path follows a link. Functions raise OSError unless they say otherwise; the store classifies it.

A reader supplies the buffers, so that bytes are copied once. No byte counts as read before `finish` has verified all of
them. Files are read, not mapped: if a disk is unplugged, accessing a mapping of its files kills the process.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Self

from xxhash import xxh3_128

from storage.errors import BadSegment, Damage, DamagedDatabase, DamagedRecord
from storage.folders import OWNER_FILE, OWNER_FOLDER
from storage.segments.records import (
    KINDS,
    LENGTH_BYTES,
    InvalidHeaderError,
    NewRecord,
    NewSegment,
    StoredRecord,
    TensorPlace,
    built,
    header_bytes,
    ordered,
    parse,
)

_NOT_A_FILE: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.ENXIO})
_OPEN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_CLOSED: Final = -1
_FIRST: Final = 1 << 14
"""Bytes that contain most headers."""
_LARGEST: Final = 1 << 23
"""The largest header in bytes, enough for 50,000 tensors."""

_CHECKED_AT_ONCE: Final = 4 << 20
_SUFFIX: Final = ".safetensors"
_FAN: Final = re.compile(r"[0-9a-z_-]{1,2}")
_KEY: Final = re.compile(r"[0-9a-z_-]{1,128}")
_NAME: Final = re.compile(
    rf"(?:([0-9a-z_-]{{2}})/\1[0-9a-z_-]{{0,126}}|([0-9a-z_-])/\2)\.(?:{'|'.join(KINDS)})\{_SUFFIX}"
)
"""The names of records."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A record to write, and the header of its file."""

    segment: NewSegment
    record: NewRecord
    head: bytes

    @property
    def bytes(self) -> int:
        """The size of the file."""
        return len(self.head) + sum(tensor.data.nbytes for tensor in self.record.tensors.values())


def draft(segment: NewSegment, record: NewRecord) -> Draft:
    """Build the record's header. Raises BadSegment for a name that no record may have."""
    if not _KEY.fullmatch(segment.key) or record.kind not in KINDS:
        raise BadSegment(f"{segment.key!r} is no key of a segment, or {record.kind!r} no kind of a record.")
    return Draft(segment, record, built(record.tensors))


class Disk:
    """The file operations that write and erase records, one method a step, so that tests can fail any step."""

    def make_folder(self, folder: Path) -> None:
        """Create a folder for the owner only."""
        folder.mkdir(mode=OWNER_FOLDER)

    def create(self, path: Path) -> IO[bytes]:
        """Create a file for the owner only, replacing what an interrupted write left."""
        discard(path)
        return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, OWNER_FILE), "wb")

    def write(self, file: IO[bytes], data: bytes | memoryview) -> None:
        """Append to the file."""
        file.write(data)

    def remove(self, path: Path) -> None:
        """Remove the file, link or folder of this name, if it exists."""
        discard(path)


class RecordFiles:
    """The files below `root`: `<key>.<kind>.safetensors` in folders of two letters."""

    def __init__(self, root: Path, disk: Disk) -> None:
        self.root = root
        self._disk = disk

    def path(self, key: str, kind: str) -> Path:
        """The path of a record. Raises DamagedDatabase for an invalid key or kind."""
        return self.root / self.name(key, kind)

    def name(self, key: str, kind: str) -> str:
        """The name of a record relative to the root. Raises DamagedDatabase for an invalid key or kind."""
        if not _KEY.fullmatch(key) or kind not in KINDS:
            raise DamagedDatabase("The index of cached records is damaged: it names no record.")
        return f"{key[:2]}/{key}.{kind}{_SUFFIX}"

    def write(self, drafts: Sequence[Draft]) -> list[StoredRecord]:
        """Write records that have no row, replacing anything of their names."""
        return [self._written(new, self.path(new.segment.key, new.record.kind)) for new in drafts]

    def _written(self, new: Draft, path: Path) -> StoredRecord:
        if not is_folder(path.parent):
            self._disk.remove(path.parent)
            self._disk.make_folder(path.parent)
        digest = xxh3_128()
        with closing(self._disk.create(path)) as file:
            for data in _parts(new):
                digest.update(data)
                self._disk.write(file, data)
        return StoredRecord(new.segment.key, new.record.kind, new.bytes, digest.hexdigest(), dict(new.record.meta))

    def reading(self, record: StoredRecord) -> Reading:
        """Open a record for reading. Raises DamagedRecord and OSError."""
        return Reading(str(self.root), self.name(record.segment, record.kind), record)

    def check(self, record: StoredRecord) -> None:
        """Compare a record with its checksum, with little memory. Raises DamagedRecord and OSError."""
        with self.reading(record) as reading:
            left = reading.bytes
            buffer = memoryview(bytearray(min(left, _CHECKED_AT_ONCE)))
            while left:
                part = buffer[:left]
                reading.into(part)
                left -= len(part)
            reading.finish()

    def erase(self, names: Iterable[str]) -> None:
        """Erase files by name, never through a link. Tries all of them, then raises the first OSError."""
        failures = []
        for path in [self.root / name for name in names]:
            try:
                if is_folder(path.parent):
                    self._disk.remove(path)
                elif not is_folder(self.root):
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.root))
            except OSError as error:
                failures.append(error)
        if failures:
            raise failures[0]

    def sweep(self, rows: Mapping[str, StoredRecord]) -> tuple[dict[str, Damage], list[str]]:
        """Compare the files with `rows`, the records by name: which names are missing or wrong, by cause, and which
        files no record has. Changes nothing.

        Files without a record's name are ignored, and so is a folder that no row names: they are not Hearth's.
        """
        lost = dict.fromkeys(rows, Damage.MISSING)
        strays: list[str] = []
        for name, entry in _entries(self.root):
            if name not in lost:
                if not entry.is_dir(follow_symlinks=False):
                    strays.append(name)
            elif not entry.is_file(follow_symlinks=False):
                lost[name] = Damage.NOT_A_FILE
            elif entry.stat(follow_symlinks=False).st_size != rows[name].bytes:
                lost[name] = Damage.SIZE
            else:
                del lost[name]
        return lost, strays


class Reading:
    """An open record whose size and header have been checked. A context manager that closes the file. `places` are its
    tensors in the order of the file, `bytes` the size of all of them.

    Only one thread at a time may call its methods. All of them raise OSError besides what they name.
    """

    def __init__(self, root: str, name: str, record: StoredRecord) -> None:
        """Open the file `name` below the folder `root`. Raises DamagedRecord."""
        self._handle = _opened(root, name)
        try:
            self._size = _size(self._handle, record)
            self._digest = xxh3_128()
            self.places = self._header()
            self.bytes = self._size - self._at
        except BaseException:
            os.close(self._handle)
            raise
        self._checksum = record.checksum

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        handle, self._handle = self._handle, _CLOSED
        if handle != _CLOSED:
            os.close(handle)

    def _header(self) -> Mapping[str, TensorPlace]:
        start = memoryview(os.pread(self._handle, min(_FIRST, self._size), 0))
        try:
            self._at = header_bytes(start, self._size, _LARGEST)
            if self._at > len(start):
                start = memoryview(os.pread(self._handle, self._at, 0))
            places = parse(bytes(start[LENGTH_BYTES : self._at]), self._size - self._at).places
        except InvalidHeaderError as error:
            raise DamagedRecord(Damage.HEADER, str(error)) from error
        self._digest.update(start[: self._at])
        return places

    def into(self, *buffers: memoryview) -> None:
        """Fill `buffers`, at most a few hundred, with the next bytes and add them to the checksum. Raises DamagedRecord
        if the file ends before.

        Small buffers are still in the processor's cache when the checksum and the next copy read them.
        """
        left = os.preadv(self._handle, buffers, self._at)
        for buffer in buffers:
            rest, left = buffer.cast("B")[left:], max(0, left - buffer.nbytes)
            self._fill(rest, self._at + buffer.nbytes - len(rest))
            self._digest.update(buffer)
            self._at += buffer.nbytes

    def _fill(self, rest: memoryview, at: int) -> None:
        """Fill the rest of a buffer: the system may read less than requested."""
        while rest:
            count = os.preadv(self._handle, [rest], at)
            if not count:
                raise DamagedRecord(Damage.SIZE, "its size is wrong")
            at, rest = at + count, rest[count:]

    def finish(self) -> None:
        """Verify the checksum of the whole file. Call it after the last byte. Raises DamagedRecord."""
        if self._at != self._size or self._digest.hexdigest() != self._checksum:
            raise DamagedRecord(Damage.CHECKSUM, "its checksum is wrong")


def _opened(root: str, name: str) -> int:
    """A descriptor of the file, opened without following links and without blocking on a pipe.

    A missing record is damage; if the whole store is missing, the OSError is raised unchanged.
    """
    folder, _, file = name.rpartition("/")
    try:
        parent = os.open(f"{root}/{folder}", _OPEN | os.O_DIRECTORY)
        try:
            return os.open(file, _OPEN | os.O_NONBLOCK, dir_fd=parent)
        finally:
            os.close(parent)
    except OSError as error:
        if error.errno == errno.ENOENT and os.path.isdir(root):  # noqa: PTH112 - saves a Path for every record
            raise DamagedRecord(Damage.MISSING, "its file is gone") from error
        if error.errno in _NOT_A_FILE:
            raise DamagedRecord(Damage.NOT_A_FILE, "it is not a file") from error
        raise


def _size(handle: int, record: StoredRecord) -> int:
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise DamagedRecord(Damage.NOT_A_FILE, "it is not a file")
    if found.st_size != record.bytes:
        raise DamagedRecord(Damage.SIZE, "its size is wrong")
    return record.bytes


def _parts(new: Draft) -> Iterator[bytes | memoryview]:
    yield new.head
    for _, tensor in ordered(new.record.tensors):
        if tensor.data.nbytes:
            yield tensor.data


def _entries(root: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything with the name of a record, including links and folders."""
    for folder in _listed(root):
        if _FAN.fullmatch(folder.name) and folder.is_dir(follow_symlinks=False):
            for entry in _listed(folder.path):
                if _NAME.fullmatch(name := f"{folder.name}/{entry.name}"):
                    yield name, entry


def _listed(folder: Path | str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)


def discard(path: Path) -> None:
    """Remove a file, a link or a whole folder, if it exists. Does not follow links."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder, and not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except FileNotFoundError:
        return False
