"""Running requests: whose segments are being worked with now. Owns until when that is so; that nothing of them is
evicted is the store's to see to.

A request runs from the look-up for it until it has ended, each for itself: several may go on from one look-up, and a
conversation may be looked up for nobody while it is being answered. What is looked up ahead and then let go is not
heard of again, so the ones that began longest ago are forgotten when there are too many.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST: Final = 16
"""Requests: twice as many as can be answered at once."""

NO_REQUEST: Final = ""
"""Stands for the request where a conversation is looked up though nobody asked."""


class SegmentsInUse:
    """Changed on the MLX thread; `keys`, which is replaced and never changed, may be read on any."""

    def __init__(self) -> None:
        self._chains: OrderedDict[tuple[str, str], tuple[str, ...]] = OrderedDict()
        self.keys: frozenset[str] = frozenset()

    def begin(self, conversation: str, keys: Iterable[str], requests: Iterable[str] = (NO_REQUEST,)) -> None:
        """From now on `keys` are in use by each of these requests, and nothing else is."""
        chain = tuple(keys)
        for request in requests:
            self._chains.pop((conversation, request), None)
            self._chains[conversation, request] = chain
        while len(self._chains) > MOST:
            self._chains.popitem(last=False)
        self._replace()

    def end(self, conversation: str, request: str = NO_REQUEST) -> None:
        """The request uses nothing any more."""
        if self._chains.pop((conversation, request), None) is not None:
            self._replace()

    def _replace(self) -> None:
        self.keys = frozenset(key for chain in self._chains.values() for key in chain)
