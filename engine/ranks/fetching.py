"""A rank fetches from the leader what it lacks of a prefix: its slices of whole records.

On a thread of its own for each prefix. Whatever fails, the rank continues with what it has by then.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.keys import of_whole
from engine.ranks.disk_jobs import JobError, result
from engine.ranks.exchange import FetchError, NotThereError
from engine.ranks.part import PartMismatchError
from engine.ranks.slices import fits, lacking
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from engine.cache.disk.io_thread import IoThread
    from engine.cache.disk.reader import RecordKey
    from engine.cache.lookup import LookupRequest
    from engine.cache.segment import Segment
    from engine.ranks.division import Division
    from engine.ranks.exchange import Exchange
    from storage.segments.records import Tensor

    Place = tuple[Segment, RecordKind]
    Fetched = dict[RecordKey, Mapping[str, Tensor]]

log = logging.getLogger(__name__)

_LEADER = 0


@dataclass(frozen=True, slots=True, eq=False)
class Fetching:
    """The tokens from `found` to `length` of a request's prefix, of which memory has the kinds `hot`, by key. `then`
    gets the records that were fetched, on the fetching thread; `failed` gets what went wrong.
    """

    request: LookupRequest
    division: Division
    hot: Mapping[str, AbstractSet[str]]
    found: int
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
        finally:
            self.then(fetched)

    def _fetch(self, io: IoThread, exchange: Exchange, fetched: Fetched) -> None:
        """Fetch the longest prefix of which the leader has whatever this rank lacks."""
        length = self.length
        while length > self.found:
            wanted = result(io, Priority.RESTORE, partial(lacking, request=self.request, hot=self.hot, length=length))
            missing = self._first_missing(exchange, wanted, fetched)
            if missing is None:
                return
            segment, kind = missing
            ends = [s.end for s in self.request.chain if s.end < length]
            length = segment.start if kind == RecordKind.KV else max(ends, default=0)

    def _first_missing(self, exchange: Exchange, wanted: Sequence[Place], fetched: Fetched) -> Place | None:
        """Fetch the `wanted` records until the leader lacks one. States first: they are the rarest."""
        for segment, kind in sorted(wanted, key=lambda place: place[1] == RecordKind.KV):
            if (segment.key, str(kind)) in fetched:
                continue
            try:
                tensors = exchange.fetch(_LEADER, of_whole(segment.key), kind).tensors()
            except NotThereError:
                return segment, kind
            if not fits(self.division.layout, kind, segment, tensors):
                raise PartMismatchError(f"the {kind} record of {segment.key} is not like this rank's")
            fetched[segment.key, str(kind)] = tensors
        return None
