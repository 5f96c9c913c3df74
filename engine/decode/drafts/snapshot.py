"""A snapshot of one row's caches, to take back the tokens that were fed since. On the MLX thread; copies nothing.

Growing caches are trimmed. All others bind new arrays when several tokens are fed, and MLX arrays never change, so the
old arrays are simply bound again. Such a cache can only go back to the snapshot itself.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.cache.codec.codec import kinds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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
        self._bound = [(kind.leaf, _copied(vars(kind.leaf))) for kind in found if not kind.is_trimmed]

    def trim(self, tokens: int) -> None:
        """Take back the last `tokens` of the growing caches."""
        for leaf in self._trimmed:
            leaf.trim(tokens)

    def restore(self, fed: int) -> None:
        """Take back all tokens that were fed since: `fed` of them. This can be done any number of times."""
        self.trim(fed)
        for leaf, contents in self._bound:
            vars(leaf).update({name: _own(held) for name, held in _copied(contents).items()})


def _copied(contents: Mapping[str, Any]) -> dict[str, Any]:
    """A leaf's attributes. The leaf replaces the items of its lists, so each list is copied."""
    return {name: list(held) if isinstance(held, list) else held for name, held in contents.items()}


def _own(held: Any) -> Any:
    """An attribute for the leaf alone. A window writes a single token into its array object, so it gets another object
    for the same memory. MLX copies the memory when one of them is written.
    """
    return held[:] if isinstance(held, mx.array) else held
