"""The cache of a rank, which restores the longest prefix that every rank can restore.

Each rank has its own share of the model's state, in its own memory and on its own disk, and looks a prefix up by
itself. If all find the same length, they restore it. Otherwise those that found more look again, up to what the poorest
has, until all agree; nothing at all is always agreed.

On the MLX thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from engine.cache.in_use import NO_REQUEST
from engine.cache.manager import CacheManager
from engine.protocol.shared import Shared
from engine.ranks.inputs import Found

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.disk.io_thread import Failure, IoThread
    from engine.cache.lookup import LookupRequest, LookupResult
    from engine.cache.memory.hot_tier import HotTier
    from engine.ranks.follower import Follower
    from engine.ranks.lockstep import Leader


@dataclass(slots=True)
class _Lookup:
    """A lookup that is not settled. `lengths` are what the ranks have found, by rank; only the leader collects them."""

    request: LookupRequest
    then: Callable[[LookupResult], None]
    result: LookupResult | None = None
    lengths: dict[int, int] = field(default_factory=dict)


class _RankManager(CacheManager):
    """Looks up for `then` with a ticket, and keeps the result until the leader has settled it."""

    def __init__(self, io: IoThread, hot: HotTier, lockstep: Leader | Follower) -> None:
        super().__init__(io, hot, lockstep.put)
        self._tickets = (f"lookup {number}" for number in count())
        self._unsettled: dict[str, _Lookup] = {}

    def look_up(self, request: LookupRequest, then: Callable[[LookupResult], None]) -> None:
        """As CacheManager, but the answer always comes later."""
        ticket = next(self._tickets)
        self._unsettled[ticket] = _Lookup(request, then)
        super().look_up(request, partial(self._found, ticket))

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
            super().look_up(lookup.request, partial(self._found, ticket))


class LeaderManager(_RankManager):
    """Rank 0's cache. It settles the lookups of all ranks."""

    def __init__(self, io: IoThread, hot: HotTier, leader: Leader) -> None:
        super().__init__(io, hot, leader)
        self._leader = leader
        leader.found = self._hear

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
        least, most = min(lookup.lengths.values()), max(lookup.lengths.values())
        if least == most:
            self._leader.put(Shared(found.ticket, partial(self._settle, found.ticket)))
            return
        lookup.lengths = {one: length for one, length in lookup.lengths.items() if length == least}
        self._leader.look_again(found.ticket, least + 1)
        self._look_again(found.ticket, least + 1)


class FollowerManager(_RankManager):
    """Another rank's cache. It reports what it found, and waits until the leader has settled it."""

    def __init__(self, io: IoThread, hot: HotTier, follower: Follower) -> None:
        super().__init__(io, hot, follower)
        self._follower = follower
        follower.look_again = lambda told: self._look_again(told.ticket, told.limit)

    def _report(self, found: Found) -> None:
        self._follower.put(Shared(found.ticket, partial(self._settle, found.ticket)))
        self._follower.report_found(found)
