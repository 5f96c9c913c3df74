"""The leader gathers the shares of all ranks into whole records, as a lone engine would have written them.

After each turn, on a thread of its own: it lets the I/O thread read this rank's share, fetches the others' over the
links, joins them, and lets the I/O thread write the whole and drop the share. It pauses while rows are computed.

Invariants:
- A share is dropped only after the whole record is durable. If the engine ends between the two, the next turn of the
  chat drops the share.
- Nothing of a conversation that was forgotten meanwhile is written.
- A failure is counted, and the shares stay as they are until the chat's next turn, or the next load of the model.
"""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import psutil

from engine.cache.disk import disk_tier
from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.keys import of_part, of_whole
from engine.cache.segment import Segment
from engine.memory.footprint import row_bytes
from engine.ranks.disk_jobs import JobError, result
from engine.ranks.exchange import FetchError, NotThereError
from engine.ranks.part import PartMismatchError, join, sources
from engine.ranks.slices import enter, fits, stored_record, whole_chain
from storage.segments.records import NewRecord, NewSegment, RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from engine.cache.disk.io_thread import IoThread
    from engine.ranks.division import Division
    from engine.ranks.exchange import Exchange
    from storage.segments.records import StoredRecord, Tensor
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

LEADER: Final = 0
PAUSE_SECONDS: Final = 0.1
"""How often a pause looks whether rows are still computed."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stored:
    """A conversation whose `chain` was stored. Its keys are those of this rank's shares; `durable` are the keys of the
    segments with a new state.
    """

    conversation: str
    chain: Sequence[Segment]
    durable: Collection[str]
    division: Division


@dataclass(frozen=True, slots=True)
class _Share:
    """A record that is not whole yet. `own` is this rank's share; None if its part has nothing of this kind."""

    segment: Segment
    kind: str
    own: StoredRecord | None


class Gathering:
    """Gathers for one leader. `idle` tells whether no rows are computed; `in_use` names the segments that no job may
    evict; `failed` gets each failure. The MLX thread calls the methods.
    """

    def __init__(
        self,
        io: IoThread,
        exchange: Exchange,
        idle: Callable[[], bool],
        in_use: Callable[[], Collection[str]],
        failed: Callable[[Failure], object],
    ) -> None:
        self._io = io
        self._exchange = exchange
        self._idle = idle
        self._in_use = in_use
        self._failed = failed
        self._left: queue.SimpleQueue[Stored | Division | None] = queue.SimpleQueue()
        self._hurried = threading.Event()
        self._logged: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="gathering", daemon=True)
        self._thread.start()

    def add(self, stored: Stored) -> None:
        """A turn has been stored."""
        self._left.put(stored)

    def add_all(self, division: Division) -> None:
        """Gather what an engine before this one has left of all chats with this model."""
        self._left.put(division)

    def finish(self, seconds: float) -> None:
        """Gather what is left without pauses, for so many seconds at most."""
        self._hurried.set()
        self._left.put(None)
        self._thread.join(seconds)

    def _run(self) -> None:
        while left := self._left.get():
            try:
                for stored in [left] if isinstance(left, Stored) else self._job(partial(_chats_left, division=left)):
                    self.gather(stored)
            except JobError as error:
                self._failed(error.failure)
            except (FetchError, PartMismatchError) as error:
                self._note(error)

    def _note(self, error: Exception) -> None:
        """Count a failure, and log it if it is new: a share that another rank lacks is missed again at each turn."""
        if str(error) not in self._logged:
            self._logged.add(str(error))
            log.warning("shares are not gathered: %s", error)
        self._failed(Failure("not_gathered", str(error)))

    def gather(self, stored: Stored) -> None:
        """Gather the shares of one chain now. On the gathering thread. Raises JobError, FetchError and
        PartMismatchError.
        """
        self._pause()
        left = self._job(lambda store: _shares(store, stored))
        for share in left:
            try:
                self._gather_record(stored, share)
            except NotThereError as error:
                self._note(error)
        if stored.chain[-1].boundary and any(share.kind == RecordKind.STATE for share in left):
            chain, identity = whole_chain(stored.chain), stored.division.identity
            self._job(lambda store: disk_tier.thin(store, stored.conversation, identity, chain))

    def _gather_record(self, stored: Stored, share: _Share) -> None:
        division = stored.division
        _check_memory(share.segment, division)
        read = self._job(lambda store: _read(store, share))
        if read is None:
            return
        shares = [(division.own, read)]
        for rank in sources(share.kind, division.parts, LEADER):
            contents = self._exchange.fetch(rank, of_whole(share.segment.key), share.kind, self._pause)
            shares.append((division.parts[rank], contents.tensors()))
        whole = join(share.kind, shares)
        if not fits(division.whole, share.kind, share.segment, whole):
            raise PartMismatchError(f"the shares of {share.segment.key} make no {share.kind} record of the whole model")
        self._job(lambda store: _write(store, stored, share, whole, self._in_use()))

    def _pause(self) -> None:
        """Wait until no rows are computed."""
        while not (self._idle() or self._hurried.is_set()):
            self._hurried.wait(PAUSE_SECONDS)

    def _job(self, job: Callable[[SegmentStore], T]) -> T:
        """The result of a job of the I/O thread. Raises JobError."""
        return result(self._io, Priority.WRITE, job)


def _check_memory(segment: Segment, division: Division) -> None:
    """Raises JobError if the shares of a segment and their whole would take more than half of the free memory."""
    free = psutil.virtual_memory().available
    if 2 * row_bytes(division.whole.footprint, segment.end - segment.start) > free // 2:
        raise JobError(Failure("memory", f"{free} bytes of memory are too little to join a record."))


def _chats_left(store: SegmentStore, division: Division) -> list[Stored]:
    """The newest branch of each chat of which this rank has shares. Its boundaries are not known."""
    part = division.own.name
    shares = [one.segment for one in store.records() if one.segment == of_part(of_whole(one.segment), part)]
    chats = store.holders(shares) if shares else ()
    branches = [(chat, store.newest(chat, of_part(division.identity, part))) for chat in chats]
    return [
        Stored(chat, [Segment(s.key, s.parent, s.start, s.end) for s in branch], (branch[-1].key,), division)
        for chat, branch in branches
        if branch
    ]


def _shares(store: SegmentStore, stored: Stored) -> list[_Share]:
    """The records of the chain that are not whole. Drops this rank's shares of the others."""
    own = {one.key: one.records for one in store.lookup([segment.key for segment in stored.chain])}
    wholes = {one.key: one.records for one in store.lookup([of_whole(segment.key) for segment in stored.chain])}
    left: list[_Share] = []
    spare: list[StoredRecord] = []
    for segment, kind in ((segment, kind) for segment in stored.chain for kind in stored.division.whole.forms):
        record = own.get(segment.key, {}).get(kind)
        if kind not in wholes.get(of_whole(segment.key), ()):
            if record or _is_elsewhere(stored, segment, kind):
                left.append(_Share(segment, kind, record))
        elif record:
            spare.append(record)
    store.drop(spare)
    if left and stored.conversation in store.holders([left[0].segment.key]):
        enter(store, stored.conversation, whole_chain(stored.chain), stored.division.identity)
    return left


def _read(store: SegmentStore, share: _Share) -> Mapping[str, Tensor] | None:
    """This rank's share: nothing if its part has none of this kind, None if it was forgotten or evicted meanwhile."""
    if share.own is None:
        return {}
    return store.read(share.own).tensors if _is_kept(store, share) else None


def _is_kept(store: SegmentStore, share: _Share) -> bool:
    return stored_record(store, share.segment.key, share.kind) == share.own


def _is_elsewhere(stored: Stored, segment: Segment, kind: str) -> bool:
    """Whether other ranks alone have a record. Of the earlier states they keep only some."""
    return not stored.division.own.kinds.get(kind) and (kind != RecordKind.STATE or segment.key in stored.durable)


def _write(
    store: SegmentStore, stored: Stored, share: _Share, whole: dict[str, Tensor], in_use: Collection[str]
) -> None:
    """Write a whole record for all conversations that hold the share, then drop the share. If none holds it any more,
    the conversation was forgotten.
    """
    holders = store.holders([share.segment.key])
    if not holders or not _is_kept(store, share):
        return
    [place] = whole_chain([share.segment])
    known = disk_tier.record_meta(share.segment, share.kind) if share.segment.boundary else {}
    first, *others = sorted(holders, key=lambda one: one != stored.conversation)
    record = NewRecord(share.kind, whole, share.own.meta if share.own else known)
    written = NewSegment(place.key, place.parent, stored.division.identity, place.start, place.end, (record,))
    store.commit(first, [written], in_use)
    for other in others:
        store.touch(other, [place.key])
    if share.own:
        store.drop([share.own])
