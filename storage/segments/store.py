"""The segment store: cache records on disk, each a file and a row of the index.

Invariants:

- A record's file is complete before its row is written, and is erased after its row is removed. What a crash leaves
  between the two is removed at the next start.
- Removing rows takes space, so on a full disk the files of evicted and forgotten segments are erased first. If the
  rows still cannot be removed, a record without its file is a counted miss.
- Neither is synced. A power loss may take the last turns, and a record that it tore is a counted miss.
- The records take at most `quota_bytes`, unless more is pinned or in use. Neither is ever evicted.
- Only one process has a store open, and only one thread uses it, except for `reading`: threads that read records open
  and read their files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import IO, Final, Self

from resources.language.text import tr
from storage.database import DERIVED, remove
from storage.errors import (
    DamagedDatabase,
    DamagedRecord,
    EnvironmentProblem,
    OverBudget,
    Problem,
    StorageError,
    classified,
)
from storage.folders import OWNER_FOLDER, locked, own_folder
from storage.segments.files import Disk, Draft, Reading, RecordFiles, discard, draft, is_folder
from storage.segments.index import Index
from storage.segments.records import KINDS, NewSegment, StoredRecord, Verified
from storage.segments.schema import SCHEMA

UNBOUNDED: Final = 1 << 62
"""A quota that no store reaches."""
SLACK_DIVISOR: Final = 100
"""Once the quota is reached, a hundredth of it is freed in addition, so that the next commits find room."""
MOST_SLACK: Final = 1 << 28
"""The most bytes that are freed in addition."""

_INDEX: Final = "segments.sqlite"
_LOCK: Final = "lock"
_INDEX_DAMAGED: Final = "index"
"""The cause of damage for an index that had to be removed."""
_OUT_OF_REACH: Final = "out_of_reach"
_NO_ROW: Final = "no_row"
"""Why a file without a row is erased. It counts as no damage."""


class SegmentStore:
    """An open store; its `index` answers what is stored. `damage_at_opening` counts by cause the damage that opening
    found and repaired.

    All methods raise EnvironmentProblem and DamagedDatabase besides what they name. After an EnvironmentProblem the
    store works again once its cause is gone. The store must be opened anew only if the index is damaged or its file is
    gone for good.
    """

    def __init__(self, index: Index, files: RecordFiles, lock: IO[bytes], quota_bytes: int) -> None:
        self.index = index
        self.quota_bytes = quota_bytes
        self.damage_at_opening: Mapping[str, int] = {}
        self._files = files
        self._pinned: Collection[str] | None = None
        self._unerased: set[str] = set()
        self._lock = lock

    @classmethod
    def open(cls, root: Path, quota_bytes: int = UNBOUNDED, disk: Disk | None = None) -> Self:
        """Open the store below `root`, or create it. Repairs disagreements of rows and files, and evicts down to
        `quota_bytes` unless more is pinned. A caller that does not know the quota or the pins yet sets them later.

        A damaged index is removed with all its records and counted under the cause `index`. Raises NewerVersion, and
        EnvironmentProblem (locked) if another process has the store open.
        """
        with classified():
            own_folder(root)
            root.chmod(OWNER_FOLDER)
            lock = locked(root / _LOCK)
        files = RecordFiles(root, disk or Disk())
        try:
            try:
                return cls._repaired(files, lock, quota_bytes)
            except DamagedDatabase:
                with classified():
                    if is_folder(root / _INDEX):
                        discard(root / _INDEX)
                    remove(root / _INDEX)
                return cls._repaired(files, lock, quota_bytes, _INDEX_DAMAGED)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _repaired(cls, files: RecordFiles, lock: IO[bytes], quota_bytes: int, damage: str = "") -> Self:
        store = cls(Index.open(files.root / _INDEX, SCHEMA, DERIVED), files, lock, quota_bytes)
        try:
            if damage:
                store.index.count_damage(damage)
            found = [cause for cause in store.reconcile().values() if cause != _NO_ROW]
            store.damage_at_opening = Counter([*found, damage] if damage else found)
            store._make_room(0, ())
        except BaseException:
            store.index.close()
            raise
        return store

    def close(self) -> None:
        """Close the store. May be called twice."""
        self.index.close()
        self._lock.close()

    def set_quota(
        self,
        bytes: int,  # noqa: A002 - the unit is the name
        in_use: Collection[str] = (),
        pinned: Collection[str] | None = None,
    ) -> int:
        """Set the quota and, unless None, the `pinned` conversations, and evict the excess at once, except segments
        `in_use` and pinned ones. If the disk does not take the pins, closing the store loses them. Returns the bytes
        freed.
        """
        self.quota_bytes = bytes
        if pinned is not None:
            self._pinned = pinned
        freed = self._make_room(0, in_use)
        if pinned is not None:
            with suppress(EnvironmentProblem):
                self.index.pin(pinned)
        return freed

    def reading(self, record: StoredRecord) -> Reading:
        """Open a record for reading on any thread. Raises DamagedRecord; pass it to `refuse` on the store's thread."""
        with classified():
            return self._files.reading(record)

    def refuse(self, record: StoredRecord, damage: DamagedRecord) -> None:
        """Erase a damaged record and count it by cause.

        If the disk refuses now, the record stays in the index and the next read finds the damage again.
        """
        with suppress(EnvironmentProblem):
            removed = self.index.remove([(record, damage.cause.value)])
            self._erase(self._files.name(one.segment, one.kind) for one in removed)

    def commit(self, conversation: str, segments: Sequence[NewSegment], in_use: Collection[str] = ()) -> int:
        """Store the records that are missing, and let `conversation` hold the segments and all their ancestors. Returns
        the bytes written.

        All or nothing: every record is complete before the first row is written. Makes room by evicting other
        segments, except pinned ones, those `in_use`, and the parents of `segments`. Raises BadSegment and OverBudget
        before anything is written.
        """
        chain = sorted(segments, key=lambda segment: (segment.start, segment.end))
        with suppress(EnvironmentProblem):  # the change that left them has reported it
            self._erase(())
        drafts = self._drafts(chain)
        names = {self._files.name(made.segment.key, made.record.kind) for made in drafts}
        new = sum(made.bytes for made in drafts)
        if new:
            self._make_room(new, {*in_use, *_named(chain)})
        try:
            with classified():
                written = self._files.write(drafts)
            self.index.enter(conversation, chain, written)
        except StorageError:
            with suppress(EnvironmentProblem):
                self._erase(names)
            raise
        self._unerased -= names
        return new

    def _drafts(self, chain: Sequence[NewSegment]) -> list[Draft]:
        """The records to write, parents first."""
        stored = {segment.key: segment.records.keys() for segment in self.index.lookup([one.key for one in chain])}
        drafts: dict[tuple[str, str], Draft] = {}
        for segment in chain:
            missing = (new for new in segment.records if new.kind not in stored.get(segment.key, ()))
            drafts |= {(segment.key, new.kind): draft(segment, new) for new in missing}
        return list(drafts.values())

    def _make_room(self, new_bytes: int, in_use: Collection[str]) -> int:
        """Evict what exceeds the quota, and return the bytes freed. For `new_bytes` more, evict enough and some in
        addition; raises OverBudget, and evicts nothing, if that is impossible.
        """
        slack = min(self.quota_bytes // SLACK_DIVISOR, MOST_SLACK) if new_bytes else 0
        excess, victims = self.index.evictable(new_bytes, self.quota_bytes, in_use, slack, self._pinned)
        freed = sum(victim.bytes for victim in victims)
        if new_bytes and freed < excess:
            raise OverBudget(
                tr("What is kept ready of this chat does not fit into the part of the disk that is set aside for it.")
            )
        if victims:
            names = [self._files.name(victim.key, kind) for victim in victims for kind in victim.kinds]
            self._remove(names, lambda: self.index.cut([victim.key for victim in victims]))
        return freed

    def _remove(self, names: Collection[str], rows: Callable[[], object]) -> None:
        """Remove `rows`, then the files of these `names`; the files first if the disk is too full for the rows."""
        try:
            rows()
        except EnvironmentProblem as refused:
            if refused.problem is not Problem.DISK_FULL:
                raise
            with suppress(OSError):  # tried again below
                self._files.erase(names)
            rows()
        self._erase(names)

    def _erase(self, names: Iterable[str]) -> None:
        """Erase files. If the disk refuses, the next commit tries again."""
        self._unerased.update(names)
        with classified():
            self._files.erase(self._unerased)
        self._unerased.clear()

    def drop(self, records: Sequence[StoredRecord]) -> int:
        """Erase `records` but keep their segments. Skips records that changed after their lookup.

        Returns the bytes freed.
        """
        erased = self.index.remove((record, "") for record in records)
        self._erase(self._files.name(record.segment, record.kind) for record in erased)
        return sum(record.bytes for record in erased)

    def forget(self, conversation: str) -> int:
        """Erase the segments that only this conversation holds. Returns the bytes freed."""
        alone = self.index.held_alone(conversation)
        names = [self._files.name(key, kind) for key in alone for kind in KINDS]
        self._remove(names, lambda: self.index.release(conversation, alone))
        return sum(alone.values())

    def keep(self, conversations: Collection[str], of: str = "") -> None:
        """Forget all other conversations whose names begin with `of`."""
        held = {name for names in self.index.stats().identities.values() for name in names if name.startswith(of)}
        for conversation in sorted(held.difference(conversations)):
            self.forget(conversation)

    def reconcile(self) -> dict[str, str]:
        """Make rows and files agree: remove each record without its file, each file without its row, and each
        unreachable segment. Returns what was wrong by name.
        """
        unreachable = self.index.cut_unreachable()
        rows = {self._files.name(row.segment, row.kind): row for row in self.index.records()}
        with classified():
            lost, strays = self._files.sweep(rows)
        with suppress(EnvironmentProblem):  # what the disk refuses stays: a file without a row, or a row to be missed
            self._remove(
                [*strays, *lost], lambda: self.index.remove((rows[name], cause.value) for name, cause in lost.items())
            )
        found = {name: cause.value for name, cause in lost.items()}
        return found | dict.fromkeys(strays, _NO_ROW) | dict.fromkeys(unreachable, _OUT_OF_REACH)

    def verify(self, after: str = "", most: int = UNBOUNDED) -> Verified:
        """Compare all records with their checksums, and refuse damaged ones.

        Begins behind the record `after`, and ends with the one with which `most` bytes are reached.
        """
        records = {f"{record.segment}.{record.kind}": record for record in self.index.records()}
        names = sorted(name for name in records if name > after)
        reached = list(accumulate(records[name].bytes for name in names))
        part = names[: bisect_left(reached, most) + 1]
        good: list[StoredRecord] = []
        damaged: list[tuple[StoredRecord, str]] = []
        for record in (records[name] for name in part):
            try:
                with classified():
                    self._files.check(record)
                good.append(record)
            except DamagedRecord as damage:
                self.refuse(record, damage)
                damaged.append((record, damage.cause.value))
        total = sum(record.bytes for record in records.values())
        return Verified(good, damaged, total, part[-1] if len(part) < len(names) else "")


def _named(chain: Sequence[NewSegment]) -> set[str]:
    """The keys of `chain` and of its parents."""
    return {key for segment in chain for key in (segment.key, segment.parent) if key}
