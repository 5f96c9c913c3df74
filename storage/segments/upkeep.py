"""Upkeep: owns that rows and files agree again after a stop, a fault or rot, and the proof that they do.

When it is done is left to `storage.segments.store`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from storage.errors import Damage, classified
from storage.segments import index
from storage.segments.header import SCHEMA
from storage.segments.records import Freed
from storage.segments.sweep import QUARANTINE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.files import RecordFiles
    from storage.segments.index_file import IndexFile

DAMAGED: Final = "damaged"
"""The tally of damaged records, by cause."""


def reconcile(database: IndexFile, files: RecordFiles, damage: Mapping[str, int]) -> Freed:
    """Drop rows without their file, of another version or out of reach, then every file without a row.

    What is lost is counted, together with `damage`.
    """
    with database.transaction() as connection:
        for key in index.unreachable(connection):
            index.remove(connection, key)
        outdated = index.outdated(connection, SCHEMA)
        for key, kind in outdated:
            index.remove_record(connection, key, kind)
        rows = {files.name(row.segment, row.kind): row for row in index.records(connection)}
        with classified():
            found = files.sweep(rows.values())
        for name in found.lost:
            index.remove_record(connection, rows[name].segment, rows[name].kind)
        causes = Counter(damage) + Counter(found.lost.values()) + Counter({Damage.SCHEMA: len(outdated)})
        for cause, number in causes.items():
            index.count(connection, DAMAGED, str(cause), number)
    files.erase_strays([*found.strays, *found.lost])
    return Freed(sum(found.strays.values()), len(found.strays))


def disagreements(database: IndexFile, files: RecordFiles) -> tuple[str, ...]:
    """What is not as it should be, in words; nothing if every row has its file, every file its row, and every segment
    its parent and a holder.
    """
    with database.transaction() as connection:
        rows = index.records(connection)
        unreachable = index.unreachable(connection)
    with classified():
        found = files.sweep(rows)
    strays = [name for name in found.strays if not name.startswith(QUARANTINE)]
    return (
        *(f"{name}: {cause}" for name, cause in sorted(found.lost.items())),
        *(f"{name}: nobody's" for name in sorted(strays)),
        *(f"{key}: out of reach" for key in sorted(unreachable)),
    )
