"""Upkeep: owns that rows and files agree again after a stop, a fault or rot, and the proof that they do.

When it is done is left to `storage.segments.store`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from storage.errors import Damage, classified
from storage.segments import index
from storage.segments.header import SCHEMA
from storage.segments.records import Freed
from storage.segments.row_checks import drop_senseless
from storage.segments.sweep import QUARANTINE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.files import RecordFiles
    from storage.segments.index_file import IndexFile

DAMAGED: Final = "damaged"
"""The tally of damaged records, by cause."""

INDEX: Final = "index"
"""The cause of what is lost because the index makes no sense: rows of it, or all."""

_OUT_OF_REACH: Final = "out_of_reach"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was erased, and how much of what should have been there was not: records by cause of damage, and segments
    out of reach.
    """

    freed: Freed
    damage: Mapping[str, int]


def reconcile(database: IndexFile, files: RecordFiles, damage: Mapping[str, int]) -> Reconciled:
    """Drop rows that make no sense, without their file, of another version or out of reach, then every file without a
    row.

    What is damaged is counted, together with `damage`.
    """
    with database.transaction() as connection:
        senseless = drop_senseless(connection)
        unreachable = index.unreachable(connection)
        for key in unreachable:
            index.remove(connection, key)
        outdated = index.outdated(connection, SCHEMA)
        for key, kind in outdated:
            index.remove_record(connection, key, kind)
        legible, illegible = index.legible(connection)
        rows = {files.name(row.segment, row.kind): row for row in legible}
        with classified():
            found = files.sweep(rows.values())
        missing = [(row.segment, row.kind) for row in (rows[name] for name in found.lost)]
        for key, kind in (*missing, *illegible):
            index.remove_record(connection, key, kind)
            index.note_lost(connection, key, kind)
        causes = Counter(damage) + Counter(str(cause) for cause in found.lost.values())
        causes += Counter({Damage.SCHEMA.value: len(outdated), INDEX: senseless + len(illegible)})
        for cause, number in causes.items():
            index.count(connection, DAMAGED, cause, number)
    files.erase_strays([*found.strays, *found.lost])
    freed = Freed(sum(found.strays.values()), len(found.strays))
    return Reconciled(freed, causes + Counter({_OUT_OF_REACH: len(unreachable)}))


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
