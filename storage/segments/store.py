"""The segment store: cache records on disk, each a file and a row of the index.

Invariants:

- A record's file is complete before its row is written, and is erased after its row is removed. What a crash leaves
  between the two is removed at the next start.
- Neither is synced. A power loss may take the last turns, and a record that it tore is a counted miss.
- Only one process has a store open, and only one thread uses it, except for the `Reading` that `reading` returns.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime
from typing import IO, TYPE_CHECKING, Final, Self

from storage.database import DERIVED, remove
from storage.errors import (
    DamagedDatabase,
    DamagedRecord,
    EnvironmentProblem,
    MissingParent,
    StorageError,
    classified,
)
from storage.folders import OWNER_FOLDER, private_folder
from storage.segments import index
from storage.segments.budget import UNBOUNDED, Budget
from storage.segments.disk import Disk, discard, is_folder
from storage.segments.files import RecordFiles, draft
from storage.segments.index_file import IndexFile
from storage.segments.lock import locked
from storage.segments.reconciliation import DAMAGED, INDEX, disagreements, reconcile
from storage.segments.records import KINDS, Stats, StoredSegment, Verified
from storage.segments.schema import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from storage.segments.files import Draft
    from storage.segments.reading import Reading
    from storage.segments.records import Freed, Holding, NewSegment, StoredRecord

_INDEX: Final = "segments.sqlite"
_LOCK: Final = "lock"
_WRITTEN: Final = "written"


class SegmentStore:
    """An open store. `damage_at_opening` counts by cause the damage that opening found and repaired.

    All methods raise EnvironmentProblem and DamagedDatabase besides what they name. After an EnvironmentProblem the
    store works again once its cause is gone. The store must be opened anew only if the index is damaged or its file is
    gone for good.
    """

    def __init__(
        self, database: IndexFile, files: RecordFiles, budget: Budget, lock: IO[bytes], damage: Mapping[str, int]
    ) -> None:
        self.damage_at_opening = damage
        self._database = database
        self._files = files
        self._budget = budget
        self._lock = lock

    @classmethod
    def open(cls, root: Path, quota_bytes: int = UNBOUNDED, disk: Disk | None = None) -> Self:
        """Open the store below `root`, or create it. Repairs disagreements of rows and files, and evicts down to
        `quota_bytes` unless more is pinned. A caller that does not know the quota or the pins yet sets them later.

        A damaged index is removed with all its records and counted under the cause `index`. Raises NewerVersion, and
        EnvironmentProblem (locked) if another process has the store open.
        """
        with classified():
            private_folder(root)
            root.chmod(OWNER_FOLDER)
            lock = locked(root / _LOCK)
        files = RecordFiles(root, disk or Disk())
        try:
            try:
                return cls._reconciled(files, quota_bytes, lock, {})
            except DamagedDatabase:
                with classified():
                    if is_folder(root / _INDEX):
                        discard(root / _INDEX)
                    remove(root / _INDEX)
                return cls._reconciled(files, quota_bytes, lock, {INDEX: 1})
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _reconciled(cls, files: RecordFiles, quota: int, lock: IO[bytes], damage: Mapping[str, int]) -> Self:
        database = IndexFile.open(files.root / _INDEX, SCHEMA, DERIVED)
        try:
            found = reconcile(database, files, damage).damage
            budget = Budget(database, files, quota)
            budget.enforce(())
        except BaseException:
            database.close()
            raise
        return cls(database, files, budget, lock, found)

    def close(self) -> None:
        """Close the store. May be called twice."""
        self._database.close()
        self._lock.close()

    @property
    def quota_bytes(self) -> int:
        """The most bytes that records may take."""
        return self._budget.quota

    def set_quota(self, bytes: int, in_use: Collection[str] = ()) -> None:  # noqa: A002 - the unit is the name
        """Set the quota and evict the excess at once, except segments `in_use` and pinned ones."""
        self._budget.quota = bytes
        self._budget.enforce(in_use)

    def pin(self, conversations: Collection[str]) -> None:
        """Pin exactly these conversations: their segments are never evicted, also after a restart."""
        with self._database.transaction() as connection:
            index.pin_all(connection, conversations)

    def lookup(self, keys: Sequence[str]) -> tuple[StoredSegment, ...]:
        """The stored segments among `keys`, in the order given. Changes nothing."""
        with self._database.transaction() as connection:
            found = index.find(connection, keys)
        return tuple(found[key] for key in keys if key in found)

    def newest(self, conversation: str, identity: str) -> tuple[StoredSegment, ...]:
        """The segments of one model identity on the branch of `conversation` that was used last, from token 0 on. Lost
        records are not named.
        """
        with self._database.transaction() as connection:
            return tuple(index.newest(connection, conversation, identity).values())

    def held(self, conversation: str, kind: str, identity: str) -> tuple[StoredRecord, ...]:
        """The records of one kind and one model identity that `conversation` holds, on all its branches, the most
        recently used first.
        """
        with self._database.transaction() as connection:
            return tuple(index.held(connection, conversation, kind, identity))

    def holders(self, keys: Collection[str]) -> tuple[str, ...]:
        """The conversations that hold any of the segments `keys`."""
        with self._database.transaction() as connection:
            return tuple(index.holders(connection, keys))

    def roots(self, identity: str) -> tuple[tuple[int, str], ...]:
        """End and key of the segments of this model identity that start at token 0, longest first."""
        with self._database.transaction() as connection:
            return tuple(index.roots(connection, identity))

    def holding(self) -> tuple[str, ...]:
        """The conversations that hold any segment."""
        with self._database.transaction() as connection:
            return tuple(index.holding(connection))

    def identities(self, conversation: str) -> tuple[str, ...]:
        """The identities of the models with records of this conversation."""
        with self._database.transaction() as connection:
            return tuple(index.identities(connection, conversation))

    def conversations(self) -> tuple[Holding, ...]:
        """What each conversation holds, most recently used first."""
        with self._database.transaction() as connection:
            return tuple(index.holdings(connection))

    def held_by(self, conversation: str) -> Holding | None:
        """What this conversation holds; None if it holds nothing."""
        with self._database.transaction() as connection:
            return index.held_by(connection, conversation)

    def shared_bytes(self) -> int:
        """The bytes of the records that several conversations hold, each counted once."""
        with self._database.transaction() as connection:
            return index.shared_bytes(connection)

    def places(self, conversation: str) -> tuple[int, ...]:
        """The lengths of the prefixes of this conversation that end with a record, shortest first."""
        with self._database.transaction() as connection:
            return tuple(index.places(connection, conversation))

    def written(self, days: int) -> Mapping[str, int]:
        """The bytes written on each of the newest days with a write, by the local day as ISO date, oldest first."""
        with self._database.transaction() as connection:
            found = index.tallies(connection, _WRITTEN)
        return dict(sorted(found.items())[-days:])

    def reading(self, record: StoredRecord) -> Reading:
        """Open a record for reading on any thread. Raises DamagedRecord; pass it to `refuse` on the store's thread."""
        with classified():
            return self._files.reading(record)

    def refuse(self, record: StoredRecord, damage: DamagedRecord) -> None:
        """Erase a damaged record and count it by cause.

        If the disk refuses now, the record stays in the index and the next read finds the damage again.
        """
        with suppress(EnvironmentProblem), classified():
            with self._database.transaction() as connection:
                if not index.remove_unchanged(connection, record):
                    return
                index.note_lost(connection, record.segment, record.kind)
                index.count(connection, DAMAGED, damage.cause.value, 1)
            self._files.erase([(record.segment, record.kind)])

    def commit(self, conversation: str, segments: Sequence[NewSegment], in_use: Collection[str] = ()) -> int:
        """Store the records that are missing, and let `conversation` hold the segments and all their ancestors. Returns
        the bytes written.

        All or nothing: every record is complete before the first row is written. Makes room by evicting other
        segments, except pinned ones, those `in_use`, and the parents of `segments`. Raises BadSegment, MissingParent
        and OverBudget before anything is written.
        """
        chain = sorted(segments, key=lambda segment: (segment.start, segment.end))
        drafts = self._drafts(chain)
        new = sum(made.bytes for made in drafts)
        self._files.retry()
        if new:
            self._budget.make_room(new, {*in_use, *_named(chain)})
        with classified():
            written = self._files.write(drafts)
        self._enter(conversation, chain, written)
        return new

    def _drafts(self, chain: Sequence[NewSegment]) -> list[Draft]:
        """The records to write, parents first."""
        stored = {segment.key: segment.records.keys() for segment in self.lookup(list(_named(chain)))}
        present = stored.keys() | {segment.key for segment in chain}
        drafts: dict[tuple[str, str], Draft] = {}
        for segment in chain:
            if segment.parent and segment.parent not in present:
                raise MissingParent("An earlier part of this conversation's cache is no longer stored.")
            missing = (new for new in segment.records if new.kind not in stored.get(segment.key, ()))
            drafts |= {(segment.key, new.kind): draft(segment, new) for new in missing}
        return list(drafts.values())

    def _enter(self, conversation: str, chain: Sequence[NewSegment], written: Sequence[StoredRecord]) -> None:
        """Insert the rows, all or none. If that fails, erase the new files as well."""
        try:
            with self._database.transaction() as connection:
                index.add(connection, conversation, chain)
                index.add_records(connection, written)
                if written:
                    index.count(connection, _WRITTEN, _today(), sum(record.bytes for record in written))
        except StorageError:
            with suppress(OSError):  # report the row's error; the next erasure tries again
                self._files.erase((record.segment, record.kind) for record in written)
            raise

    def drop(self, records: Sequence[StoredRecord]) -> int:
        """Erase `records` but keep their segments. Skips records that changed after their lookup.

        Returns the bytes freed.
        """
        with self._database.transaction() as connection:
            erased = [record for record in records if index.remove_unchanged(connection, record)]
        with classified():
            self._files.erase((record.segment, record.kind) for record in erased)
        return sum(record.bytes for record in erased)

    def touch(self, conversation: str, keys: Sequence[str]) -> None:
        """Mark the stored segments among `keys` as just used, and let `conversation` hold them."""
        with self._database.transaction() as connection:
            index.use(connection, conversation, keys)

    def forget(self, conversation: str) -> int:
        """Erase the segments that only this conversation holds. Returns the bytes freed."""
        with self._database.transaction() as connection:
            erased = index.release(connection, conversation)
        with classified():
            self._files.erase((key, kind) for key in erased for kind in KINDS)
        return sum(erased.values())

    def gc(self, in_use: Collection[str] = ()) -> Freed:
        """Repeat the work of a start: reconcile rows and files, enforce the quota."""
        freed = reconcile(self._database, self._files, {}).freed
        return freed + self._budget.enforce(in_use)

    def disagreements(self) -> tuple[str, ...]:
        """One line for each disagreement of rows and files; empty if there is no disagreement."""
        return disagreements(self._database, self._files)

    def records(self, conversation: str = "") -> tuple[StoredRecord, ...]:
        """The records of the segments that `conversation` holds, or all records ("")."""
        with self._database.transaction() as connection:
            return tuple(index.records_of(connection, conversation) if conversation else index.records(connection))

    def check(self, record: StoredRecord) -> None:
        """Read a record and compare it with its checksum. Raises DamagedRecord after refusing it as `refuse` does."""
        try:
            with classified():
                self._files.check(record)
        except DamagedRecord as damage:
            self.refuse(record, damage)
            raise

    def verify(self) -> Verified:
        """Check every record; refuse damaged ones."""
        records = self.records()
        damaged: Counter[str] = Counter()
        good = 0
        for record in records:
            try:
                self.check(record)
                good += record.bytes
            except DamagedRecord as damage:
                damaged[damage.cause.value] += 1
        return Verified(len(records) - damaged.total(), good, damaged)

    def stats(self) -> Stats:
        """Sizes and counters of the store."""
        with self._database.transaction() as connection:
            segments, records, conversations = index.sizes(connection)
            causes = index.tallies(connection, DAMAGED)
            written = index.tallies(connection, _WRITTEN).get(_today(), 0)
            held = index.held_bytes(connection)
            identities = index.by_identity(connection)
        return Stats(held, segments, records, conversations, written, causes, identities)


def _named(chain: Sequence[NewSegment]) -> set[str]:
    """The keys of `chain` and of its parents."""
    return {key for segment in chain for key in (segment.key, segment.parent) if key}


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()
