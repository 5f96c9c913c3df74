"""Removes deleted conversations from all copies of the library, and copies that are too old.

Runs on any thread, while another thread may work with the library. Invariants, whatever fails or is killed meanwhile:

- A copy is only replaced by a cleaned copy that is complete and checked.
- A copy is only removed while another undamaged one remains. If it is the last one, a new copy is made first.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from storage.copies import CopyCancelled, copy, read_only, second_connection
from storage.errors import DamagedDatabase, StorageFault, classified
from storage.library.backup_files import (
    back_up,
    backup_folder,
    backups,
    can_be_opened,
    discard_unfinished,
    leftovers,
    made_at,
)
from storage.library.schema import SCHEMA

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

DAYS: Final = 30
"""The age at which a copy is removed."""
_UPGRADED: Final = re.compile(r"\.v[0-9]+")
"""The suffix of the copy that is made before an upgrade."""
_INDEXES: Final = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5 (%'"


@dataclass(frozen=True, slots=True)
class Expired:
    """`gone` maps the ids of erased conversations to their times of deletion. A copy made at `oldest` or before is too
    old; one made after `newest` was dated by a wrong clock. Times in ms, UTC.
    """

    gone: Mapping[str, int]
    oldest: int
    newest: int


def expire(library: Path, expired: Expired, now: int, wanted: Callable[[], bool]) -> bool:
    """Remove copies of `library` that are too old; erase the conversations that are gone from all others, replaced
    libraries included. Returns False if `wanted` became false before the end; the next call does the rest.

    Damaged copies cannot be cleaned, so they are removed. Damaged libraries that were replaced stay for their usual
    time, because they may still be rescued. `now` in ms, UTC. Raises EnvironmentProblem, and DamagedDatabase if a new
    copy is needed and the library is damaged.
    """
    try:
        _expire(library, expired, now, wanted)
    except CopyCancelled:
        return False
    return wanted()


def _expire(library: Path, expired: Expired, now: int, wanted: Callable[[], bool]) -> None:
    folder = backup_folder(library)
    fresh = partial(back_up, library, folder, now, wanted)
    with classified(folder):
        discard_unfinished(folder)
        _remove([one for one in backups(folder) if not expired.oldest < made_at(one) <= expired.newest], folder, fresh)
        if expired.gone:
            _remove(
                [one for one in backups(folder) if not _clean(one, made_at(one), expired.gone, wanted)], folder, fresh
            )
            for path, moment in _whole(library).items():
                _clean(path, moment, expired.gone, wanted)


def _whole(library: Path) -> dict[Path, int]:
    """Whole libraries among the leftovers, with their ages."""
    upgraded = partial(_UPGRADED.fullmatch, pos=len(library.name))
    return {path: moment for path, moment in leftovers(library).items() if made_at(path) or upgraded(path.name)}


def _clean(path: Path, moment: int, gone: Mapping[str, int], wanted: Callable[[], bool]) -> bool:
    """Erase the conversations `gone` from the copy at `path`, made at `moment`. False if the copy is damaged."""
    try:
        with classified(path.parent):
            _fold(path)
            with closing(read_only(path)) as source:
                held = _held(source, moment, gone)
                if held:
                    copy(source, path, wanted, lambda copied: _erase(copied, held))
    except (DamagedDatabase, StorageFault):  # StorageFault: its tables are not ours
        return False
    return True


def _fold(path: Path) -> None:
    """Move the log of a replaced library into its file."""
    if path.with_name(f"{path.name}-wal").exists() or path.with_name(f"{path.name}-journal").exists():
        with closing(second_connection(path)) as raw:
            raw.execute("PRAGMA journal_mode = DELETE").fetchone()


def _held(raw: sqlite3.Connection, moment: int, gone: Mapping[str, int]) -> list[str]:
    """The conversations in `gone` that a copy made at `moment` still holds.

    If a copy that is younger than the deletion lists the conversation, the user had restored it in a library that was
    replaced since; the copy keeps it. A newer Hearth cleans its own files, so such a file holds nothing here.
    """
    version = int(raw.execute("PRAGMA user_version").fetchone()[0])
    if version < 1:
        raise DamagedDatabase("The copy holds nothing of Hearth's.")
    if version > SCHEMA.version:
        return []
    raw.text_factory = _decoded
    rows = raw.execute("SELECT id, deleted FROM conversation")
    return [owner for owner, deleted in rows if owner in gone and (deleted is not None or moment <= gone[owner])]


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _erase(raw: sqlite3.Connection, conversations: Iterable[str]) -> None:
    """Overwrite the rows and rewrite the search indexes, without a journal, which would hold the text.

    The file has no final name yet and is discarded on any error.
    """
    for pragma in ("journal_mode = OFF", "secure_delete = ON", "foreign_keys = ON"):
        raw.execute(f"PRAGMA {pragma}").fetchall()
    raw.execute("BEGIN")
    raw.executemany("DELETE FROM conversation WHERE id = ?", [(one,) for one in conversations])
    for (index,) in raw.execute(_INDEXES).fetchall():
        raw.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our names
    raw.execute("COMMIT")


def _remove(stale: list[Path], folder: Path, fresh: Callable[[], Path]) -> None:
    if not stale:
        return
    kept = [path for path in backups(folder) if path not in stale]
    if not any(can_be_opened(path) for path in reversed(kept)):
        kept = [fresh()]
    for path in stale:
        if path not in kept:
            path.unlink(missing_ok=True)
