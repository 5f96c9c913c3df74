"""A rank fetches from the leader what it lacks of a prefix: its slices of whole records.

On a thread of its own for each prefix. Whatever fails, the rank continues with what it has by then.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.keys import of_whole
from engine.ranks.disk_jobs import JobError, result
from engine.ranks.exchange import FetchError
from engine.ranks.part import PartMismatchError
from engine.ranks.slices import fits, lacking

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from engine.cache.disk.disk_tier import RecordKey
    from engine.cache.disk.io_thread import IoThread
    from engine.cache.lookup import LookupRequest
    from engine.ranks.division import Division
    from engine.ranks.exchange import Exchange
    from storage.segments.records import Tensor

    Fetched = dict[RecordKey, Mapping[str, Tensor]]

log = logging.getLogger(__name__)

_LEADER = 0


@dataclass(frozen=True, slots=True, eq=False)
class Fetching:
    """The first `length` tokens of a request's prefix, of which memory has the kinds `hot`, by key. `then` gets the
    records that were fetched, on the fetching thread; `failed` gets what went wrong.
    """

    request: LookupRequest
    division: Division
    hot: Mapping[str, AbstractSet[str]]
    length: int
    then: Callable[[Fetched], object]
    failed: Callable[[Failure], object]

    def start(self, io: IoThread, exchange: Exchange) -> None:
        """Begin to fetch."""
        threading.Thread(target=self._run, args=(io, exchange), name="fetching", daemon=True).start()

    def _run(self, io: IoThread, exchange: Exchange) -> None:
        fetched: Fetched = {}
        try:
            self._fetch(io, exchange, fetched)
        except JobError as error:
            self.failed(error.failure)
        except (FetchError, PartMismatchError) as error:
            log.warning("a prefix is not fetched: %s", error)
            self.failed(Failure("not_fetched", str(error)))
        self.then(fetched)

    def _fetch(self, io: IoThread, exchange: Exchange, fetched: Fetched) -> None:
        wanted = result(io, Priority.RESTORE, lambda store: lacking(store, self.request, self.hot, self.length))
        for segment, kind in wanted:
            tensors = exchange.fetch(_LEADER, of_whole(segment.key), kind).tensors()
            if not fits(self.division.layout, kind, segment, tensors):
                raise PartMismatchError(f"the {kind} record of {segment.key} is not like this rank's")
            fetched[segment.key, str(kind)] = tensors
