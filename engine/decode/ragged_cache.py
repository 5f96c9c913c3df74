"""A growing attention layer's cache for rows of unequal length in one forward pass (a ragged batch).

The rows lie in clusters. A cluster is a run of rows in one buffer, padded on the left to its longest row, inside one of
mlx-lm's caches for a single row, which accepts any batch width. Nothing is padded across clusters, and a row with a
cluster of its own is never copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import mlx.core as mx

if TYPE_CHECKING:
    from collections.abc import Sequence


class RowPositions:
    """The tokens in the caches of a group's rows, by cluster.

    All layers of the group share it, with the offsets and masks that a step needs. It advances by one token after each
    step.
    """

    def __init__(self, clusters: Sequence[Sequence[int]]) -> None:
        self.clusters = [list(cluster) for cluster in clusters]
        self.bounds = list(accumulate(len(cluster) for cluster in self.clusters))[:-1]
        """The first row of each cluster but the first."""
        self._offset: mx.array | None = None
        self._masks: dict[int, mx.array] = {}

    @property
    def lengths(self) -> list[int]:
        """The tokens of every row, in order."""
        return [length for cluster in self.clusters for length in cluster]

    @property
    def offset(self) -> mx.array:
        """Every row's position in this step, shape (rows,)."""
        if self._offset is None:
            self._offset = mx.array(self.lengths)
        return self._offset

    def mask(self, cluster: int) -> mx.array | None:
        """The attention mask of a cluster's rows in this step, shape (rows, 1, 1, longest + 1); None: no mask."""
        lengths = self.clusters[cluster]
        longest = max(lengths)
        if min(lengths) == longest:
            return None
        if cluster not in self._masks:
            padding = mx.array([longest - length for length in lengths])
            self._masks[cluster] = mx.arange(longest + 1) >= padding[:, None, None, None]
        return self._masks[cluster]

    def split(self, array: mx.array) -> Sequence[mx.array]:
        """An array of all rows, by cluster."""
        if not self.bounds:
            return [array]
        parts: list[mx.array] = mx.split(array, self.bounds)  # type: ignore[assignment] # never one array
        return parts

    def advance(self) -> None:
        """Count one more token for every row."""
        self.clusters = [[length + 1 for length in cluster] for cluster in self.clusters]
        self._offset = None
        self._masks = {}


@dataclass(frozen=True, slots=True)
class RaggedArray:
    """The keys or the values of all rows: `parts` by cluster, each from one of `caches`."""

    parts: Sequence[Any]
    caches: Sequence[Any]
    positions: RowPositions


class RaggedKVCache:
    """The cache of one growing layer for rows in clusters, with mlx-lm's interface for a step of one token.

    `parts` are mlx-lm's caches for a single row, one for each cluster, as wide as the cluster and as long as its
    longest row. `update_and_fetch` returns RaggedArrays, which only `engine.decode.ragged_attention` can use. A model
    that uses its keys in another way raises and cannot run like this.
    """

    def __init__(self, parts: list[Any], positions: RowPositions) -> None:
        self.parts = parts
        self.positions = positions

    @property
    def offset(self) -> mx.array:
        """Every row's position in this step, shape (rows,)."""
        return self.positions.offset

    def make_mask(self, tokens: int, return_array: bool = False, window_size: int | None = None) -> None:  # noqa: ARG002, FBT001, FBT002 # mlx-lm's call
        """None: each cluster has a mask of its own. Raises ValueError for what those masks cannot express."""
        if tokens != 1 or window_size is not None:
            raise ValueError("rows in clusters take one token a step, and look back without a limit")

    def update_and_fetch(self, keys: mx.array, values: mx.array) -> tuple[RaggedArray, RaggedArray]:
        """Append the step's keys and values, each of shape (rows, heads, 1, size)."""
        split = zip(self.parts, self.positions.split(keys), self.positions.split(values), strict=True)
        return self._rows([part.update_and_fetch(k, v) for part, k, v in split])

    def keys_and_values(self) -> tuple[RaggedArray, RaggedArray]:
        """All keys and values, for a layer that shares another layer's."""
        return self._rows([part.keys_and_values() for part in self.parts])

    def _rows(self, held: Sequence[tuple[Any, Any]]) -> tuple[RaggedArray, RaggedArray]:
        keys, values = zip(*held, strict=True)
        return RaggedArray(keys, self.parts, self.positions), RaggedArray(values, self.parts, self.positions)

    def empty(self) -> bool:
        """Whether it holds no token."""
        return any(part.empty() for part in self.parts)

    @property
    def state(self) -> list[Any]:
        """All arrays, for evaluation."""
        return [part.state for part in self.parts]

    @property
    def nbytes(self) -> int:
        """The bytes of all buffers."""
        return sum(part.nbytes for part in self.parts)
