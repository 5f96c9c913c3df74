"""Detects cheaply whether a file has changed since it was read: by the stamp that the system keeps of it, and by a
sample of its bytes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

import xxhash

if TYPE_CHECKING:
    from pathlib import Path

SETTLED_NS: Final = 3_000_000_000
"""If a file changed this shortly before it was read, it may have changed again without a new time: file systems round
times to up to two seconds.
"""
_HEAD_BYTES: Final = 1 << 16
_PIECE_BYTES: Final = 4096
_PIECES: Final = 256


class Stamp(NamedTuple):
    """Every honest change of a file changes one of these fields. A program can forge all of them except `changed_ns`,
    the system's time of the last change, which not every file system keeps.
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
        """Whether a change after `read_ns`, when the file was read, would be visible."""
        return max(self.modified_ns, self.changed_ns) + SETTLED_NS <= read_ns


def sample(file: Path) -> str:
    """The digest of the file's head and of pieces spread evenly over it, about a mebibyte in all. Raises OSError."""
    digest = xxhash.xxh3_128()
    with file.open("rb", buffering=0) as stream:
        size = os.fstat(stream.fileno()).st_size
        digest.update(os.pread(stream.fileno(), _HEAD_BYTES, 0))
        for number in range(1, _PIECES + 1):
            digest.update(os.pread(stream.fileno(), _PIECE_BYTES, max(0, size - _PIECE_BYTES) * number // _PIECES))
    return digest.hexdigest()
