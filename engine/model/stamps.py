"""What tells cheaply whether a file is still the one that was read. Owns the stamp that the system keeps of a file, and
a sample of its bytes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

import xxhash

if TYPE_CHECKING:
    from pathlib import Path

SETTLED_NS: Final = 3_000_000_000
"""A file that changed this shortly before it was read may have changed again under the same times: file systems count
them in steps of up to two seconds.
"""
_HEAD_BYTES: Final = 1 << 16
_PIECE_BYTES: Final = 4096
_PIECES: Final = 256


class Stamp(NamedTuple):
    """A change of the file shows in one of these, unless somebody hides it. Only `changed_ns`, the system's own time of
    the last change, cannot be set by a program; not every file system keeps it.
    """

    size: int
    modified_ns: int
    inode: int
    device: int
    changed_ns: int

    @classmethod
    def of(cls, file: Path) -> Stamp:
        """Raises OSError."""
        stat = file.stat()
        return cls(stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev, stat.st_ctime_ns)

    def is_settled(self, read_ns: int) -> bool:
        """Whether a change after `read_ns`, when the file was read, would show."""
        return max(self.modified_ns, self.changed_ns) + SETTLED_NS <= read_ns


def sample(file: Path) -> str:
    """The digest of the file's head and of pieces spread evenly over it: about a mebibyte. Raises OSError."""
    digest = xxhash.xxh3_128()
    with file.open("rb", buffering=0) as stream:
        size = os.fstat(stream.fileno()).st_size
        digest.update(os.pread(stream.fileno(), _HEAD_BYTES, 0))
        for number in range(1, _PIECES + 1):
            digest.update(os.pread(stream.fileno(), _PIECE_BYTES, max(0, size - _PIECE_BYTES) * number // _PIECES))
    return digest.hexdigest()
