"""Files of the segment store: owns where a record lies, how it gets there whole, and how it is mapped.

A file has its name only when it is complete and on disk. Nothing is followed through a link. Which files should be
there is left to `storage.segments.store`. Functions raise OSError unless they say otherwise; the store classifies it.
"""

from __future__ import annotations

import errno
import mmap
import os
import re
import stat
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from xxhash import xxh3_128, xxh3_128_hexdigest

from storage.errors import BadSegment, Damage, DamagedDatabase, DamagedRecord
from storage.folders import OWNER_FILE, private_folder, sync
from storage.segments.header import built, ordered, parsed
from storage.segments.records import KINDS, Record, StoredRecord, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from storage.segments.records import NewRecord, NewSegment

_KEY: Final = re.compile(r"[0-9a-z_-]{1,128}")
_FAN: Final = re.compile(r"[0-9a-z_-]{1,2}")
_SUFFIX: Final = ".safetensors"
_TEMPORARY: Final = ".tmp"
_QUARANTINE: Final = "quarantine"
_ABSENT: Final = frozenset({errno.ENOENT})
_NOT_A_FILE: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.ENXIO})
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC


class Disk:
    """The operating system's part in a write, one method a step: the seam at which tests pull the plug."""

    def make_folder(self, folder: Path) -> None:
        """Make a folder for the owner only, its name durable."""
        private_folder(folder)
        sync(folder.parent)

    def create(self, path: Path) -> IO[bytes]:
        """Open a new file for the owner only, over whatever a broken write left there."""
        path.unlink(missing_ok=True)
        return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, OWNER_FILE), "wb")

    def write(self, file: IO[bytes], data: bytes | memoryview) -> None:
        """Append to the file."""
        file.write(data)

    def sync(self, file: IO[bytes]) -> None:
        """Make the file's content durable."""
        file.flush()
        os.fsync(file.fileno())

    def rename(self, source: Path, target: Path) -> None:
        """Give the file its final name."""
        source.replace(target)

    def sync_folder(self, folder: Path) -> None:
        """Make the names in the folder durable."""
        sync(folder)

    def remove(self, path: Path) -> None:
        """Remove the file if it is there."""
        path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Draft:
    """A record that is ready to be written: its file will have `bytes` bytes, `head` first."""

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
    """The files below `root`: two-letter folders of `<key>.<kind>.safetensors`, and the quarantine."""

    def __init__(self, root: Path, disk: Disk) -> None:
        self.root = root
        self._disk = disk

    def path(self, key: str, kind: str) -> Path:
        """Where a record lies. Raises DamagedDatabase for a key or kind that no commit could have written."""
        if not _KEY.fullmatch(key) or kind not in KINDS:
            raise DamagedDatabase("The index of cached records is damaged: it names no record.")
        return self.root / key[:2] / f"{key}.{kind}{_SUFFIX}"

    def write(self, new: Draft) -> StoredRecord:
        """Write a record: temporary file, sync, rename, sync of the folder. On an error nothing of it stays."""
        path = self.path(new.segment.key, new.record.kind)
        temporary = path.with_name(path.name + _TEMPORARY)
        if not path.parent.is_dir():
            self._disk.make_folder(path.parent)
        try:
            checksum = self._stream(new, temporary)
            self._disk.rename(temporary, path)
            self._disk.sync_folder(path.parent)
        except OSError:
            with suppress(OSError):  # the first error is the one to tell; the next start sweeps
                self._disk.remove(temporary)
                self._disk.remove(path)
            raise
        return StoredRecord(new.segment.key, new.record.kind, new.bytes, checksum, dict(new.record.meta))

    def _stream(self, new: Draft, temporary: Path) -> str:
        digest = xxh3_128()
        with closing(self._disk.create(temporary)) as file:
            for data in _parts(new):
                digest.update(data)
                self._disk.write(file, data)
            self._disk.sync(file)
        return digest.hexdigest()

    def read(self, record: StoredRecord) -> Record:
        """Map a record and check all of it. Raises DamagedRecord and OSError."""
        content = self._mapped(record)
        head = parsed(content)
        if (head.segment, head.kind) != (record.segment, record.kind):
            raise DamagedRecord(Damage.FOREIGN, "it belongs to another segment")
        if xxh3_128_hexdigest(content) != record.checksum:
            raise DamagedRecord(Damage.CHECKSUM, "its checksum is wrong")
        places = head.places.items()
        tensors = {name: Tensor(at.dtype, at.shape, content[at.start : at.end]) for name, at in places}
        return Record(tensors, head.meta)

    def _mapped(self, record: StoredRecord) -> memoryview:
        path = self.path(record.segment, record.kind)
        try:
            handle = _opened(path)
        except OSError as error:
            raise self._refusal(error) from error
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise DamagedRecord(Damage.NOT_A_FILE, "it is not a file")
            if found.st_size != record.bytes:
                raise DamagedRecord(Damage.SIZE, "its size is wrong")
            return memoryview(mmap.mmap(handle, record.bytes, access=mmap.ACCESS_READ))
        finally:
            os.close(handle)

    def _refusal(self, error: OSError) -> OSError | DamagedRecord:
        """A record that is gone is damage; if the whole store is gone, the environment is the problem."""
        if error.errno in _ABSENT and self.root.is_dir():
            return DamagedRecord(Damage.MISSING, "its file is gone")
        if error.errno in _NOT_A_FILE:
            return DamagedRecord(Damage.NOT_A_FILE, "it is not a file")
        return error

    def remove(self, key: str, kind: str) -> None:
        """Erase a record, in quarantine too."""
        path = self.path(key, kind)
        self._disk.remove(path)
        self._disk.remove(self.root / _QUARANTINE / path.name)

    def remove_all(self, key: str) -> None:
        """Erase whatever there is of a segment."""
        for kind in KINDS:
            self.remove(key, kind)

    def put_aside(self, key: str, kind: str) -> None:
        """Move a damaged record out of the way, where it can be looked at until the next start."""
        path = self.path(key, kind)
        with suppress(FileNotFoundError):
            private_folder(self.root / _QUARANTINE)
            path.replace(self.root / _QUARANTINE / path.name)

    def quarantined(self) -> int:
        """How many damaged records are kept aside."""
        folder = self.root / _QUARANTINE
        return len(list(folder.iterdir())) if folder.is_dir() else 0

    def sweep(self, expected: Mapping[Path, int]) -> dict[Path, Damage]:
        """Erase every file that is not `expected` (path to bytes), quarantine included; what is expected and lost."""
        lost = dict.fromkeys(expected, Damage.MISSING)
        for entry in self._entries():
            path = Path(entry.path)
            if path not in expected:
                path.unlink()
            elif not entry.is_file(follow_symlinks=False):
                lost[path] = Damage.NOT_A_FILE
            elif entry.stat(follow_symlinks=False).st_size != expected[path]:
                lost[path] = Damage.SIZE
            else:
                del lost[path]
        return lost

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        """Files and links that have a name of ours. Folders and strangers' files are nobody's to erase."""
        with os.scandir(self.root) as folders:
            ours = [folder for folder in folders if _FAN.fullmatch(folder.name) or folder.name == _QUARANTINE]
        for folder in ours:
            if folder.is_dir(follow_symlinks=False):
                yield from _named(folder)


def _named(folder: os.DirEntry[str]) -> list[os.DirEntry[str]]:
    with os.scandir(folder.path) as entries:
        named = [entry for entry in entries if entry.name.endswith((_SUFFIX, _SUFFIX + _TEMPORARY))]
    return [entry for entry in named if not entry.is_dir(follow_symlinks=False)]


def _parts(new: Draft) -> Iterator[bytes | memoryview]:
    yield new.head
    for _, tensor in ordered(new.record.tensors):
        if tensor.data.nbytes:
            yield tensor.data


def _opened(path: Path) -> int:
    """A handle of the file, which is reached through no link. Not waiting: a pipe in its place opens at once."""
    folder = os.open(path.parent, _READ | os.O_DIRECTORY)
    try:
        return os.open(path.name, _READ | os.O_NONBLOCK, dir_fd=folder)
    finally:
        os.close(folder)
