"""The cache of the loaded model: look up, restore, commit, forget. CacheManager has its threads and invariants."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from engine.cache.codec.cache_classes import Arrays
from engine.cache.codec.codec import without_state
from engine.cache.disk import disk_tier
from engine.cache.disk import report as disk_report
from engine.cache.disk.io_thread import Failure, IoThread, Priority
from engine.cache.lookup import (
    Fetched,
    LookupRequest,
    LookupResult,
    RecordKey,
    RecordsByKind,
    chosen_result,
    fetch,
    miss,
)
from engine.cache.memory.block import Block, HeldRecord, PromptEnd, arrays_of
from engine.cache.memory.hot_tier import HotTier
from engine.cache.nan_check import before_first_nan
from engine.cache.retention import LEFT, StateRole, role
from engine.cache.segment import NO_REQUEST, MissCause, RestorePlan, Segment, SegmentsInUse, plan, stays_in_memory
from engine.protocol.cache_messages import UNFREED, KeepCached, SetBudget, StoreReport
from storage.errors import UNFORESEEN
from storage.segments.records import NewRecord, NewSegment, RecordKind, Stats
from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

NOT_A_NUMBER = Failure("not_a_number", "What the model computed in this turn is not a number, so it is not kept.")
FORGOTTEN = Failure("forgotten", "The chat was forgotten while its cache was looked up.")
UNTYPED = Failure("internal", UNFORESEEN)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A segment that was just computed, with its records by kind. If `durable`, its state goes to disk too."""

    segment: Segment
    records: Mapping[str, Arrays]
    durable: bool

    @property
    def role(self) -> StateRole:
        """The role of its state."""
        return role(self.segment, durable=self.durable)


class CacheManager:
    """All cached state of the loaded model, in memory (the hot tier) and on disk (the segment store).

    Threads: the MLX thread calls every public method. Jobs that read or write the store run on the I/O thread. `post`
    takes their results back to the MLX thread, as calls.

    Invariants:
    - No failure of the cache reaches a chat: it becomes a miss with a cause, and is counted by its code for the report.
    - No job evicts segments of active requests from disk. `in_use` names their keys.
    - Writes of one conversation keep their order. A conversation that was forgotten is never saved afterwards.
    - No record that holds a NaN is kept, in memory or on disk.
    - A chain that stays in memory is neither looked up on disk nor written there, nor is its use recorded there.
    - A lookup is answered at most once. If its conversation is forgotten, a request's lookup finds nothing on disk,
      and a speculative one gets no answer. `clear` drops all lookups.
    """

    def __init__(self, io: IoThread, hot: HotTier, post: Callable[[Callable[[], None]], None]) -> None:
        self._io = io
        self._post = post
        self._writes: list[disk_tier.Write] = []
        self._in_use = SegmentsInUse()
        self._open_lookups: dict[LookupRequest, Callable[[Fetched | Failure], None]] = {}
        self._budget: SetBudget | None = None
        self._trouble: Failure | None = None
        self._refused = 0
        self._failures: Counter[str] = Counter()
        self.hot = hot
        io.at_opening = self._configure

    def has(self, conversation: str) -> bool:
        """Whether memory has some of a conversation, or a lookup is about to bring it."""
        return conversation in self.hot.conversations or any(
            one.conversation == conversation for one in self._open_lookups
        )

    def look_up(self, request: LookupRequest, then: Callable[[LookupResult], None]) -> None:
        """Find the longest restorable prefix for `request` and pass it to `then`.

        If memory alone reaches far enough, or if the chain stays in memory, `then` is called at once. Otherwise the I/O
        thread reads the disk too. If the conversation is forgotten meanwhile, the disk counts as empty, and a lookup
        that no request made is not answered.
        """
        self._in_use.begin(request.conversation, [segment.key for segment in request.chain], request.requests)
        have = self.hot.records(segment.key for segment in request.chain)
        if request.end:
            have[request.end.segment.key] = self.hot.records_of(request.end)
        held = {key: frozenset(kinds) for key, kinds in have.items()}
        warm = plan(request.chain, held, request.needs, request.limit)
        if stays_in_memory(request.chain) or (request.enough and warm.length >= request.enough):
            then(self._from_memory(request, warm, have))
            return
        self._open_lookups[request] = lambda result: then(self._from_memory_and_disk(request, result, warm, have))

        def job(store: SegmentStore) -> Fetched:
            ahead = request.prefetch.result() if request.prefetch else {}  # it was queued before
            read = {} if isinstance(ahead, Failure) else ahead
            return fetch(store, request.chain, request.needs, request.limit, held, read)

        self.ask(Priority.RESTORE, job, partial(self._answer, request))

    def _answer(self, request: LookupRequest, result: Fetched | Failure) -> None:
        """Pass on what the disk returned, unless the lookup was dropped. It is closed once its receiver has returned:
        if that raises, it is called again with a Failure.
        """
        if then := self._open_lookups.get(request):
            then(result)
            self._open_lookups.pop(request, None)

    def commit(
        self,
        conversation: str,
        identity: str,
        checkpoints: Sequence[Checkpoint],
        chain: Sequence[Segment],
        then: Callable[[int | Failure], None],
    ) -> int:
        """Keep `checkpoints` hot and write them to disk. Returns the token up to which the state was kept.

        `chain` is the conversation from token 0; its segments beyond the last checkpoint were not computed. `then` gets
        the bytes written, or the Failure, later. If the disk has lost earlier segments meanwhile, the hot ones are
        written again. The first checkpoint that holds a NaN is dropped, with all after it.
        """
        self._in_use.end(conversation)
        good = before_first_nan([checkpoint.records for checkpoint in checkpoints])
        end = checkpoints[-1].segment.end
        if good < len(checkpoints):
            end = checkpoints[good].segment.start
            self._refused += 1  # the last good checkpoint is the end now, so its state goes to disk
            checkpoints = [replace(c, durable=c.durable or at == good) for at, c in enumerate(checkpoints[:good], 1)]
            then = partial(_with_failure, then, NOT_A_NUMBER)
        chain = [segment for segment in chain if segment.end <= end]
        for checkpoint in checkpoints:
            self.hot.put(checkpoint.segment, checkpoint.role, checkpoint.records)
        if checkpoints:
            self.hot.claim(conversation, chain)
        if not checkpoints or stays_in_memory(chain):
            self._post(partial(then, 0))
        else:
            self._write(disk_tier.Write(conversation, *_to_write(identity, checkpoints)), identity, chain, then)
        return end

    def adopt(
        self, conversation: str, segments: Sequence[Segment], arrays: Arrays, end: PromptEnd | None = None
    ) -> None:
        """Keep a prefix hot in the buffers in which it was computed, with the `end` of its prompt unless that holds a
        NaN.

        `arrays` start at token 0. The caller must not use them any more.
        """
        if end and not before_first_nan([end.everything]):
            end = None
        kept = end.kept_with(segments[-1], arrays) if end and segments else None
        if segments and arrays:
            self.hot.adopt(conversation, segments, Block(0, segments[-1].end, arrays))
        if kept:
            self.hot.keep_prompt_end(conversation, kept)

    def _write(
        self, write: disk_tier.Write, identity: str, chain: Sequence[Segment], then: Callable[[int | Failure], None]
    ) -> None:
        self._supersede(write, chain)
        self._writes.append(write)

        def saved(result: disk_tier.Saved | Failure) -> None:
            self._writes = [other for other in self._writes if other is not write]
            self._trouble = result if isinstance(result, Failure) else None
            if isinstance(result, disk_tier.Saved) and result.lost:
                self._refill(write.conversation, identity, result.lost)
            then(result.written if isinstance(result, disk_tier.Saved) else result)

        self.ask(Priority.WRITE, lambda store: disk_tier.save(store, write, chain, self._in_use.keys), saved)

    def _supersede(self, new: disk_tier.Write, chain: Sequence[Segment]) -> None:
        """If a state will be written, drop most waiting states of the conversation: a slow disk is many turns behind.

        On the chain these stay:
        - the newest, where the next turn starts, and the one before it, where the newest reply can be regenerated
        - the oldest, which is written next: without it a disk that is always behind would never get one
        - that of the shared prefix (boundary 0)

        Of other branches the newest LEFT stay.
        """
        if not new.states:
            return
        staying = {*(s.key for s in new.segments), *(s.key for s in chain if s.boundary == 0)}
        writes = [write for write in self._writes if write.conversation == new.conversation]
        waiting = {key: write for write in writes for key in [*write.states]}
        for key in waiting.keys() & new.states.keys():
            del new.states[key]  # the same state, and earlier
        waiting = {key: write for key, write in waiting.items() if key not in staying}
        here = [s.key for s in chain if s.key in waiting]
        left = [key for key in waiting if key not in here]
        for key in [*here[1:-1], *left[:-LEFT]]:
            waiting[key].states.pop(key, None)

    def _refill(self, conversation: str, identity: str, lost: Sequence[Segment]) -> None:
        """Write hot segments again that the disk has lost, unless the conversation was forgotten meanwhile."""
        hot = self.hot.records(segment.key for segment in lost)
        kept = [(segment, without_state(hot.get(segment.key, {}))) for segment in lost]
        segments = [
            disk_tier.new_segment(segment, identity, {kind: arrays_of(held) for kind, held in records.items()})
            for segment, records in kept
            if records
        ]
        if segments and conversation in self.hot.conversations:
            self._in_background(lost, lambda store: store.commit(conversation, segments, self.in_use))

    def forget(self, conversation: str, then: Callable[[int | Failure], None]) -> None:
        """Erase what no other conversation shares. `then` gets the bytes freed, or the Failure, later."""
        self._in_use.end(conversation)
        self.hot.forget(conversation)
        for request in [request for request in self._open_lookups if request.conversation == conversation]:
            answer = self._open_lookups.pop(request)
            if NO_REQUEST not in request.requests:
                answer(FORGOTTEN)

        def forgotten(result: int | Failure) -> None:
            self._freed(result)
            then(result)

        self.ask(Priority.WRITE, lambda store: store.forget(conversation), forgotten)

    def keep(self, kept: KeepCached) -> None:
        """Erase what is on disk of all other conversations whose names begin with `of`."""
        self.ask(Priority.WRITE, lambda store: store.keep(kept.conversations, kept.of), lambda _: None)

    def clear(self) -> None:
        """Empty the hot tier and drop all lookups, before another model is loaded."""
        self._open_lookups.clear()
        self.hot.clear()

    def claim(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Record that a conversation consists of `segments`. They outlive the other conversations that share them."""
        self._in_use.end(conversation)
        if segments:
            self.hot.claim(conversation, segments)
            self._touch(conversation, segments)

    def release(self, conversation: str, request: str) -> None:
        """Note that a request has ended. Its segments may be evicted from disk."""
        self._in_use.end(conversation, request)

    def budget(self, wanted: SetBudget) -> None:
        """Limit the disk to `quota` bytes and protect the `pinned` conversations from eviction.

        The I/O thread evicts the excess at once.
        """
        self._budget = wanted
        self.ask(Priority.WRITE, lambda store: self._limit(store, wanted), self._freed)

    def _limit(self, store: SegmentStore, budget: SetBudget) -> int:
        """Apply a budget. Returns the bytes freed. On the I/O thread."""
        return store.set_quota(budget.quota, self._in_use.keys, budget.pinned)

    def _configure(self, store: SegmentStore) -> None:
        """Apply the newest budget to a store that was just opened. On the I/O thread."""
        if self._budget:
            self._limit(store, self._budget)

    def _freed(self, result: int | Failure) -> None:
        """Note why caches could not be erased, until some are, or until the next successful write."""
        if not isinstance(result, Failure):
            self._trouble = None if result else self._trouble
        elif result.code in disk_report.REFUSALS:
            self._trouble = replace(result, code=UNFREED)

    def report(self, then: Callable[[StoreReport], None]) -> None:
        """Pass the store's figures and its current trouble to `then`, later."""

        def with_figures(result: tuple[Stats, int] | Failure) -> None:
            if isinstance(result, Failure):
                self._trouble = result
            elif self._trouble and self._trouble.code in disk_report.OVER_ONCE_OPEN:
                self._trouble = None
            quota = self._budget.quota if self._budget else 0
            then(disk_report.report(result, quota, self._trouble, self._refused, self._failures))

        self.ask(Priority.WRITE, disk_report.figures, with_figures)

    @property
    def in_use(self) -> frozenset[str]:
        """The keys of the segments that active requests use. No job may evict them."""
        return self._in_use.keys

    def ask(self, priority: Priority, job: Callable[[SegmentStore], T], then: Callable[[T | Failure], None]) -> None:
        """Queue `job` for the I/O thread. `then` gets its result, or the Failure, on the MLX thread."""
        self._io.submit(priority, job, lambda result: self._post(partial(self._tell, then, result)))

    def read(self, job: Callable[[SegmentStore], T]) -> Future[T | Failure]:
        """Queue `job` for the I/O thread, before waiting writes. Other threads may wait for its result."""
        outcome: Future[T | Failure] = Future()
        self._io.submit(Priority.RESTORE, job, outcome.set_result)
        return outcome

    def _tell(self, then: Callable[[T | Failure], None], result: T | Failure) -> None:
        """Pass an outcome of the disk on. The edge of what follows it: if that raises, it gets a Failure instead."""
        try:
            then(self._counted(result))
        except Exception:
            log.exception("an outcome of the disk")
            then(self._counted(UNTYPED))

    def _counted(self, result: T | Failure) -> T | Failure:
        """Count a failure by its code. Returns the result unchanged."""
        if isinstance(result, Failure):
            self._failures[result.code] += 1
        return result

    def close(self, seconds: float) -> bool:
        """Wait for pending writes. Returns False if they took longer than `seconds`."""
        return self._io.close(seconds)

    def refuse(self, segments: Sequence[Segment]) -> None:
        """Drop the records of `segments` from memory and from disk: they cannot be restored."""
        keys = [segment.key for segment in segments]
        self.hot.drop(keys)
        self._in_background(segments, lambda store: disk_tier.refuse(store, keys))

    def _touch(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Record on disk that the segments were used."""
        self._in_background(
            segments, lambda store: store.index.touch(conversation, [segment.key for segment in segments])
        )

    def _in_background(self, segments: Sequence[Segment], job: Callable[[SegmentStore], object]) -> None:
        """Queue a job about `segments`, unless they stay in memory. No caller waits for its result or failure."""
        if not stays_in_memory(segments):
            self.ask(Priority.WRITE, job, lambda _: None)

    def _from_memory(
        self, request: LookupRequest, warm: RestorePlan, have: Mapping[str, RecordsByKind]
    ) -> LookupResult:
        """The result from memory alone."""
        if not warm.length:
            return LookupResult(warm, "none")
        self.hot.touch([segment.key for segment in warm.segments])
        return chosen_result(request, warm, have, "hot")

    def _from_memory_and_disk(
        self,
        request: LookupRequest,
        result: Fetched | Failure,
        warm: RestorePlan,
        have: Mapping[str, RecordsByKind],
    ) -> LookupResult:
        """The result from memory and disk. If the store could not be read, that is the miss cause.

        The edge of a lookup: a failure in the middle of it is a miss, and is counted.
        """
        try:
            if isinstance(result, Failure):
                cause = MissCause.ABSENT if result is FORGOTTEN else MissCause.UNREADABLE
                return self._from_memory(request, replace(warm, cause=cause), have)
            if not result.plan.length:
                return LookupResult(result.plan, "none")
            whole = {segment.key: dict(have.get(segment.key, {})) for segment in result.plan.segments}
            for (key, kind), held in result.read.items():
                whole[key][kind] = held
            self._put_hot(request.conversation, result.plan.segments, result.read)
            self._touch(request.conversation, result.plan.segments)
            return chosen_result(request, result.plan, whole, "disk" if result.read else "hot")
        except Exception:
            log.exception("looking up")
            self._counted(UNTYPED)
            return miss(MissCause.UNREADABLE)

    def _put_hot(self, conversation: str, segments: Sequence[Segment], read: Mapping[RecordKey, HeldRecord]) -> None:
        """Keep records from disk hot. Only durable states are on disk, so their role is TURN."""
        kinds: dict[str, dict[str, HeldRecord]] = {}
        for (key, kind), held in read.items():
            kinds.setdefault(key, {})[kind] = held
        try:
            for segment in segments:
                if new := kinds.get(segment.key):
                    self.hot.put(segment, role(segment, durable=RecordKind.STATE in new), new)
        finally:
            self.hot.claim(conversation, segments)  # memory that no chat owns would never be freed


def _to_write(identity: str, checkpoints: Sequence[Checkpoint]) -> tuple[list[NewSegment], dict[str, NewRecord]]:
    """The segments without their states, and the durable states by key."""
    segments: list[NewSegment] = []
    states: dict[str, NewRecord] = {}
    for checkpoint in checkpoints:
        kept = checkpoint.records if checkpoint.durable else without_state(checkpoint.records)
        whole = disk_tier.new_segment(checkpoint.segment, identity, kept)
        by_kind = {record.kind: record for record in whole.records}
        if state := by_kind.pop(RecordKind.STATE, None):
            states[whole.key] = state
        segments.append(replace(whole, records=tuple(by_kind.values())))
    return segments, states


def _with_failure(then: Callable[[int | Failure], None], failure: Failure, _: int | Failure) -> None:
    """Report `failure`, whatever the write of the remaining checkpoints returned."""
    then(failure)
