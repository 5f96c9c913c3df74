"""Reads a record's file in order, once, and verifies its checksum at the end.

The caller supplies the buffers, so that bytes are copied once. No byte counts as read before `finish` has verified all
of them. Files are read, not mapped: if a disk is unplugged, accessing a mapping of its files kills the process.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, Final, Self

from xxhash import xxh3_128

from storage.errors import Damage, DamagedRecord
from storage.segments.safetensors import LENGTH_BYTES, InvalidHeaderError, header_bytes, parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from storage.segments.records import StoredRecord
    from storage.segments.safetensors import TensorPlace

_NOT_A_FILE: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.ENXIO})
_OPEN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_CLOSED: Final = -1
_FIRST: Final = 1 << 14
"""Bytes that contain most headers."""
_LARGEST: Final = 1 << 23
"""The largest header in bytes, enough for 50,000 tensors."""


class Reading:
    """An open record whose size and header have been checked. A context manager that closes the file. `places` are its
    tensors in the order of the file, `bytes` the size of all of them.

    Any number of threads may call `fill` at once, but only one thread at a time may call the other methods. All methods
    raise OSError besides what they name.
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
        """Fill `buffers` with the next bytes and add them to the checksum. Raises DamagedRecord."""
        self.fill(self._at, *buffers)
        self.add(*buffers)

    def fill(self, at: int, *buffers: memoryview) -> None:
        """Fill `buffers`, at most a few hundred, with the bytes from offset `at`. Raises DamagedRecord if the file ends
        before.

        Small buffers are still in the processor's cache when the checksum and the next copy read them.
        """
        count = os.preadv(self._handle, buffers, at)
        if count < sum(buffer.nbytes for buffer in buffers):
            self._fill_rest(at + count, buffers, count)

    def _fill_rest(self, at: int, buffers: Sequence[memoryview], count: int) -> None:
        """Fill the rest after the first `count` bytes: the system may read less than requested."""
        for buffer in buffers:
            left = buffer.cast("B")[count:]
            count = max(0, count - buffer.nbytes)
            while left:
                read = os.preadv(self._handle, [left], at)
                if not read:
                    raise DamagedRecord(Damage.SIZE, "its size is wrong")
                at += read
                left = left[read:]

    def add(self, *buffers: memoryview) -> None:
        """Add the file's next bytes to the checksum, in order."""
        for buffer in buffers:
            self._digest.update(buffer)
            self._at += buffer.nbytes

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
