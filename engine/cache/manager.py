"""The cache's front door: look up, restore, commit, forget. Owns the way between the hot tier and the disk.

Called on the MLX thread alone; what must be read or written goes to the I/O thread, and its outcome comes back through
`post`, as a call to make on the MLX thread. Whatever fails here becomes a miss with a cause, never an error in a chat.
Every job that fails is counted by its code, and a report tells the counts.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from engine.cache.codec.codec import without_state
from engine.cache.disk import report as disk_report
from engine.cache.disk import tier
from engine.cache.disk.io_thread import Failure, IoThread, Priority
from engine.cache.disk.pending import PendingStates
from engine.cache.disk.report import Quota
from engine.cache.in_use import NO_REQUEST, SegmentsInUse
from engine.cache.lookup import LookupRequest, LookupResult, chosen_result, loaded_records, miss
from engine.cache.memory.block import Block, HeldRecord, arrays_of
from engine.cache.nan_check import before_first_nan
from engine.cache.planner import MissCause, RestorePlan, plan
from engine.cache.retention import role
from storage.errors import UNFORESEEN
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from engine.cache.codec.codec import Arrays
    from engine.cache.lookup import RecordsByKind
    from engine.cache.memory.hot import HotTier
    from engine.cache.retention import StateRole
    from engine.cache.segment import Segment
    from engine.protocol.messages import StoreReport
    from storage.segments.records import NewSegment
    from storage.segments.store import SegmentStore

log = logging.getLogger(__name__)

NOT_A_NUMBER = Failure("not_a_number", "What the model computed in this turn is not a number, so it is not kept.")
FORGOTTEN = Failure("forgotten", "The chat was forgotten while its cache was looked up.")
UNTYPED = Failure("internal", UNFORESEEN)

_OF_MLX = (MemoryError, RuntimeError, TypeError)
"""What MLX raises if it cannot make arrays of good bytes."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A segment that has just been computed, with its records by kind. `durable`: its state goes to disk too."""

    segment: Segment
    records: Mapping[str, Arrays]
    durable: bool

    @property
    def role(self) -> StateRole:
        """What its state is for."""
        return role(self.segment, durable=self.durable)


class CacheManager:
    """All cached state of the loaded model."""

    def __init__(self, io: IoThread, hot: HotTier, post: Callable[[Callable[[], None]], None]) -> None:
        self._io = io
        self._post = post
        self._pending = PendingStates()
        self._in_use = SegmentsInUse()
        self._asked: dict[LookupRequest, Callable[[tier.Fetched | Failure], None]] = {}
        self._budget: Quota | None = None
        self._trouble: Failure | None = None
        self._refused = 0
        self._failures: Counter[str] = Counter()
        self.hot = hot
        io.at_opening = self._configure

    def look_up(self, request: LookupRequest, then: Callable[[LookupResult], None]) -> None:
        """Find the longest restorable prefix that `request` describes and hand it to `then`.

        What is hot is used at once if it reaches far enough; otherwise the disk is asked as well. If the conversation
        is forgotten meanwhile, the disk has nothing, and where nobody asked there is no answer.
        """
        began = time.perf_counter()
        self._in_use.begin(request.conversation, [segment.key for segment in request.chain], request.requests)
        have = self.hot.records(segment.key for segment in request.chain)
        held = {key: frozenset(kinds) for key, kinds in have.items()}
        warm = plan(request.chain, held, request.needs, request.limit)
        if request.enough and warm.length >= request.enough:
            then(self._warm(request, warm, have, began))
            return
        self._asked[request] = lambda result: then(self._arrived(request, result, warm, have, began))
        self.ask(
            Priority.RESTORE,
            lambda store: tier.fetch(store, request.chain, request.needs, request.limit, held),
            partial(self._answer, request),
        )

    def _answer(self, request: LookupRequest, result: tier.Fetched | Failure) -> None:
        """Tell what came from the disk, if somebody still waits for it."""
        if then := self._asked.pop(request, None):
            then(result)

    def commit(
        self,
        conversation: str,
        identity: str,
        checkpoints: Sequence[Checkpoint],
        chain: Sequence[Segment],
        then: Callable[[int | Failure], None],
    ) -> int:
        """Keep `checkpoints` hot and send them to disk. `chain` is the conversation from its first token on; what lies
        beyond the last checkpoint was not reached.

        `then` gets the bytes written, or the Failure, later. Where the disk has lost earlier segments meanwhile, those
        that are hot are written again. From the first checkpoint on that holds a NaN, none is kept. Returns the token
        up to which what was computed can be kept.
        """
        self._in_use.end(conversation)
        good = before_first_nan([checkpoint.records for checkpoint in checkpoints])
        end = checkpoints[-1].segment.end
        if good < len(checkpoints):
            end = checkpoints[good].segment.start
            self._refused += 1
            checkpoints = [replace(c, durable=c.durable or at == good) for at, c in enumerate(checkpoints[:good], 1)]
            then = partial(_with_failure, then, NOT_A_NUMBER)
        if checkpoints:
            self._commit(conversation, identity, checkpoints, chain, then)
        else:
            self._post(partial(then, 0))
        return end

    def adopt(self, conversation: str, segments: Sequence[Segment], arrays: Arrays) -> None:
        """Let a prefix be hot in the memory in which it was computed: `arrays`, from token 0 on, which nobody uses any
        more.
        """
        if segments and arrays:
            self.hot.adopt(conversation, segments, Block(0, segments[-1].end, arrays))

    def _commit(
        self,
        conversation: str,
        identity: str,
        checkpoints: Sequence[Checkpoint],
        chain: Sequence[Segment],
        then: Callable[[int | Failure], None],
    ) -> None:
        chain = [segment for segment in chain if segment.end <= checkpoints[-1].segment.end]
        for checkpoint in checkpoints:
            self.hot.put(checkpoint.segment, checkpoint.role, checkpoint.records)
        self.hot.claim(conversation, [segment.key for segment in chain])
        tickets: dict[str, int] = {}
        segments = [self._segment_to_write(conversation, identity, c, tickets) for c in checkpoints]
        self._supersede_pending(conversation, checkpoints, chain)

        def saved(result: tier.Saved | Failure) -> None:
            self._pending.discard(conversation, tickets)
            self._trouble = result if isinstance(result, Failure) else None
            if isinstance(result, tier.Saved) and result.lost:
                self._refill(conversation, identity, result.lost)
            then(result.written if isinstance(result, tier.Saved) else result)

        take = partial(self._pending.take, conversation)
        self.ask(
            Priority.WRITE,
            lambda store: tier.save(store, conversation, segments, chain, take, self._in_use.keys),
            saved,
        )

    def _segment_to_write(
        self, conversation: str, identity: str, checkpoint: Checkpoint, tickets: dict[str, int]
    ) -> NewSegment:
        """The segment as it is to be written; a state that is meant to last waits beside it, with a ticket."""
        kept = checkpoint.records if checkpoint.durable else without_state(checkpoint.records)
        whole = tier.new_segment(checkpoint.segment, identity, kept)
        for record in whole.records:
            if record.kind == RecordKind.STATE:
                tickets[whole.key] = self._pending.add(conversation, whole.key, record)
        return replace(whole, records=tuple(record for record in whole.records if record.kind != RecordKind.STATE))

    def _supersede_pending(self, conversation: str, new: Sequence[Checkpoint], chain: Sequence[Segment]) -> None:
        """Where a newer state will be written, most of those before it that still wait are not; but the shared prefix's
        is.
        """
        if any(c.durable and RecordKind.STATE in c.records for c in new):
            keys = {checkpoint.segment.key for checkpoint in new}
            self._pending.supersede(conversation, [s.key for s in chain if s.boundary > 0 and s.key not in keys])

    def _refill(self, conversation: str, identity: str, lost: Sequence[Segment]) -> None:
        """Write hot segments again that the disk no longer has."""
        hot = self.hot.records(segment.key for segment in lost)
        kept = [(s, without_state(hot.get(s.key, {}))) for s in lost]
        segments = [
            tier.new_segment(segment, identity, {kind: arrays_of(held) for kind, held in records.items()})
            for segment, records in kept
        ]
        self._in_background(lambda store: tier.refill(store, conversation, segments, self.in_use))

    def forget(self, conversation: str, then: Callable[[int | Failure], None]) -> None:
        """Erase what no other conversation reaches. `then` gets the bytes freed, or the Failure, later."""
        self._in_use.end(conversation)
        self.hot.forget(conversation)
        for request in [request for request in self._asked if request.conversation == conversation]:
            answer = self._asked.pop(request)
            if NO_REQUEST not in request.requests:
                answer(FORGOTTEN)
        self.ask(Priority.WRITE, lambda store: store.forget(conversation), then)

    def clear(self) -> None:
        """Another model is coming: nothing is hot any more, and nobody waits for the disk."""
        self._asked.clear()
        self.hot.clear()

    def claim(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Note that a conversation consists of `segments`: whoever else is forgotten, they stay for this one."""
        self._in_use.end(conversation)
        if segments:
            self.hot.claim(conversation, [segment.key for segment in segments])
            self._touch(conversation, segments)

    def release(self, conversation: str, request: str) -> None:
        """A request has ended: it uses nothing that is on disk, whether anything of it is going to be kept or not."""
        self._in_use.end(conversation, request)

    def budget(self, quota: int, pinned: Collection[str]) -> None:
        """From now on the disk may hold `quota` bytes, and nothing of `pinned` conversations is evicted; what is too
        much goes at once.
        """
        budget = self._budget = Quota(quota, tuple(pinned))
        self.ask(Priority.WRITE, lambda store: budget.apply(store, self._in_use.keys), lambda _: None)

    def _configure(self, store: SegmentStore) -> None:
        """On the I/O thread: what a store that was opened anew has to know."""
        if self._budget:
            self._budget.apply(store, self._in_use.keys)

    def report(self, then: Callable[[StoreReport], None]) -> None:
        """Tell what the disk holds and what is wrong with it, later."""

        def told(result: disk_report.StoreFigures | Failure) -> None:
            if isinstance(result, Failure):
                self._trouble = result
            elif self._trouble and self._trouble.code in disk_report.OVER_ONCE_OPEN:
                self._trouble = None
            then(disk_report.report(result, self._budget, self._trouble, self._refused, self._failures))

        self.ask(Priority.WRITE, disk_report.figures, told)

    @property
    def in_use(self) -> frozenset[str]:
        """The keys of segments that are being worked with now: whatever a job does, they stay."""
        return self._in_use.keys

    def ask(self, priority: Priority, job: Callable[[SegmentStore], T], then: Callable[[T | Failure], None]) -> None:
        """Run `job` on the store, in its turn; `then` gets what it returns, or the Failure, later."""
        self._io.submit(priority, job, lambda result: self._post(lambda: then(self._counted(result))))

    def _counted(self, result: T | Failure) -> T | Failure:
        """The result of a job. A failure is counted, whatever becomes of it."""
        if isinstance(result, Failure):
            self._failures[result.code] += 1
        return result

    def close(self, seconds: float) -> bool:
        """Wait for pending writes; False if they took longer than `seconds`."""
        return self._io.close(seconds)

    def refuse(self, segments: Sequence[Segment]) -> None:
        """What is held of `segments` cannot be restored: it is let go in memory, and put aside on disk."""
        keys = [segment.key for segment in segments]
        self.hot.drop(keys)
        self._in_background(lambda store: tier.refuse(store, keys))

    def _touch(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Note the use of what was read."""
        keys = [segment.key for segment in segments]
        self._in_background(lambda store: store.touch(conversation, keys))

    def _in_background(self, job: Callable[[SegmentStore], object]) -> None:
        """Run `job` on the store behind the answer's back: it is not worth waiting for, nor failing for."""
        self.ask(Priority.WRITE, job, lambda _: None)

    def _warm(
        self, request: LookupRequest, warm: RestorePlan, have: Mapping[str, RecordsByKind], began: float
    ) -> LookupResult:
        """What memory alone gives."""
        if not warm.length:
            return LookupResult(warm, "none")
        self.hot.touch([segment.key for segment in warm.segments])
        return chosen_result(request, warm, have, "hot", began)

    def _arrived(
        self,
        request: LookupRequest,
        result: tier.Fetched | Failure,
        warm: RestorePlan,
        have: Mapping[str, RecordsByKind],
        began: float,
    ) -> LookupResult:
        """Memory and what the disk gave. If reading failed, that is the cause: nobody knows what is stored."""
        if isinstance(result, Failure):
            cause = MissCause.ABSENT if result is FORGOTTEN else MissCause.UNREADABLE
            return self._warm(request, replace(warm, cause=cause), have, began)
        try:
            read = loaded_records(result)
        except (KeyError, ValueError):
            self.refuse(result.plan.segments)
            return miss(MissCause.DAMAGED)
        except _OF_MLX:
            log.exception("records that were read")
            return self._arrived(request, self._counted(UNTYPED), warm, have, began)
        if not result.plan.length:
            return LookupResult(result.plan, "none")
        whole = {segment.key: dict(have.get(segment.key, {})) for segment in result.plan.segments}
        for (key, kind), held in read.items():
            whole[key][kind] = held
        self._put_hot(request.conversation, result.plan.segments, read)
        self._touch(request.conversation, result.plan.segments)
        return chosen_result(request, result.plan, whole, "disk" if read else "hot", began)

    def _put_hot(
        self, conversation: str, segments: Sequence[Segment], read: Mapping[tier.RecordKey, HeldRecord]
    ) -> None:
        """Keep hot what came from the disk: of states only those that last were there."""
        kinds: dict[str, dict[str, HeldRecord]] = {}
        for (key, kind), held in read.items():
            kinds.setdefault(key, {})[kind] = held
        for segment in segments:
            if new := kinds.get(segment.key):
                self.hot.put(segment, role(segment, durable=RecordKind.STATE in new), new)
        self.hot.claim(conversation, [segment.key for segment in segments])


def _with_failure(then: Callable[[int | Failure], None], failure: Failure, _: int | Failure) -> None:
    """Whatever became of the rest, `failure` is what there is to tell."""
    then(failure)
