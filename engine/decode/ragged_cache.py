"""Rows of unequal length in one forward pass. Owns the cache of a growing attention layer that holds them in clusters.

A cluster is a run of rows in one buffer, padded on the left to its longest, inside one of mlx-lm's own caches for a
single row, which does not mind the width of its batch. Nothing is padded across clusters, and a row with a cluster of
its own is never copied. Attention itself is `engine.decode.ragged_attention`'s; which rows share a cluster is
`engine.decode.clustering`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import mlx.core as mx

if TYPE_CHECKING:
    from collections.abc import Sequence


class RowPositions:
    """Where the rows of a group stand: the tokens in their caches, by cluster. One for all layers of the group, which
    share what is made of it for a step: the offsets and the masks. It goes on by one token after each step.
    """

    def __init__(self, clusters: Sequence[Sequence[int]]) -> None:
        self.clusters = [list(cluster) for cluster in clusters]
        self.bounds = list(accumulate(len(cluster) for cluster in self.clusters))[:-1]
        """Where the rows of each cluster but the first begin."""
        self._offset: mx.array | None = None
        self._masks: dict[int, mx.array] = {}

    @property
    def lengths(self) -> list[int]:
        """The tokens of every row, in order."""
        return [length for cluster in self.clusters for length in cluster]

    @property
    def offset(self) -> mx.array:
        """Every row's position of the step, shape (rows,)."""
        if self._offset is None:
            self._offset = mx.array(self.lengths)
        return self._offset

    def mask(self, cluster: int) -> mx.array | None:
        """What a cluster's rows may look at in this step, shape (rows, 1, 1, longest + 1); None: at all of it."""
        lengths = self.clusters[cluster]
        longest = max(lengths)
        if min(lengths) == longest:
            return None
        if cluster not in self._masks:
            padding = mx.array([longest - length for length in lengths])
            self._masks[cluster] = mx.arange(longest + 1) >= padding[:, None, None, None]
        return self._masks[cluster]

    def split(self, array: mx.array) -> Sequence[mx.array]:
        """An array of all rows by cluster."""
        if not self.bounds:
            return [array]
        parts: list[mx.array] = mx.split(array, self.bounds)  # type: ignore[assignment] # never one array
        return parts

    def advance(self) -> None:
        """Every row has one token more."""
        self.clusters = [[length + 1 for length in cluster] for cluster in self.clusters]
        self._offset = None
        self._masks = {}


@dataclass(frozen=True, slots=True)
class RaggedArray:
    """The keys or the values of all rows, in place of one array: `parts` by cluster, each of `caches`."""

    parts: Sequence[Any]
    caches: Sequence[Any]
    positions: RowPositions


class RaggedKVCache:
    """The cache of one growing layer for rows in clusters, with what a model asks of a cache in a step of one token.

    `parts` are mlx-lm's caches for a single row, one a cluster, each as wide as its cluster and as long as its longest
    row. `update_and_fetch` gives Rows, which only `engine.decode.ragged_attention` can use: a model that does something
    else with its keys raises, and cannot run so.
    """

    def __init__(self, parts: list[Any], positions: RowPositions) -> None:
        self.parts = parts
        self.positions = positions

    @property
    def offset(self) -> mx.array:
        """Every row's position of the step, shape (rows,)."""
        return self.positions.offset

    def make_mask(self, tokens: int, return_array: bool = False, window_size: int | None = None) -> None:  # noqa: ARG002, FBT001, FBT002 # mlx-lm's call
        """No mask for all rows: each cluster has its own. Raises ValueError for what a cluster's own cannot express."""
        if tokens != 1 or window_size is not None:
            raise ValueError("rows in clusters take one token a step, and look back without a limit")

    def update_and_fetch(self, keys: mx.array, values: mx.array) -> tuple[RaggedArray, RaggedArray]:
        """Add the step's keys and values, each of shape (rows, heads, 1, size)."""
        split = zip(self.parts, self.positions.split(keys), self.positions.split(values), strict=True)
        return self._rows([part.update_and_fetch(k, v) for part, k, v in split])

    def keys_and_values(self) -> tuple[RaggedArray, RaggedArray]:
        """All keys and values, for a layer that shares those of another."""
        return self._rows([part.keys_and_values() for part in self.parts])

    def _rows(self, held: Sequence[tuple[Any, Any]]) -> tuple[RaggedArray, RaggedArray]:
        keys, values = zip(*held, strict=True)
        return RaggedArray(keys, self.parts, self.positions), RaggedArray(values, self.parts, self.positions)

    def empty(self) -> bool:
        """Whether it holds no token."""
        return any(part.empty() for part in self.parts)

    @property
    def state(self) -> list[Any]:
        """All arrays, to be evaluated."""
        return [part.state for part in self.parts]

    @property
    def nbytes(self) -> int:
        """Bytes of all buffers."""
        return sum(part.nbytes for part in self.parts)
