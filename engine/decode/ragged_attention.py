"""Rows of unequal length in one forward pass (a ragged batch): the cache of a growing attention layer, and attention.

The rows lie in clusters. A cluster is a run of rows in one buffer, inside one of mlx-lm's caches for a single row, in
one of the layouts of `engine.decode.clustering`. Nothing is padded across clusters, and a row with a cluster of its
own is never copied.

`install` replaces mlx-lm's attention in the modules of a loaded model. The function calls mlx-lm's once for each
cluster, with the cluster's cache and mask. For ordinary arrays it is mlx-lm's function.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import ModuleType
from typing import Any

import mlx.core as mx
from mlx_lm.models import base

from engine.decode.clustering import RowLayout

_ORIGINAL = base.scaled_dot_product_attention


class RowPositions:
    """The tokens in the caches of a group's rows, by cluster.

    All layers of the group share it, with the offsets that a step needs. It advances by one token after each step.
    """

    def __init__(self, layouts: Sequence[RowLayout]) -> None:
        self.layouts = list(layouts)
        self.bounds = list(accumulate(len(layout.lengths) for layout in self.layouts))[:-1]
        """The first row of each cluster but the first."""
        self._offset: mx.array | None = None

    @property
    def clusters(self) -> list[list[int]]:
        """The tokens of every row, by cluster."""
        return [layout.lengths for layout in self.layouts]

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

    def split(self, array: mx.array) -> Sequence[mx.array]:
        """An array of all rows, by cluster."""
        if not self.bounds:
            return [array]
        parts: list[mx.array] = mx.split(array, self.bounds)  # type: ignore[assignment] # never one array
        return parts

    def advance(self) -> None:
        """Count one more token for every row."""
        for layout in self.layouts:
            layout.advance()
        self._offset = None


@dataclass(frozen=True, slots=True)
class RaggedArray:
    """The keys or the values that the rows attend to: `parts` by cluster, each from one of `caches`."""

    parts: Sequence[Any]
    caches: Sequence[Any]
    positions: RowPositions


class RaggedKVCache:
    """The cache of one growing layer for rows in clusters, with mlx-lm's interface for a step of one token.

    `parts` are mlx-lm's caches for a single row, one for each cluster. `update_and_fetch` returns RaggedArrays, which
    only the attention of this module can use. A model that uses its keys in another way raises and cannot run like
    this.
    """

    def __init__(self, parts: list[Any], positions: RowPositions) -> None:
        self.parts = parts
        self.positions = positions

    @property
    def offset(self) -> mx.array:
        """Every row's position in this step, shape (rows,)."""
        return self.positions.offset

    @property
    def keys(self) -> Any:
        """The keys of the first cluster. mlx-lm makes the keys of a pipeline's last cache depend on what that machine
        sends to the next. A step sends once for all rows, so one cluster is enough.
        """
        return self.parts[0].keys

    @keys.setter
    def keys(self, keys: Any) -> None:
        self.parts[0].keys = keys

    def make_mask(self, tokens: int, return_array: bool = False, window_size: int | None = None) -> None:  # noqa: ARG002, FBT001, FBT002 # mlx-lm's call
        """None: each cluster has a mask of its own. Raises ValueError for what those masks cannot express."""
        if tokens != 1 or window_size is not None:
            raise ValueError("rows in clusters take one token a step, and look back without a limit")

    def update_and_fetch(self, keys: mx.array, values: mx.array) -> tuple[RaggedArray, RaggedArray]:
        """Append the step's keys and values, each of shape (rows, heads, 1, size)."""
        split, layouts = self.positions.split, self.positions.layouts
        steps = zip(layouts, self.parts, split(keys), split(values), strict=True)
        return self._rows([layout.update_and_fetch(part, k, v) for layout, part, k, v in steps])

    def keys_and_values(self) -> tuple[RaggedArray, RaggedArray]:
        """All keys and values, for a layer that shares another layer's."""
        held = zip(self.positions.layouts, self.parts, strict=True)
        return self._rows([layout.keys_and_values(part) for layout, part in held])

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


def scaled_dot_product_attention(  # noqa: PLR0913, PLR0917 # mlx-lm's signature
    queries: mx.array,
    keys: Any,
    values: Any,
    cache: Any,
    scale: float,
    mask: Any = None,
    sinks: mx.array | None = None,
) -> mx.array:
    """Attention of `queries`, shape (rows, heads, tokens, size), to keys and values.

    Those are arrays, quantised tuples or RaggedArrays. Raises TypeError for RaggedArrays with a mask: a mask of all
    rows cannot be split into clusters.
    """
    if isinstance(keys, RaggedArray):
        if mask is not None:
            raise TypeError("rows in clusters have masks of their own")
        return _by_cluster(queries, keys, values, scale, sinks)
    attended: mx.array = _ORIGINAL(queries, keys, values, cache=cache, scale=scale, mask=mask, sinks=sinks)
    return attended


def _by_cluster(
    queries: mx.array, keys: RaggedArray, values: RaggedArray, scale: float, sinks: mx.array | None
) -> mx.array:
    attended: list[mx.array] = []
    split = keys.positions.split(queries)
    for layout, q, k, v, cache in zip(
        keys.positions.layouts, split, keys.parts, values.parts, keys.caches, strict=True
    ):
        tokens = (k if isinstance(k, mx.array) else k[0]).shape[2]
        mask = layout.mask(tokens, q.dtype)
        out = _ORIGINAL(layout.turned(q), k, v, cache=cache, scale=scale, mask=mask, sinks=sinks)
        attended.append(layout.turned(out))
    return mx.concatenate(attended) if len(attended) > 1 else attended[0]


def install(model: Any) -> None:
    """Replace mlx-lm's attention in the modules of this model."""
    replace_function(model, _ORIGINAL, scaled_dot_product_attention)


def replace_function(model: Any, function: Any, by: Any) -> None:
    """Replace a function in every module of this model that refers to it by name."""
    for module in _modules(model):
        for name in [name for name, value in vars(module).items() if value is function]:
            setattr(module, name, by)


def _modules(model: Any) -> set[ModuleType]:
    """The modules that define the model's layers and their base classes."""
    return {sys.modules[made.__module__] for part in model.modules() for made in type(part).__mro__}
