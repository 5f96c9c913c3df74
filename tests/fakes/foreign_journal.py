"""A rollback journal that names another file, as SQLite leaves one for a transaction of several databases."""

from __future__ import annotations

import struct
from pathlib import Path

_MAGIC = bytes.fromhex("d9d505f920a163d7")
_PAGE, _SECTOR = 4096, 512
_LOCK_PAGE = (1 << 30) // _PAGE + 1


def leave(database: Path, named: Path) -> Path:
    """Leave such a journal beside `database`. SQLite would apply it, and then erase the file `named`."""
    journal = database.with_name(f"{database.name}-journal")
    pages, name = database.stat().st_size // _PAGE, bytes(named)
    head = _MAGIC + struct.pack(">5I", 0, 0, pages, _SECTOR, _PAGE)
    tail = struct.pack(">2I", len(name), sum(name)) + _MAGIC
    journal.write_bytes(head.ljust(_SECTOR, b"\0") + struct.pack(">I", _LOCK_PAGE) + name + tail)
    return journal
