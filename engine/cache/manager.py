"""The cache's front door: look up, restore, commit, forget. Owns the way between the hot tier and the disk.

Called on the MLX thread alone; what must be read or written goes to the I/O thread, and its outcome comes back through
`post`, as a call to make on the MLX thread. Whatever fails here becomes a miss with a cause, never an error in a chat.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import mlx.core as mx

from engine.cache import codec, disk, wire
from engine.cache.codec import Piece
from engine.cache.io_thread import Failure, IoThread, Priority
from engine.cache.planner import MissCause, RestorePlan, plan, records
from engine.cache.retention import role
from engine.cache.waiting import WaitingStates
from engine.errors import CacheMismatch

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from engine.cache.codec import Arrays, Layout
    from engine.cache.hot import HotTier
    from engine.cache.planner import Needs
    from engine.cache.retention import Role
    from engine.cache.segment import Segment
    from engine.protocol import Source
    from storage.segments.records import NewSegment
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

T = TypeVar("T")
Kinds = Mapping[str, "Arrays"]
"""A segment's records by kind."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for: a prefix of `chain` that ends below token `limit`; from `enough` tokens on memory will do."""

    conversation: str
    chain: Sequence[Segment]
    needs: Needs
    limit: int
    enough: int


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a look-up: what to restore, and the records to do it with."""

    plan: RestorePlan
    source: Source
    pieces: tuple[Piece, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A segment that has just been computed, with its records by kind. `durable`: its state goes to disk too."""

    segment: Segment
    records: Mapping[str, Arrays]
    durable: bool

    @property
    def role(self) -> Role:
        """What its state is for."""
        return role(self.segment, durable=self.durable)


class CacheManager:
    """All cached state of the loaded model."""

    def __init__(self, io: IoThread, hot: HotTier, post: Callable[[Callable[[], None]], None]) -> None:
        self._io = io
        self._post = post
        self._waiting = WaitingStates()
        self.hot = hot

    def look_up(self, wish: Wish, then: Callable[[Found], None]) -> None:
        """Find the longest restorable prefix that `wish` describes and hand it to `then`.

        What is hot is used at once if it reaches far enough; otherwise the disk is asked as well.
        """
        began = time.perf_counter()
        have = self.hot.records(segment.key for segment in wish.chain)
        held = {key: kinds.keys() for key, kinds in have.items()}
        warm = plan(wish.chain, held, wish.needs, wish.limit)
        if warm.length >= wish.enough:
            then(self._warm(wish, warm, have, began))
            return
        self._io.submit(
            Priority.RESTORE,
            lambda store: disk.fetch(store, wish.chain, wish.needs, wish.limit, held),
            lambda result: self._post(lambda: then(self._arrived(wish, result, warm, have, began))),
        )

    def commit(
        self,
        conversation: str,
        identity: str,
        checkpoints: Sequence[Checkpoint],
        chain: Sequence[Segment],
        then: Callable[[int | Failure], None],
    ) -> None:
        """Keep `checkpoints` hot and send them to disk. `chain` is the conversation from its first token on; what lies
        beyond the last checkpoint was not reached.

        `then` gets the bytes written, or the Failure, later. Where the disk has lost earlier segments meanwhile, those
        that are hot are written again.
        """
        chain = [segment for segment in chain if segment.end <= checkpoints[-1].segment.end]
        mx.eval([array for c in checkpoints for arrays in c.records.values() for array in arrays.values()])
        for checkpoint in checkpoints:
            self.hot.put(checkpoint.segment, checkpoint.role, checkpoint.records)
        self.hot.own(conversation, [segment.key for segment in chain])
        segments = [self._queued(conversation, identity, c) for c in checkpoints]
        self._supersede(conversation, checkpoints, chain)

        def saved(result: disk.Saved | Failure) -> None:
            self._waiting.supersede(conversation, [segment.key for segment in segments])
            if isinstance(result, disk.Saved) and result.lost:
                self._refill(conversation, identity, result.lost)
            then(result.written if isinstance(result, disk.Saved) else result)

        take = partial(self._waiting.take, conversation)
        self._io.submit(
            Priority.WRITE,
            lambda store: disk.save(store, conversation, segments, chain, take),
            lambda result: self._post(lambda: saved(result)),
        )

    def _queued(self, conversation: str, identity: str, checkpoint: Checkpoint) -> NewSegment:
        """The segment as it is to be written; a state that is meant to last waits beside it."""
        kept = {k: arrays for k, arrays in checkpoint.records.items() if checkpoint.durable or k != "state"}
        whole = disk.new_segment(checkpoint.segment, identity, kept)
        for record in whole.records:
            if record.kind == "state":
                self._waiting.add(conversation, whole.key, record)
        return replace(whole, records=tuple(record for record in whole.records if record.kind != "state"))

    def _supersede(self, conversation: str, new: Sequence[Checkpoint], chain: Sequence[Segment]) -> None:
        """Where a newer state will be written, those before it that still wait are not; but the shared prefix's is."""
        if any(c.durable and "state" in c.records for c in new):
            keys = {checkpoint.segment.key for checkpoint in new}
            self._waiting.supersede(conversation, [s.key for s in chain if s.place > 0 and s.key not in keys])

    def _refill(self, conversation: str, identity: str, lost: Sequence[Segment]) -> None:
        """Write hot segments again that the disk no longer has."""
        hot = self.hot.records(segment.key for segment in lost)
        kept = [(s, {kind: arrays for kind, arrays in hot.get(s.key, {}).items() if kind != "state"}) for s in lost]
        segments = [disk.new_segment(segment, identity, records) for segment, records in kept]
        self._io.submit(Priority.WRITE, lambda store: store.commit(conversation, segments), lambda _: None)

    def forget(self, conversation: str, then: Callable[[int | Failure], None]) -> None:
        """Erase what no other conversation reaches. `then` gets the bytes freed, or the Failure, later."""
        self.hot.forget(conversation)
        self._io.submit(
            Priority.WRITE,
            lambda store: store.forget(conversation),
            lambda result: self._post(lambda: then(result)),
        )

    def hold(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Note that a conversation consists of `segments`: whoever else is forgotten, they stay for this one."""
        if segments:
            self.hot.own(conversation, [segment.key for segment in segments])
            self._touch(conversation, segments)

    def ask(self, priority: Priority, job: Callable[[SegmentStore], T], then: Callable[[T | Failure], None]) -> None:
        """Run `job` on the store, in its turn; `then` gets what it returns, or the Failure, later."""
        self._io.submit(priority, job, lambda result: self._post(lambda: then(result)))

    def close(self, seconds: float) -> bool:
        """Wait for pending writes; False if they took longer than `seconds`."""
        return self._io.close(seconds)

    def _touch(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Note the use of what was read, behind the answer's back: it is not worth waiting for, nor failing for."""
        keys = [segment.key for segment in segments]
        self._io.submit(Priority.WRITE, lambda store: store.touch(conversation, keys), lambda _: None)

    def _warm(self, wish: Wish, warm: RestorePlan, have: Mapping[str, Kinds], began: float) -> Found:
        """What memory alone gives."""
        if not warm.length:
            return Found(warm, "none")
        self.hot.use([segment.key for segment in warm.segments])
        return _found(wish, warm, have, "hot", began)

    def _arrived(
        self,
        wish: Wish,
        result: disk.Fetched | Failure,
        warm: RestorePlan,
        have: Mapping[str, Kinds],
        began: float,
    ) -> Found:
        """Memory and what the disk gave. Without a disk, what is stored is simply not there."""
        if isinstance(result, Failure):
            return self._warm(wish, replace(warm, cause=MissCause.ABSENT), have, began)
        try:
            read = {place: wire.typed(raws) for place, raws in result.read.items()}
        except (KeyError, ValueError):
            return miss(MissCause.DAMAGED)
        if not result.plan.length:
            return Found(result.plan, "none")
        whole = {segment.key: dict(have.get(segment.key, {})) for segment in result.plan.segments}
        for (key, kind), arrays in read.items():
            whole[key][kind] = arrays
        self._take_in(wish.conversation, result.plan.segments, read)
        self._touch(wish.conversation, result.plan.segments)
        return _found(wish, result.plan, whole, "disk" if read else "hot", began)

    def _take_in(self, conversation: str, segments: Sequence[Segment], read: Mapping[disk.Place, Arrays]) -> None:
        """Keep hot what came from the disk: of states only those that last were there."""
        kinds: dict[str, dict[str, Arrays]] = {}
        for (key, kind), arrays in read.items():
            kinds.setdefault(key, {})[kind] = arrays
        for segment in segments:
            if new := kinds.get(segment.key):
                self.hot.put(segment, role(segment, durable="state" in new), new)
        self.hot.own(conversation, [segment.key for segment in segments])


def _found(wish: Wish, chosen: RestorePlan, held: Mapping[str, Kinds], source: Source, began: float) -> Found:
    taken: dict[str, dict[str, Arrays]] = {}
    for segment, kind in records(chosen.segments, wish.needs):
        taken.setdefault(segment.key, {})[kind] = held[segment.key][kind]
    pieces = tuple(Piece(s.start, s.end, taken.get(s.key, {})) for s in chosen.segments)
    return Found(chosen, source, pieces, (time.perf_counter() - began) * 1000)


def restore(layout: Layout, found: Found, fresh: Sequence[Any]) -> int:
    """Fill `fresh` from `found`. Returns the tokens restored: 0 if the records do not fit, and `fresh` is as it was."""
    steps = restoring(layout, found, fresh)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return int(end.value)


def restoring(layout: Layout, found: Found, fresh: Sequence[Any]) -> Generator[None, None, int]:
    """As `restore`, a portion at a time."""
    if not found.plan.length:
        return 0
    try:
        yield from codec.restoring(layout, fresh, found.pieces)
    except CacheMismatch as error:
        log.warning("cached records do not fit: %s", error)
        return 0
    return found.plan.length


def miss(why: MissCause) -> Found:
    """The outcome where nothing is restored."""
    return Found(RestorePlan((), 0, why), "none")
