"""A rank of a group whose other ranks do not exist: enough to split a model, and not to run it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import mlx.core as mx


@dataclass(frozen=True)
class _LoneRank:
    number: int
    ranks: int

    def rank(self) -> int:
        """As an mx.distributed.Group."""
        return self.number

    def size(self) -> int:
        """As an mx.distributed.Group."""
        return self.ranks


def lone_rank(number: int, ranks: int) -> mx.distributed.Group:
    """The rank `number` of so many."""
    return cast("mx.distributed.Group", _LoneRank(number, ranks))
