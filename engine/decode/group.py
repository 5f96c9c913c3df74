"""A group: rows that share a forward pass. On the MLX thread."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mlx_lm.models.cache import BatchKVCache

from engine.cache.codec.codec import leaves
from engine.decode.ragged_attention import RowPositions
from engine.schedule.sequence import Sequence

if TYPE_CHECKING:
    import mlx.core as mx


@dataclass(eq=False)
class Group:
    """Rows that share a forward pass. `caches` belong to one row or to several.

    `pending`, shape (rows,), are the tokens that were drawn but not fed yet. A newcomer can join if its caches have
    the form `batch_form`; None: no row can join. `padded` are the growing caches that mlx-lm pads. A step updates their
    offsets, which a model may never use: evaluate them, or their graph grows without end.
    """

    rows: list[Sequence]
    caches: list[Any]
    pending: mx.array
    positions: RowPositions
    batch_form: Hashable | None
    padded: list[BatchKVCache] = field(init=False)

    def __post_init__(self) -> None:
        self.padded = [leaf for _, leaf in leaves(self.caches) if isinstance(leaf, BatchKVCache)]
