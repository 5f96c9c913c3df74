"""The segment store, cache records on disk: owns the order of file and row, so that neither is without the other.

A file comes before its row and goes after it; what a stop leaves between the two is swept at the next start. Headers
are left to `header`, files to `files`, rows to `index`, the order of eviction to `eviction`. One thread at a time, one
process at a time.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime
from typing import IO, TYPE_CHECKING, Final, Self

from storage.database import DERIVED, Database, remove
from storage.errors import DamagedDatabase, DamagedRecord, MissingParent, OverBudget, StorageError, classified
from storage.folders import OWNER_FOLDER, private_folder
from storage.segments import index
from storage.segments.eviction import plan
from storage.segments.files import Disk, RecordFiles, draft
from storage.segments.lock import locked
from storage.segments.records import Stats, StoredSegment, Verified
from storage.segments.schema import STEPS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from storage.segments.eviction import Victim
    from storage.segments.files import Draft
    from storage.segments.records import NewSegment, Record, StoredRecord

_INDEX: Final = "segments.sqlite"
_LOCK: Final = "lock"
_WRITTEN: Final = "written"
_DAMAGED: Final = "damaged"
_LOST_INDEX: Final = "index"


class SegmentStore:
    """The open store. All methods raise EnvironmentProblem and DamagedDatabase besides what they name."""

    def __init__(self, database: Database, files: RecordFiles, quota_bytes: int, lock: IO[bytes]) -> None:
        self._database = database
        self._files = files
        self._quota = quota_bytes
        self._lock = lock

    @classmethod
    def open(cls, root: Path, quota_bytes: int, disk: Disk | None = None) -> Self:
        """Open or make the store below `root`, with rows and files in agreement and at most `quota_bytes` held.

        A damaged index is dropped together with its records and counted under the cause `index`. Raises NewerVersion;
        EnvironmentProblem (locked) if another process has the store open.
        """
        with classified():
            private_folder(root)
            root.chmod(OWNER_FOLDER)
            lock = locked(root / _LOCK)
        files = RecordFiles(root, disk or Disk())
        try:
            return cls._opened(files, quota_bytes, lock)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _opened(cls, files: RecordFiles, quota_bytes: int, lock: IO[bytes]) -> Self:
        try:
            return cls._reconciled(files, quota_bytes, lock)
        except DamagedDatabase:
            with classified():
                remove(files.root / _INDEX)
            return cls._reconciled(files, quota_bytes, lock, {_LOST_INDEX: 1})

    @classmethod
    def _reconciled(
        cls, files: RecordFiles, quota_bytes: int, lock: IO[bytes], damage: Mapping[str, int] | None = None
    ) -> Self:
        store = cls(Database.open(files.root / _INDEX, STEPS, DERIVED), files, quota_bytes, lock)
        try:
            store._reconcile(damage or {})
            store._make_room(0, ())
        except BaseException:
            store._database.close()
            raise
        return store

    def _reconcile(self, damage: Mapping[str, int]) -> None:
        """Let rows and files agree, and count `damage` together with what is lost."""
        with self._database.transaction() as connection:
            rows = {self._files.path(row.segment, row.kind): row for row in index.records(connection)}
            with classified():
                lost = self._files.sweep({path: row.bytes for path, row in rows.items()})
            for path in lost:
                index.remove_record(connection, rows[path].segment, rows[path].kind)
            for cause, number in (Counter(damage) + Counter(lost.values())).items():
                index.count(connection, _DAMAGED, str(cause), number)
        with classified():
            for path in lost:
                self._files.remove(rows[path].segment, rows[path].kind)

    def close(self) -> None:
        """Close the store. Views into records that were read stay valid. May be called twice."""
        self._database.close()
        self._lock.close()

    @property
    def quota_bytes(self) -> int:
        """How much may be held."""
        return self._quota

    def lookup(self, keys: Sequence[str]) -> tuple[StoredSegment, ...]:
        """Those of `keys` that are stored, in the order given. Changes nothing."""
        with self._database.transaction() as connection:
            found = index.find(connection, keys)
        return tuple(found[key] for key in keys if key in found)

    def held(self, conversation: str, kind: str) -> tuple[StoredRecord, ...]:
        """The records of one kind that `conversation` holds, on every branch of it."""
        with self._database.transaction() as connection:
            return tuple(index.held(connection, conversation, kind))

    def holders(self, keys: Collection[str]) -> tuple[str, ...]:
        """The conversations that hold any of the segments `keys`."""
        with self._database.transaction() as connection:
            return tuple(index.holders(connection, keys))

    def read(self, record: StoredRecord) -> Record:
        """Map and check a record. Its tensors are views that need the store no longer.

        Raises DamagedRecord: the record is then out of the index, counted by cause, and its file put aside.
        """
        try:
            with classified():
                return self._files.read(record)
        except DamagedRecord as damage:
            self._put_aside(record, damage.cause.value)
            raise

    def _put_aside(self, record: StoredRecord, cause: str) -> None:
        with self._database.transaction() as connection:
            if not index.remove_exact(connection, record):
                return
            index.count(connection, _DAMAGED, cause, 1)
        with classified():
            self._files.put_aside(record.segment, record.kind)

    def commit(self, conversation: str, segments: Sequence[NewSegment], in_use: Collection[str] = ()) -> int:
        """Store what is not there yet and let `conversation` hold it, with all that it builds on. Bytes written.

        Parents go first; each record is complete on disk before it has its row. To make room others are evicted,
        except `in_use` and what `segments` build on. Raises BadSegment, MissingParent, OverBudget before anything is
        written; after an EnvironmentProblem the records written so far stand, each complete.
        """
        chain = sorted(segments, key=lambda segment: (segment.start, segment.end))
        drafts = self._drafts(chain)
        new = sum(made.bytes for kinds in drafts.values() for made in kinds.values())
        protected = {*in_use, *(key for segment in chain for key in (segment.key, segment.parent) if key)}
        self._make_room(new, protected)
        for segment in chain:
            self._enter(conversation, segment, drafts.pop(segment.key, {}).values())
        return new

    def _drafts(self, chain: Sequence[NewSegment]) -> dict[str, dict[str, Draft]]:
        """What has to be written, by key and kind."""
        keys = {key for segment in chain for key in (segment.key, segment.parent) if key}
        stored = {segment.key: segment.records.keys() for segment in self.lookup(list(keys))}
        present = stored.keys() | {segment.key for segment in chain}
        drafts: dict[str, dict[str, Draft]] = {segment.key: {} for segment in chain}
        for segment in chain:
            if segment.parent and segment.parent not in present:
                raise MissingParent("An earlier part of this conversation's cache is no longer stored.")
            missing = (new for new in segment.records if new.kind not in stored.get(segment.key, ()))
            drafts[segment.key] |= {new.kind: draft(segment, new) for new in missing}
        return drafts

    def _enter(self, conversation: str, segment: NewSegment, drafts: Iterable[Draft]) -> None:
        with self._database.transaction() as connection:
            index.add(connection, conversation, segment)
        for made in drafts:
            with classified():
                written = self._files.write(made)
            self._add(written)

    def _add(self, written: StoredRecord) -> None:
        try:
            with self._database.transaction() as connection:
                index.add_record(connection, written)
                index.count(connection, _WRITTEN, _today(), written.bytes)
        except StorageError:
            with suppress(OSError):  # the row's error is the one to tell; the next start sweeps
                self._files.remove(written.segment, written.kind)
            raise

    def _make_room(self, new_bytes: int, protected: Collection[str]) -> None:
        with self._database.transaction() as connection:
            excess = index.held_bytes(connection) + new_bytes - self._quota
            victims = plan(index.entries(connection, protected), excess) if excess > 0 else ()
        if sum(victim.bytes for victim in victims) < excess:
            raise OverBudget("The cache of this conversation does not fit into the space set aside for caches.")
        if victims:
            self._evict(victims)

    def _evict(self, victims: Sequence[Victim]) -> None:
        with self._database.transaction() as connection:
            for victim in victims:
                for kind in victim.kinds:
                    index.remove_record(connection, victim.key, kind)
                if victim.whole:
                    index.remove(connection, victim.key)
        with classified():
            for victim in victims:
                for kind in victim.kinds:
                    self._files.remove(victim.key, kind)

    def drop(self, records: Sequence[StoredRecord]) -> int:
        """Erase `records`, their segments stay; those that are no longer there as they were found are let be.

        Bytes freed.
        """
        with self._database.transaction() as connection:
            erased = [record for record in records if index.remove_exact(connection, record)]
        with classified():
            for record in erased:
                self._files.remove(record.segment, record.kind)
        return sum(record.bytes for record in erased)

    def touch(self, conversation: str, keys: Sequence[str]) -> None:
        """`conversation` uses `keys` now: it holds those that are stored, and they are evicted last."""
        with self._database.transaction() as connection:
            index.use(connection, conversation, keys)

    def forget(self, conversation: str) -> int:
        """Erase what no other conversation holds. Bytes freed."""
        with self._database.transaction() as connection:
            erased = index.release(connection, conversation)
        with classified():
            for key, _ in erased:
                self._files.remove_all(key)
        return sum(size for _, size in erased)

    def verify(self) -> Verified:
        """Read and check every record; damaged ones are put aside as in `read`."""
        with self._database.transaction() as connection:
            records = index.records(connection)
        damaged: Counter[str] = Counter()
        good = 0
        for record in records:
            try:
                self.read(record)
                good += record.bytes
            except DamagedRecord as damage:
                damaged[damage.cause.value] += 1
        return Verified(len(records) - damaged.total(), good, damaged)

    def stats(self) -> Stats:
        """What the store holds, and what it went through."""
        with self._database.transaction() as connection:
            segments, records, conversations = index.sizes(connection)
            causes = index.tallies(connection, _DAMAGED)
            written = index.tallies(connection, _WRITTEN).get(_today(), 0)
            held = index.held_bytes(connection)
        with classified():
            aside = self._files.quarantined()
        return Stats(held, segments, records, conversations, written, aside, causes)


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()
