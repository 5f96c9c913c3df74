"""Attention over ragged batches: replaces mlx-lm's function in the modules of a loaded model.

It calls mlx-lm's function once for each cluster, with the cluster's cache and mask. For ordinary arrays it is mlx-lm's
function.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models import base

from engine.decode.ragged_cache import RaggedArray

if TYPE_CHECKING:
    from types import ModuleType

_ORIGINAL = base.scaled_dot_product_attention


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
    """Replace mlx-lm's function in every module of this model that refers to it by name."""
    for module in _modules(model):
        for name in [name for name, value in vars(module).items() if value is _ORIGINAL]:
            setattr(module, name, scaled_dot_product_attention)


def _modules(model: Any) -> set[ModuleType]:
    """The modules that define the model's layers and their base classes."""
    return {sys.modules[made.__module__] for part in model.modules() for made in type(part).__mro__}
