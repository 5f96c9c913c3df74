"""Digests by which the hub names files: sha256 for files of LFS, git's blob SHA-1 for small ones. Pure but for reading.

A digest is its hexadecimal text; the length tells which one it is.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

from storage.untrusted import open_file

SHA256: Final = re.compile(r"[0-9a-f]{64}")
GIT: Final = re.compile(r"[0-9a-f]{40}")
_PIECE: Final = 1 << 20


def known(digest: str) -> bool:
    """Whether `digest` is one of the two kinds."""
    return bool(SHA256.fullmatch(digest) or GIT.fullmatch(digest))


def matches(path: Path, digest: str) -> bool:
    """Whether the file has this digest. Raises UntrustedDataError if there is no regular file, and OSError."""
    with open_file(path) as file:
        head = b"blob %d\0" % path.stat().st_size
        hashed = hashlib.sha256() if SHA256.fullmatch(digest) else hashlib.sha1(head, usedforsecurity=False)
        while piece := file.read(_PIECE):
            hashed.update(piece)
    return hashed.hexdigest() == digest
