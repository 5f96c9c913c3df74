"""The cache of a rank, which restores the longest prefix that every rank can restore.

Each rank has its own share of the model's state, in its own memory and on its own disk, under the same keys. So each
looks a prefix up by itself. If all find the same length, they restore it. Otherwise those that found more look again,
up to what the poorest has, until all agree; nothing at all is always agreed.

If the leader has whole records, it has more than its own share. A rank that finds less than the leader first fetches
what it lacks from there, once. The leader in turn gathers the shares of each turn into whole records.

On the MLX thread, but for fetching, which waits on a thread of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final

from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.in_use import NO_REQUEST
from engine.cache.keys import of_part
from engine.cache.manager import CacheManager
from engine.cache.segment import stays_in_memory
from engine.memory.footprint import row_bytes
from engine.protocol.shared import Shared
from engine.ranks.exchange import Exchange
from engine.ranks.fetching import Fetching
from engine.ranks.gathering import Gathering, Stored
from engine.ranks.inputs import Found
from engine.ranks.slices import Slices, share_to_send, slice_to_send

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.cache.disk.io_thread import IoThread
    from engine.cache.lookup import LookupRequest, LookupResult
    from engine.cache.manager import Checkpoint
    from engine.cache.memory.hot_tier import HotTier
    from engine.cache.segment import Segment
    from engine.ranks.division import Division
    from engine.ranks.exchange import Contents
    from engine.ranks.fetching import Fetched
    from engine.ranks.follower import Follower
    from engine.ranks.inputs import Fetch, FetchRest
    from engine.ranks.lockstep import Leader

GATHERING_SECONDS: Final = 3.0
"""How long an engine that ends gathers what is left."""


@dataclass(slots=True)
class _Lookup:
    """A lookup that is not settled. `lengths` are what the ranks have found, by rank; only the leader collects them,
    and has `offered` the rest to those that found less.
    """

    request: LookupRequest
    then: Callable[[LookupResult], None]
    result: LookupResult | None = None
    lengths: dict[int, int] = field(default_factory=dict)
    offered: bool = False


class _RankManager(CacheManager):
    """Looks up for `then` with a ticket, and keeps the result until the leader has settled it."""

    def __init__(self, io: IoThread, hot: HotTier, lockstep: Leader | Follower) -> None:
        super().__init__(io, hot, lockstep.put)
        self._lockstep = lockstep
        self._exchange = Exchange(lockstep.carry, self._find)
        lockstep.carried = self._exchange.hear
        self._tickets = (f"lookup {number}" for number in count())
        self._unsettled: dict[str, _Lookup] = {}

    def look_up(self, request: LookupRequest, then: Callable[[LookupResult], None]) -> None:
        """As CacheManager, but the answer always comes later."""
        ticket = next(self._tickets)
        self._unsettled[ticket] = _Lookup(request, then)
        self._search(ticket, {})

    def _search(self, ticket: str, fetched: Fetched) -> None:
        """Look up in memory, in this rank's shares, in whole records, and in what was fetched."""
        request, division = self._unsettled[ticket].request, self._lockstep.division
        if division and not stays_in_memory(request.chain):
            slices = Slices(request, division, self._kinds_in_memory(request), fetched)
            self.run_prefetch(slices)
            request = replace(request, prefetch=slices)
        super().look_up(request, partial(self._found, ticket))

    def _kinds_in_memory(self, request: LookupRequest) -> dict[str, frozenset[str]]:
        held = {key: frozenset(kinds) for key, kinds in self.hot.records(s.key for s in request.chain).items()}
        if request.end:
            held[request.end.segment.key] = frozenset(self.hot.records_of(request.end))
        return held

    def _count(self, failure: Failure) -> None:
        """Count a failure of another thread."""

        def count() -> None:
            self._counted(failure)

        self._post(count)

    def _find(self, rank: int, wanted: Fetch, then: Callable[[Contents | None], None]) -> None:
        """Read the share of a record that another rank fetches. Passes it on, on the I/O thread."""
        raise NotImplementedError

    def forget(self, conversation: str, then: Callable[[int | Failure], None]) -> None:
        """As CacheManager."""
        for ticket, lookup in list(self._unsettled.items()):
            if lookup.request.conversation == conversation and NO_REQUEST in lookup.request.requests:
                del self._unsettled[ticket]
        super().forget(conversation, then)

    def clear(self) -> None:
        """As CacheManager."""
        self._unsettled.clear()
        super().clear()

    def _found(self, ticket: str, result: LookupResult) -> None:
        if lookup := self._unsettled.get(ticket):
            lookup.result = result
            self._report(Found(ticket, result.plan.length))

    def _report(self, found: Found) -> None:
        raise NotImplementedError

    def _settle(self, ticket: str) -> None:
        """Every rank has found the same length."""
        if (lookup := self._unsettled.pop(ticket, None)) and lookup.result:
            lookup.then(lookup.result)

    def _look_again(self, ticket: str, limit: int) -> None:
        """Look up again if this rank has found a prefix that ends at `limit` or later."""
        lookup = self._unsettled.get(ticket)
        if lookup and lookup.result and lookup.result.plan.length >= limit:
            lookup.request, lookup.result = replace(lookup.request, limit=limit, prefetch=None), None
            self._search(ticket, {})


class LeaderManager(_RankManager):
    """Rank 0's cache. It settles the lookups of all ranks."""

    def __init__(self, io: IoThread, hot: HotTier, leader: Leader) -> None:
        super().__init__(io, hot, leader)
        self._leader = leader
        self._gathering = Gathering(io, self._exchange, lambda: leader.is_idle, lambda: self.in_use, self._count)
        self._divided: Division | None = None
        leader.found = self._hear
        leader.before_end = partial(self._gathering.finish, GATHERING_SECONDS)

    def commit(
        self,
        conversation: str,
        identity: str,
        checkpoints: Sequence[Checkpoint],
        chain: Sequence[Segment],
        then: Callable[[int | Failure], None],
    ) -> int:
        """As CacheManager. Then the shares of all ranks are gathered, unless they stay in memory, and after the model's
        first stored turn those of its other chats.
        """
        end = super().commit(conversation, identity, checkpoints, chain, then)
        if (division := self._leader.division) and not stays_in_memory(chain):
            durable = [checkpoint.segment.key for checkpoint in checkpoints if checkpoint.durable]
            self._gathering.add(Stored(conversation, chain, durable, division))
            if division is not self._divided:
                self._divided = division
                self._gathering.add_all(division)
        return end

    def _find(self, rank: int, wanted: Fetch, then: Callable[[Contents | None], None]) -> None:
        division = self._leader.division
        part = division.parts.get(rank) if division else None
        if part is None:
            then(None)
            return
        self._io.submit(
            Priority.RESTORE,
            lambda store: slice_to_send(store, wanted.segment, wanted.kind, part),
            partial(_pass_on, then),
        )

    def _report(self, found: Found) -> None:
        self._hear(0, found)

    def _hear(self, rank: int, found: Found) -> None:
        """A rank has looked a prefix up. Once all have, it is settled, or some look again."""
        lookup = self._unsettled.get(found.ticket)
        if lookup is None:
            return
        lookup.lengths[rank] = found.length
        if len(lookup.lengths) <= len(self._leader.followers):
            return
        if not lookup.offered and self._offer(found.ticket, lookup):
            return
        least, most = min(lookup.lengths.values()), max(lookup.lengths.values())
        if least == most:
            self._leader.put(Shared(found.ticket, partial(self._settle, found.ticket)))
            return
        lookup.lengths = {one: length for one, length in lookup.lengths.items() if length == least}
        self._leader.look_again(found.ticket, least + 1)
        self._look_again(found.ticket, least + 1)

    def _offer(self, ticket: str, lookup: _Lookup) -> bool:
        """Let the ranks that found less than this one fetch the rest if that is worth it. Returns whether they do."""
        lookup.offered, own, division = True, lookup.lengths[0], self._leader.division
        least = min(lookup.lengths.values())
        if division is None or stays_in_memory(lookup.request.chain):
            return False
        if not self._is_worth_fetching(own - least, division):
            return False
        poor = [rank for rank, length in lookup.lengths.items() if length < own]
        for rank in poor:
            del lookup.lengths[rank]
        if poor:
            self._leader.fetch_rest(ticket, own)
        return bool(poor)

    def _is_worth_fetching(self, tokens: int, division: Division) -> bool:
        """Whether a rank fetches its share of so many tokens sooner than all prefill them, as far as both are known."""
        size = row_bytes(division.whole.footprint, tokens) // len(division.parts)
        fetch, prefill = self._exchange.seconds(size), self._leader.pace.seconds(tokens)
        return fetch is None or prefill is None or fetch < prefill


class FollowerManager(_RankManager):
    """Another rank's cache. It reports what it found, and waits until the leader has settled it."""

    def __init__(self, io: IoThread, hot: HotTier, follower: Follower) -> None:
        super().__init__(io, hot, follower)
        self._follower = follower
        follower.look_again = lambda told: self._look_again(told.ticket, told.limit)
        follower.fetch_rest = self._fetch_rest

    def _report(self, found: Found) -> None:
        self._follower.put(Shared(found.ticket, partial(self._settle, found.ticket)))
        self._follower.report_found(found)

    def _find(self, rank: int, wanted: Fetch, then: Callable[[Contents | None], None]) -> None:  # noqa: ARG002 - the leader
        if (division := self._follower.division) is None:
            then(None)
            return
        key = of_part(wanted.segment, division.own.name)
        self._io.submit(Priority.WRITE, lambda store: share_to_send(store, key, wanted.kind), partial(_pass_on, then))

    def _fetch_rest(self, told: FetchRest) -> None:
        """Fetch what this rank lacks, and look up again."""
        lookup = self._unsettled.get(told.ticket)
        division = self._follower.division
        if division and lookup and lookup.result and lookup.result.plan.length < told.length:
            found, lookup.result = lookup.result.plan.length, None
            lookup.request = request = replace(lookup.request, prefetch=None)
            hot, then = self._kinds_in_memory(request), partial(self._fetched, told.ticket)
            Fetching(request, division, hot, found, told.length, then, self._count).start(self._io, self._exchange)

    def _fetched(self, ticket: str, fetched: Fetched) -> None:
        """Look up again with what was fetched. On the fetching thread."""
        self._post(lambda: self._search(ticket, fetched) if ticket in self._unsettled else None)


def _pass_on(then: Callable[[Contents | None], None], result: Contents | Failure | None) -> None:
    then(None if isinstance(result, Failure) else result)
