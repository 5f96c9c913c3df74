"""Tracks which segments active requests use, so that the store does not evict them.

A request is active from its lookup to its end. Several requests may share one lookup, and a conversation may be looked
up speculatively (without a request) while one of its answers is being generated. A speculative lookup may never be
ended, so the oldest entries are dropped beyond MOST.

The MLX thread makes all changes. `keys` is replaced as a whole, so any thread may read it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST: Final = 16
"""Active requests to track: twice as many as can be answered at once."""

NO_REQUEST: Final = ""
"""Stands for the request of a speculative lookup."""


class SegmentsInUse:
    """The segments in use, by conversation and request."""

    def __init__(self) -> None:
        self._chains: OrderedDict[tuple[str, str], tuple[str, ...]] = OrderedDict()
        self.keys: frozenset[str] = frozenset()

    def begin(self, conversation: str, keys: Iterable[str], requests: Iterable[str] = (NO_REQUEST,)) -> None:
        """Record that each of `requests` uses exactly `keys` from now on."""
        chain = tuple(keys)
        for request in requests:
            self._chains.pop((conversation, request), None)
            self._chains[conversation, request] = chain
        while len(self._chains) > MOST:
            self._chains.popitem(last=False)
        self._replace()

    def end(self, conversation: str, request: str = NO_REQUEST) -> None:
        """Record that the request uses nothing any more."""
        if self._chains.pop((conversation, request), None) is not None:
            self._replace()

    def _replace(self) -> None:
        self.keys = frozenset(key for chain in self._chains.values() for key in chain)
