"""A snapshot of one row's caches, to take back the tokens that were fed since. On the MLX thread; copies nothing.

Growing caches are trimmed. All others bind new arrays when several tokens are fed, and MLX arrays never change, so the
old arrays are simply bound again. Such a cache can only go back to the snapshot itself.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, ConcatenateKVCache, KVCache, QuantizedKVCache, RotatingKVCache

from engine.cache.codec.codec import leaves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TRIMMED = (KVCache, QuantizedKVCache)
_BOUND_AGAIN = (ArraysCache, RotatingKVCache, ConcatenateKVCache)
"""ConcatenateKVCache counts as trimmable, but appends behind what was trimmed. A chunked cache drops its oldest tokens
in place, so it is in neither list.
"""


class Reversal(IntEnum):
    """What can be taken back of the tokens that a row's caches were fed since a snapshot: nothing, only all of them at
    once, or any number of the last ones.
    """

    NONE = 0
    ALL = 1
    ANY = 2


def reversal(caches: Sequence[Any]) -> Reversal:
    """What these caches can take back. NONE also if several tokens at once mean another thing to them than one after
    another: a window that keeps its first tokens masks those for all but one.
    """
    found = [leaf for _, leaf in leaves(caches)]
    if all(type(leaf) in _TRIMMED for leaf in found):
        return Reversal.ANY
    bound = all(type(leaf) in _TRIMMED + _BOUND_AGAIN and not getattr(leaf, "keep", 0) for leaf in found)
    return Reversal.ALL if bound else Reversal.NONE


class Snapshot:
    """The caches of a row before several tokens are fed."""

    def __init__(self, caches: Sequence[Any]) -> None:
        found = [leaf for _, leaf in leaves(caches)]
        self._trimmed = [leaf for leaf in found if type(leaf) in _TRIMMED]
        self._bound = [(leaf, _copied(vars(leaf))) for leaf in found if type(leaf) not in _TRIMMED]

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
