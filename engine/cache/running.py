"""Running conversations: whose segments are being worked with now. Owns until when that is so; that nothing of them is
evicted is the store's to see to.

A conversation runs from the look-up for its answer until that has ended. What is looked up ahead and then let go is not
heard of again, so the ones that began longest ago are forgotten when there are too many.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 16
"""Conversations: twice as many as can be answered at once."""


class Running:
    """Changed on the MLX thread; `keys`, which is replaced and never changed, may be read on any."""

    def __init__(self) -> None:
        self._chains: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self.keys: frozenset[str] = frozenset()

    def begin(self, conversation: str, keys: Iterable[str]) -> None:
        """From now on `keys` are in use by the conversation, and nothing else is."""
        self._chains.pop(conversation, None)
        self._chains[conversation] = tuple(keys)
        if len(self._chains) > MOST:
            self._chains.popitem(last=False)
        self._replace()

    def end(self, conversation: str) -> None:
        """The conversation uses nothing any more."""
        if self._chains.pop(conversation, None) is not None:
            self._replace()

    def _replace(self) -> None:
        self.keys = frozenset(key for chain in self._chains.values() for key in chain)
