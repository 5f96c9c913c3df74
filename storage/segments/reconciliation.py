"""Makes the rows and files of the store agree after a crash, a fault or damage, and checks that they do.

Runs at every start and on request, on the store's thread.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from storage.errors import classified
from storage.segments import index
from storage.segments.records import Freed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.files import RecordFiles
    from storage.segments.index_file import IndexFile

DAMAGED: Final = "damaged"
"""The counter of damaged records, by cause."""

INDEX: Final = "index"
"""The cause of damage for an index that had to be removed."""

_OUT_OF_REACH: Final = "out_of_reach"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The bytes and records erased, and the damage found, by cause; unreachable segments count as well."""

    freed: Freed
    damage: Mapping[str, int]


def reconcile(database: IndexFile, files: RecordFiles, damage: Mapping[str, int]) -> Reconciled:
    """Remove rows that are unreachable or without their file; then every file without a
    row. Adds the damage found to `damage` and to the store's counters.
    """
    with database.transaction() as connection:
        unreachable = index.unreachable(connection)
        for key in unreachable:
            index.remove(connection, key)
        rows = {files.name(row.segment, row.kind): row for row in index.records(connection)}
        with classified():
            found = files.sweep(rows.values())
        for row in (rows[name] for name in found.lost):
            index.remove_record(connection, row.segment, row.kind)
            index.note_lost(connection, row.segment, row.kind)
        causes = Counter(damage) + Counter(str(cause) for cause in found.lost.values())
        for cause, number in causes.items():
            index.count(connection, DAMAGED, cause, number)
    files.erase_strays([*found.strays, *found.lost])
    freed = Freed(sum(found.strays.values()), len(found.strays))
    return Reconciled(freed, causes + Counter({_OUT_OF_REACH: len(unreachable)}))


def disagreements(database: IndexFile, files: RecordFiles) -> tuple[str, ...]:
    """One line for each record without its file, each file without its row, and each unreachable segment."""
    with database.transaction() as connection:
        rows = index.records(connection)
        unreachable = index.unreachable(connection)
    with classified():
        found = files.sweep(rows)
    return (
        *(f"{name}: {cause}" for name, cause in sorted(found.lost.items())),
        *(f"{name}: no row" for name in sorted(found.strays)),
        *(f"{key}: out of reach" for key in sorted(unreachable)),
    )
