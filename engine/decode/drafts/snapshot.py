"""A snapshot of one row's caches, to take back the tokens that were fed since. On the MLX thread; copies nothing.

Growing caches are trimmed. All others bind new arrays when several tokens are fed, and MLX arrays never change, so the
old arrays are simply bound again. Such a cache can only go back to the snapshot itself.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from engine.cache.codec.codec import kinds

if TYPE_CHECKING:
    from collections.abc import Sequence


class Reversal(IntEnum):
    """What can be taken back of the tokens that a row's caches were fed since a snapshot: nothing, only all of them at
    once, or any number of the last ones.
    """

    NONE = 0
    ALL = 1
    ANY = 2


def reversal(caches: Sequence[Any]) -> Reversal:
    """What these caches can take back."""
    found = [kind for _, kind in kinds(caches)]
    if all(kind.is_trimmed for kind in found):
        return Reversal.ANY
    return Reversal.ALL if all(kind.is_bound_again for kind in found) else Reversal.NONE


class Snapshot:
    """The caches of a row before several tokens are fed."""

    def __init__(self, caches: Sequence[Any]) -> None:
        found = [kind for _, kind in kinds(caches)]
        self._trimmed = [kind.leaf for kind in found if kind.is_trimmed]
        self._bound = [(kind.leaf, _attributes(kind.leaf)) for kind in found if not kind.is_trimmed]

    def trim(self, tokens: int) -> None:
        """Take back the last `tokens` of the growing caches."""
        for leaf in self._trimmed:
            leaf.trim(tokens)

    def restore(self, fed: int) -> None:
        """Take back all tokens that were fed since, `fed` of them, in passes of several. Restore a snapshot only once:
        a window writes single tokens into the arrays that it gets back.
        """
        self.trim(fed)
        for leaf, contents in self._bound:
            vars(leaf).update(contents)


def _attributes(leaf: Any) -> dict[str, Any]:
    """A leaf's attributes. The leaf replaces the items of its lists, so each list is copied."""
    return {name: list(held) if isinstance(held, list) else held for name, held in vars(leaf).items()}
