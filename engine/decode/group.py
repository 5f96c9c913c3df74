"""A group: rows that share a forward pass. A snapshot of the caches of a group of one row, to take back the tokens that
were fed since, copies nothing. On the MLX thread.

Growing caches are trimmed. All others bind new arrays when several tokens are fed, and MLX arrays never change, so the
old arrays are simply bound again. Such a cache can only go back to the snapshot itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from mlx_lm.models.cache import BatchKVCache

from engine.cache.codec.codec import kinds, leaves

if TYPE_CHECKING:
    from collections.abc import Hashable
    from collections.abc import Sequence as Many

    import mlx.core as mx

    from engine.decode.ragged_attention import RowPositions
    from engine.schedule.sequence import Sequence


class Reversal(IntEnum):
    """What can be taken back of the tokens that a row's caches were fed since a snapshot: nothing, only all of them at
    once, or any number of the last ones.
    """

    NONE = 0
    ALL = 1
    ANY = 2


def reversal(caches: Many[Any]) -> Reversal:
    """What these caches can take back."""
    found = [kind for _, kind in kinds(caches)]
    if all(kind.is_trimmed for kind in found):
        return Reversal.ANY
    return Reversal.ALL if all(kind.is_bound_again for kind in found) else Reversal.NONE


@dataclass(eq=False)
class Group:
    """Rows that share a forward pass. `caches` belong to one row or to several.

    `pending`, shape (rows,), are the tokens that were drawn but not fed yet. A newcomer can join if its caches have
    the form `batch_form`; None: no row can join. `reversal`: what the rows' own caches can take back, on every machine
    that has layers of the model. `padded` are the growing caches that mlx-lm pads. A step updates their offsets, which
    a model may never use: evaluate them, or their graph grows without end.
    """

    rows: list[Sequence]
    caches: list[Any]
    pending: mx.array
    positions: RowPositions
    batch_form: Hashable | None
    reversal: Reversal
    padded: list[BatchKVCache] = field(init=False)

    def __post_init__(self) -> None:
        self.padded = [leaf for _, leaf in leaves(self.caches) if isinstance(leaf, BatchKVCache)]


class Snapshot:
    """The caches of a row before several tokens are fed."""

    def __init__(self, caches: Many[Any]) -> None:
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
