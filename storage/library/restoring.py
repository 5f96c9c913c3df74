"""Replaces a closed library: by one of its backups, by a rescued file, or by an empty one.

Runs on any thread while no process has the library open. A crash at any moment leaves either the old library or the new
one under its name, and the old one is kept beside it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from storage.copies import copy, read_only, replace
from storage.database import PRECIOUS, Database, decoded, remove
from storage.errors import classified
from storage.library.backups import check_copy, leave_no_trace, made_at, name_at, replaced_folder
from storage.library.files import beside
from storage.library.schema import SCHEMA, reindex
from storage.searchable import add_functions

_SECOND_MS: Final = 1000
_PART_CHATS: Final = """UPDATE message SET parent = NULL WHERE parent IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM message AS above WHERE above.id = message.parent AND above.conversation = message.conversation)"""


def restore(chosen: Path, library: Path, now: int) -> Path:
    """Replace the closed library by a copy of a backup, without its ledgers. Returns the path of the old library, kept
    with its log.

    `now` in ms, UTC. Raises EnvironmentProblem, and DamagedDatabase or NewerVersion if the backup cannot be used.
    """
    with classified():
        check_copy(chosen)
        copied = library.with_name(library.name + ".restored")
        latest = max(now, made_at(chosen) + _SECOND_MS)
        with closing(read_only(chosen)) as source:
            copy(source, copied, change=lambda fresh: _correct(fresh, latest))
        return replace_library(library, copied, now)


def _correct(copied: sqlite3.Connection, latest: int) -> None:
    """Remove from the copy of a backup what could harm this Mac: another person may have made the backup.

    - Without ledgers: the engine takes their tokens for those of the reply, and the window shows only the text.
    - No chat is newer than `latest`: one of days to come would keep each chat that is deleted later.
    - No message answers one of another chat, and the search indexes agree with the rows: otherwise erasing fails.
    """
    leave_no_trace(copied)
    copied.execute("UPDATE message SET ledger = '' WHERE ledger <> ''")
    copied.execute("UPDATE conversation SET updated = ?1 WHERE updated > ?1", (latest,))
    copied.execute("UPDATE conversation SET deleted = ?1 WHERE deleted > ?1", (latest,))
    copied.execute(_PART_CHATS)
    add_functions(copied)
    reindex(copied.execute)


def lost_files(backup: Path, library: Path) -> int:
    """How many files attached to the listed chats of an undamaged backup are not in the folder of `library`."""
    listed = "SELECT id FROM conversation WHERE deleted IS NULL"
    query = f"SELECT DISTINCT file FROM attachment WHERE conversation IN ({listed})"  # noqa: S608 - constants
    with classified(), closing(read_only(backup)) as raw:
        raw.text_factory = decoded
        paths = [beside(library).path(file) for (file,) in raw.execute(query)]
    return sum(path is None or not path.is_file() for path in paths)


def replace_library(library: Path, complete: Path, now: int) -> Path:
    """Replace the closed library by the database file `complete`. Returns where the old library is kept, if it existed.

    Files that only the old library refers to are kept as long as newly stored ones. If it fails, `complete` is removed:
    it would hold what the user erases later. Raises EnvironmentProblem.
    """
    with classified():
        kept = replaced_folder(library) / name_at(now)
        while kept.exists():
            now += _SECOND_MS
            kept = kept.with_name(name_at(now))
        try:
            beside(library).renew()
            replace(library, complete, kept)
        finally:
            complete.unlink(missing_ok=True)
    return kept


def start_empty(library: Path, now: int) -> Path:
    """Replace the closed library by an empty one. Returns where the old library is kept, if it existed.

    `now` in ms, UTC. Raises EnvironmentProblem.
    """
    fresh = library.with_name(library.name + ".fresh")
    with classified():
        remove(fresh)
    Database.open(fresh, SCHEMA, PRECIOUS).close()
    return replace_library(library, fresh, now)
