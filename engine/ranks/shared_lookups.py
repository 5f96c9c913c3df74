"""The cache of a rank, which restores the longest prefix that every rank can restore.

Each rank has its own share of the model's state, in its own memory and on its own disk, and looks a prefix up by
itself. If all find the same length, they restore it. Otherwise all look again, up to what the poorest has, until they
agree; nothing at all is always agreed.

On the MLX thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count

from msgspec import structs

from engine.cache.disk.io_thread import Failure, IoThread
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import NO_REQUEST
from engine.protocol.cache_messages import SetBudget
from engine.protocol.shared import Shared
from engine.ranks.follower import Follower
from engine.ranks.lockstep import Leader
from storage.segments.store import SegmentStore


class RankManager(CacheManager):
    """Looks up with a ticket, and answers when all ranks have found the same length.

    `most` are the bytes that this machine allows on its disk, whatever the leader's budget is. None: any.
    """

    def __init__(self, io: IoThread, hot: HotTier, lockstep: Leader | Follower, most: int | None = None) -> None:
        super().__init__(io, hot, lockstep.put)
        self._most = most
        self._figures = lockstep.figures
        self._tickets = (f"lookup {number}" for number in count())
        self._unsettled: dict[str, LookupRequest] = {}

    def look_up(self, request: LookupRequest, then: Callable[[LookupResult], None]) -> None:
        """Look up here, and pass the result to `then` once every rank has the same length. That is always later.

        A rank that has the end of the prompt in memory looks up to one token more than one that has not.
        """
        self._look_up(request, then, max(0, request.limit))

    def _look_up(self, request: LookupRequest, then: Callable[[LookupResult], None], most: int) -> None:
        ticket = next(self._tickets)
        self._unsettled[ticket] = request

        def found(result: LookupResult) -> None:
            self._post(Shared(ticket, partial(self._settle, ticket, result, then, most)))

        super().look_up(request, found)

    def _settle(self, ticket: str, result: LookupResult, then: Callable[[LookupResult], None], most: int) -> None:
        """Every rank has looked the prefix up. None has more than `most`, else all would look up without end."""
        request, length = self._unsettled.pop(ticket, None), result.plan.length
        if request is None:
            return
        lengths = self._figures("prefix", length, most)
        if len(set(lengths)) == 1:
            then(result)
        else:
            least = min(lengths)
            self._look_up(replace(request, limit=least + 1, prefetch=None), then, least)

    def _limit(self, store: SegmentStore, budget: SetBudget) -> int:
        """Limit the disk to what this machine allows, else to `quota` bytes: a lower limit would also evict what other
        leaders have here.
        """
        return super()._limit(store, budget if self._most is None else structs.replace(budget, quota=self._most))

    def forget(self, conversation: str, then: Callable[[int | Failure], None]) -> None:
        """Erase a conversation. Its speculative lookups get no answer."""
        for ticket, request in list(self._unsettled.items()):
            if request.conversation == conversation and NO_REQUEST in request.requests:
                del self._unsettled[ticket]
        super().forget(conversation, then)

    def clear(self) -> None:
        """Empty the hot tier. No lookup gets an answer any more."""
        self._unsettled.clear()
        super().clear()
