"""The cache's front door: look up, restore, commit, forget. Owns the way between the hot tier and the disk.

Called on the MLX thread alone; what must be read or written goes to the I/O thread, and its outcome comes back through
`post`, as a call to make on the MLX thread. Whatever fails here becomes a miss with a cause, never an error in a chat.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.cache import codec, wire
from engine.cache.codec import Piece
from engine.cache.io_thread import Failure, IoThread, Priority
from engine.cache.planner import MissCause, RestorePlan, plan, records
from engine.errors import CacheMismatch
from storage.errors import DamagedRecord, MissingParent
from storage.segments.records import NewRecord, NewSegment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.cache.codec import Arrays, Layout
    from engine.cache.hot import HotTier
    from engine.cache.planner import Needs
    from engine.cache.segment import Segment
    from engine.protocol import Source
    from storage.segments.records import StoredRecord, StoredSegment
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

KINDS = ("kv", "window", "state")
Place = tuple[str, str]
"""A record's place: segment key and kind."""


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


@dataclass(frozen=True, slots=True)
class _Fetched:
    plan: RestorePlan
    read: Mapping[Place, dict[str, wire.RawArray]]


@dataclass(frozen=True, slots=True)
class _Saved:
    written: int
    lost: tuple[Segment, ...]


class CacheManager:
    """All cached state of the loaded model."""

    def __init__(self, io: IoThread, hot: HotTier, post: Callable[[Callable[[], None]], None]) -> None:
        self._io = io
        self._post = post
        self.hot = hot

    def look_up(self, wish: Wish, then: Callable[[Found], None]) -> None:
        """Find the longest restorable prefix that `wish` describes and hand it to `then`.

        What is hot is used at once if it reaches far enough; otherwise the disk is asked as well.
        """
        began = time.perf_counter()
        held = self.hot.held(segment.key for segment in wish.chain)
        warm = plan(wish.chain, held, wish.needs, wish.limit)
        far_enough = warm.length >= wish.enough
        have = self._records(warm.segments if far_enough else wish.chain)
        if far_enough:
            then(_found(wish, warm, have, (), began) if warm.length else Found(warm, "none"))
            return
        self._io.submit(
            Priority.RESTORE,
            lambda store: _fetch(store, wish, held),
            lambda result: self._post(lambda: then(self._arrived(wish, result, have, began))),
        )

    def commit(
        self,
        conversation: str,
        identity: str,
        checkpoints: Sequence[Checkpoint],
        chain: Sequence[Segment],
        then: Callable[[int | Failure], None],
    ) -> None:
        """Keep `checkpoints` hot and send them to disk. `chain` is the conversation from its first token on.

        `then` gets the bytes written, or the Failure, later. Where the disk has lost earlier segments meanwhile, those
        that are hot are written again.
        """
        mx.eval([array for c in checkpoints for arrays in c.records.values() for array in arrays.values()])
        for checkpoint in checkpoints:
            self._keep(checkpoint)
        self.hot.own(conversation, [segment.key for segment in chain])
        segments = [_new_segment(checkpoint, identity) for checkpoint in checkpoints]

        def saved(result: _Saved | Failure) -> None:
            if isinstance(result, _Saved) and result.lost:
                self._refill(conversation, identity, result.lost)
            then(result.written if isinstance(result, _Saved) else result)

        self._io.submit(
            Priority.WRITE,
            lambda store: _save(store, conversation, identity, segments, chain),
            lambda result: self._post(lambda: saved(result)),
        )

    def _refill(self, conversation: str, identity: str, lost: Sequence[Segment]) -> None:
        """Write hot segments again that the disk no longer has."""
        hot = self._records(lost)
        kept = [
            Checkpoint(s, {kind: hot[s.key, kind] for kind in KINDS if (s.key, kind) in hot}, durable=False)
            for s in lost
        ]
        segments = [_new_segment(checkpoint, identity) for checkpoint in kept]
        self._io.submit(Priority.WRITE, lambda store: store.commit(conversation, segments), lambda _: None)

    def forget(self, conversation: str, then: Callable[[int | Failure], None]) -> None:
        """Erase what no other conversation reaches. `then` gets the bytes freed, or the Failure, later."""
        self.hot.forget(conversation)
        self._io.submit(
            Priority.WRITE,
            lambda store: store.forget(conversation),
            lambda result: self._post(lambda: then(result)),
        )

    def close(self, seconds: float) -> bool:
        """Wait for pending writes; False if they took longer than `seconds`."""
        return self._io.close(seconds)

    def _touch(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Note the use of what was read, behind the answer's back: it is not worth waiting for, nor failing for."""
        keys = [segment.key for segment in segments]
        self._io.submit(Priority.WRITE, lambda store: store.touch(conversation, keys), lambda _: None)

    def _keep(self, checkpoint: Checkpoint) -> None:
        for kind, arrays in checkpoint.records.items():
            self.hot.put(checkpoint.segment.key, kind, arrays)

    def _records(self, segments: Sequence[Segment]) -> dict[Place, Arrays]:
        places = [(segment.key, kind) for segment in segments for kind in KINDS]
        found = {place: self.hot.get(*place) for place in places}
        return {place: arrays for place, arrays in found.items() if arrays is not None}

    def _arrived(self, wish: Wish, result: _Fetched | Failure, have: dict[Place, Arrays], began: float) -> Found:
        if isinstance(result, Failure):
            return miss(MissCause.DAMAGED)
        try:
            read = {place: wire.typed(raws) for place, raws in result.read.items()}
        except (KeyError, ValueError):
            return miss(MissCause.DAMAGED)
        mx.eval([array for arrays in read.values() for array in arrays.values()])
        for (key, kind), arrays in read.items():
            self.hot.put(key, kind, arrays)
        if not result.plan.length:
            return Found(result.plan, "none")
        self._touch(wish.conversation, result.plan.segments)
        return _found(wish, result.plan, have | read, tuple(read), began)


def _found(wish: Wish, chosen: RestorePlan, held: Mapping[Place, Arrays], read: Sequence[Place], began: float) -> Found:
    taken: dict[str, dict[str, Arrays]] = {}
    for segment, kind in records(chosen.segments, wish.needs):
        taken.setdefault(segment.key, {})[kind] = held[segment.key, kind]
    pieces = tuple(Piece(s.start, s.end, taken.get(s.key, {})) for s in chosen.segments)
    return Found(chosen, "disk" if read else "hot", pieces, (time.perf_counter() - began) * 1000)


def _save(
    store: SegmentStore,
    conversation: str,
    identity: str,
    segments: Sequence[NewSegment],
    chain: Sequence[Segment],
) -> _Saved:
    """On the I/O thread. Where an earlier segment was evicted, its place in the chain is kept without records."""
    try:
        return _Saved(store.commit(conversation, segments), ())
    except MissingParent:
        new = {segment.key for segment in segments}
        places = [NewSegment(s.key, s.parent, identity, s.start, s.end, ()) for s in chain if s.key not in new]
        written = store.commit(conversation, [*places, *segments])
        held = {segment.key: segment.records for segment in store.lookup([s.key for s in chain])}
        return _Saved(written, tuple(s for s in chain if not held.get(s.key)))


def _fetch(store: SegmentStore, wish: Wish, hot: Mapping[str, frozenset[str]]) -> _Fetched:
    """On the I/O thread: plan over what is hot or stored, and read what is not hot. A damaged record is one less."""
    stored = {segment.key: segment for segment in store.lookup([segment.key for segment in wish.chain])}
    held = {s.key: set(hot.get(s.key, ())) | _kinds(stored.get(s.key)) for s in wish.chain}
    damaged = False
    while True:
        chosen = plan(wish.chain, held, wish.needs, wish.limit)
        places = [(segment.key, kind) for segment, kind in records(chosen.segments, wish.needs)]
        wanted = [place for place in places if place[1] not in hot.get(place[0], ())]
        read = {place: _read(store, stored[place[0]].records[place[1]]) for place in wanted}
        bad = [place for place, raws in read.items() if raws is None]
        if not bad:
            whole = {place: raws for place, raws in read.items() if raws is not None}
            return _Fetched(_with_cause(chosen, damaged=damaged), whole)
        damaged = True
        for key, kind in bad:
            held[key].discard(kind)


def _with_cause(chosen: RestorePlan, *, damaged: bool) -> RestorePlan:
    return RestorePlan(chosen.segments, chosen.length, MissCause.DAMAGED if damaged else chosen.cause)


def _kinds(stored: StoredSegment | None) -> set[str]:
    return set(stored.records) if stored else set()


def _read(store: SegmentStore, record: StoredRecord) -> dict[str, wire.RawArray] | None:
    """A record's arrays; None if it turned out to be damaged (and has been put aside by the store)."""
    try:
        return wire.up(store.read(record).tensors)
    except DamagedRecord as error:
        log.warning("%s record of %s: %s", record.kind, record.segment, error)
        return None


def _new_segment(checkpoint: Checkpoint, identity: str) -> NewSegment:
    segment = checkpoint.segment
    kept = {kind: arrays for kind, arrays in checkpoint.records.items() if checkpoint.durable or kind != "state"}
    new = tuple(NewRecord(kind, wire.down(arrays), {}) for kind, arrays in kept.items())
    return NewSegment(segment.key, segment.parent, identity, segment.start, segment.end, new)


def restore(layout: Layout, found: Found, fresh: Sequence[Any]) -> int:
    """Fill `fresh` from `found`. Returns the tokens restored: 0 if the records do not fit; `fresh` is spoilt then."""
    if not found.plan.length:
        return 0
    try:
        codec.restore(layout, fresh, found.pieces)
    except CacheMismatch as error:
        log.warning("cached records do not fit: %s", error)
        return 0
    mx.eval([leaf.state for _, leaf in codec.leaves(fresh) if not leaf.empty()])
    return found.plan.length


def miss(why: MissCause) -> Found:
    """The outcome where nothing is restored."""
    return Found(RestorePlan((), 0, why), "none")
