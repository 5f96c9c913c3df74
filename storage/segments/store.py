"""The segment store, cache records on disk: owns the order of file and row, so that neither is without the other.

A file comes before its row and goes after it; what a stop leaves between the two is swept at the next start. Headers
are left to `header`, files to `files`, rows to `index`, room to `budget`, agreement after a stop to `upkeep`. One
thread at a time, one process at a time.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime
from functools import partial
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
from storage.segments.eviction import keep_all
from storage.segments.files import RecordFiles, draft
from storage.segments.header import SCHEMA
from storage.segments.index_file import IndexFile
from storage.segments.lock import locked
from storage.segments.records import KINDS, Stats, StoredSegment, Verified
from storage.segments.recovery import DAMAGED, INDEX, disagreements, reconcile
from storage.segments.schema import STEPS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from storage.segments.eviction import RetentionPolicy
    from storage.segments.files import Draft
    from storage.segments.reading import Reading
    from storage.segments.records import Freed, Holding, NewSegment, Record, StoredRecord

_INDEX: Final = "segments.sqlite"
_LOCK: Final = "lock"
_WRITTEN: Final = "written"


class SegmentStore:
    """The open store. `damage_at_opening` is what was not as it should be then, by cause: it is mended, and counted.

    All methods raise EnvironmentProblem and DamagedDatabase besides what they name.

    After an EnvironmentProblem the store works again when its cause is gone. Only where the index itself is gone for
    good (vanished, again and again) or damaged, the store has to be opened anew.
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
    def open(
        cls,
        root: Path,
        quota_bytes: int = UNBOUNDED,
        disk: Disk | None = None,
        retention: RetentionPolicy = keep_all,
    ) -> Self:
        """Open or make the store below `root`, with rows and files in agreement and at most `quota_bytes` held, unless
        more than that is pinned. Who does not know the quota yet, or what is pinned now, names none, and sets it later.

        Eviction removes the checkpoints that `retention` does not keep before it removes segments.

        A damaged index is dropped together with its records and counted under the cause `index`. Raises NewerVersion;
        EnvironmentProblem (locked) if another process has the store open.
        """
        with classified():
            private_folder(root)
            root.chmod(OWNER_FOLDER)
            lock = locked(root / _LOCK)
        files = RecordFiles(root, disk or Disk())
        try:
            return cls._opened(files, partial(Budget, quota=quota_bytes, retention=retention), lock)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _opened(cls, files: RecordFiles, limit: partial[Budget], lock: IO[bytes]) -> Self:
        try:
            return cls._reconciled(files, limit, lock)
        except DamagedDatabase:
            with classified():
                if is_folder(files.root / _INDEX):
                    discard(files.root / _INDEX)
                remove(files.root / _INDEX)
            return cls._reconciled(files, limit, lock, {INDEX: 1})

    @classmethod
    def _reconciled(
        cls, files: RecordFiles, limit: partial[Budget], lock: IO[bytes], damage: Mapping[str, int] | None = None
    ) -> Self:
        database = IndexFile.open(files.root / _INDEX, STEPS, DERIVED)
        try:
            found = reconcile(database, files, damage or {}).damage
            budget = limit(database, files)
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
        """How much may be held."""
        return self._budget.quota

    def set_quota(self, bytes: int, in_use: Collection[str] = ()) -> None:  # noqa: A002 - the unit is the name
        """From now on at most this much is held; what is too much is evicted at once, except `in_use` and what is
        pinned.
        """
        self._budget.quota = bytes
        self._budget.enforce(in_use)

    def pin(self, conversations: Collection[str]) -> None:
        """Nothing that these conversations hold is ever evicted, after a restart neither; all others are not pinned."""
        with self._database.transaction() as connection:
            index.pin_all(connection, conversations)

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

    def roots(self, identity: str) -> tuple[tuple[int, str], ...]:
        """End and key of the segments that start at token 0 under this model identity, longest first."""
        with self._database.transaction() as connection:
            return tuple(index.roots(connection, identity))

    def holding(self) -> tuple[str, ...]:
        """The conversations that hold anything."""
        with self._database.transaction() as connection:
            return tuple(index.holding(connection))

    def conversations(self) -> tuple[Holding, ...]:
        """What each conversation holds, the last used first."""
        with self._database.transaction() as connection:
            return tuple(index.holdings(connection))

    def reading(self, record: StoredRecord) -> Reading:
        """Open a record, to be read in any thread. Raises DamagedRecord: `refuse` it then, in the store's."""
        with classified():
            return self._files.reading(record)

    def refuse(self, record: StoredRecord, damage: DamagedRecord) -> None:
        """Take a record that turned out to be damaged out of the index, count it by cause, and put its file aside."""
        self._put_aside(record, damage.cause.value)

    def read(self, record: StoredRecord) -> Record:
        """Read and check a record.

        Raises DamagedRecord: the record is then out of the index, counted by cause, and its file put aside.
        """
        try:
            with classified():
                return self._files.read(record)
        except DamagedRecord as damage:
            self.refuse(record, damage)
            raise

    def _put_aside(self, record: StoredRecord, cause: str) -> None:
        """Where the disk does not let it be noted now, the record is found again, and no less damaged."""
        with suppress(EnvironmentProblem), classified():
            with self._database.transaction() as connection:
                if not index.remove_exact(connection, record):
                    return
                index.note_lost(connection, record.segment, record.kind)
                index.count(connection, DAMAGED, cause, 1)
            self._files.put_aside(record.segment, record.kind)

    def commit(self, conversation: str, segments: Sequence[NewSegment], in_use: Collection[str] = ()) -> int:
        """Store what is not there yet and let `conversation` hold it, with all that it builds on. Bytes written.

        All or nothing: every record is complete on disk before the first has its row. To make room others are evicted,
        except what is pinned, `in_use` and what `segments` build on. Raises BadSegment, MissingParent, OverBudget
        before anything is written.
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
        """What has to be written, parents first."""
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
        """Enter rows, all or none; without them the files go as well."""
        try:
            with self._database.transaction() as connection:
                index.add(connection, conversation, chain)
                index.add_records(connection, written, SCHEMA)
                if written:
                    index.count(connection, _WRITTEN, _today(), sum(record.bytes for record in written))
        except StorageError:
            with suppress(OSError):  # the row's error is the one to tell; the next erasure tries again
                self._files.erase((record.segment, record.kind) for record in written)
            raise

    def drop(self, records: Sequence[StoredRecord]) -> int:
        """Erase `records`, their segments stay; those that are no longer there as they were found are let be.

        Bytes freed.
        """
        with self._database.transaction() as connection:
            erased = [record for record in records if index.remove_exact(connection, record)]
        with classified():
            self._files.erase((record.segment, record.kind) for record in erased)
        return sum(record.bytes for record in erased)

    def touch(self, conversation: str, keys: Sequence[str]) -> None:
        """`conversation` uses `keys` now: it holds those that are stored, and they are evicted last."""
        with self._database.transaction() as connection:
            index.use(connection, conversation, keys)

    def forget(self, conversation: str) -> int:
        """Erase what no other conversation holds, what lies in quarantine of it too. Bytes freed."""
        with self._database.transaction() as connection:
            erased = index.release(connection, conversation)
        with classified():
            self._files.erase((key, kind) for key in erased for kind in KINDS)
        return sum(erased.values())

    def gc(self, in_use: Collection[str] = ()) -> Freed:
        """Do again what is done at every start: let rows and files agree, empty the quarantine, enforce the quota."""
        freed = reconcile(self._database, self._files, {}).freed
        return freed + self._budget.enforce(in_use)

    def disagreements(self) -> tuple[str, ...]:
        """Where rows, files and accounted bytes do not agree, in words; nothing if they do."""
        return disagreements(self._database, self._files)

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
            causes = index.tallies(connection, DAMAGED)
            written = index.tallies(connection, _WRITTEN).get(_today(), 0)
            held = index.held_bytes(connection)
        with classified():
            aside = self._files.quarantined()
        return Stats(held, segments, records, conversations, written, aside, causes)


def _named(chain: Sequence[NewSegment]) -> set[str]:
    """The keys of `chain` and of what it directly builds on."""
    return {key for segment in chain for key in (segment.key, segment.parent) if key}


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()
