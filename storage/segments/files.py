"""The files of the segment store's records: names, writing, reading, erasing, and what is wrong with them.

A file is complete before its row is written. It is not synced: its size and its checksum show what a power loss took.
No path follows a link. Functions raise OSError unless they say otherwise; the store classifies it.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from xxhash import xxh3_128

from storage.errors import BadSegment, Damage, DamagedDatabase
from storage.folders import OWNER_FILE, OWNER_FOLDER
from storage.segments.reading import Reading
from storage.segments.records import KINDS, StoredRecord
from storage.segments.safetensors import built, ordered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from storage.segments.records import NewRecord, NewSegment

_CHECKED_AT_ONCE: Final = 4 << 20
_SUFFIX: Final = ".safetensors"
_FAN: Final = re.compile(r"[0-9a-z_-]{1,2}")
_KEY: Final = re.compile(r"[0-9a-z_-]{1,128}")


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


@dataclass(frozen=True, slots=True)
class Swept:
    """`lost` maps expected names that are missing or wrong to the cause, `strays` unexpected names to their bytes."""

    lost: Mapping[str, Damage]
    strays: Mapping[str, int]


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
        return f"{key[:2]}/{key}.{kind}{_SUFFIX}"

    def write(self, drafts: Sequence[Draft]) -> list[StoredRecord]:
        """Write records that have no row, replacing anything of their names.

        On an error all of them are erased; what cannot be erased now is erased with the next erasure.
        """
        paths = [self.path(new.segment.key, new.record.kind) for new in drafts]
        try:
            return [self._written(new, path) for new, path in zip(drafts, paths, strict=True)]
        except OSError:
            self._doomed.update(paths)
            self.retry()
            raise

    def _written(self, new: Draft, path: Path) -> StoredRecord:
        if not is_folder(path.parent):
            self._disk.remove(path.parent)
            self._disk.make_folder(path.parent)
        digest = xxh3_128()
        with closing(self._disk.create(path)) as file:
            for data in _parts(new):
                digest.update(data)
                self._disk.write(file, data)
        self._doomed.discard(path)
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

    def sweep(self, rows: Mapping[str, StoredRecord]) -> Swept:
        """Compare the files with `rows`, the records by name. Changes nothing.

        Files without a record's name are ignored: they are not Hearth's.
        """
        lost = dict.fromkeys(rows, Damage.MISSING)
        strays: dict[str, int] = {}
        for name, entry in _entries(self.root):
            size = entry.stat(follow_symlinks=False).st_size
            if name not in lost:
                strays[name] = size
            elif not entry.is_file(follow_symlinks=False):
                lost[name] = Damage.NOT_A_FILE
            elif size != rows[name].bytes:
                lost[name] = Damage.SIZE
            else:
                del lost[name]
        return Swept(lost, strays)


def _parts(new: Draft) -> Iterator[bytes | memoryview]:
    yield new.head
    for _, tensor in ordered(new.record.tensors):
        if tensor.data.nbytes:
            yield tensor.data


def _entries(root: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything with a name that a record may need, including links and folders."""
    for folder in _listed(root):
        if not _FAN.fullmatch(folder.name):
            continue
        if not folder.is_dir(follow_symlinks=False):
            yield folder.name, folder
            continue
        for entry in _listed(folder.path):
            if entry.name.endswith(_SUFFIX):
                yield f"{folder.name}/{entry.name}", entry


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
