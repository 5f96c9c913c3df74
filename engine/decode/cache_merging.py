"""Builds one layer's caches for a new arrangement of rows. On the MLX thread; evaluates nothing.

Joining, joining several at once and leaving are the same operation: some rows of some caches, in a new order. Rows
whose cluster does not change keep their buffers. mlx-lm pads what has no clusters: sliding windows, and the growing
caches of models that cannot run in clusters.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten, tree_map
from mlx_lm.models.cache import ArraysCache, CacheList, ConcatenateKVCache

from engine.cache.codec.cache_classes import kind_of
from engine.cache.codec.codec import kinds
from engine.decode.clustering import RowLayout, layout_of, numbered
from engine.decode.ragged_attention import RaggedKVCache, RowPositions
from engine.protocol.messages import Batching


@dataclass(frozen=True)
class Arrangement:
    """Rows by cluster, numbered through all the caches that they come from, and their positions.

    `before` are the layouts of the clusters in those caches. A cluster that stays as it is keeps its layout.
    """

    clusters: Sequence[Sequence[int]]
    positions: RowPositions
    before: Sequence[RowLayout]

    @classmethod
    def of(cls, clusters: Sequence[Sequence[int]], before: Sequence[RowLayout]) -> Arrangement:
        """Rows of near lengths are padded, others are packed."""
        lengths = [length for layout in before for length in layout.lengths]
        kept = dict(zip(map(tuple, numbered([layout.lengths for layout in before])), before, strict=True))
        layouts = [kept.get(tuple(cluster)) or layout_of([lengths[row] for row in cluster]) for cluster in clusters]
        return cls(clusters, RowPositions(layouts), before)

    @property
    def rows(self) -> list[int]:
        """All rows, in their new order."""
        return [row for cluster in self.clusters for row in cluster]


def regrouped(sources: Sequence[Any], arrangement: Arrangement, batching: Batching) -> tuple[Any, list[mx.array]]:
    """One layer's cache for the rows of `arrangement`, and the arrays in it that are new and not evaluated yet.

    `sources` are the layer's caches so far, each of one row or of a batch; they stay as they are. A single row gets a
    plain cache of its own.
    """
    before = {id(array): array for source in sources for array in _held(source)}
    cache = _layer(sources, arrangement, batching)
    return cache, [array for array in _held(cache) if id(array) not in before]


def _held(cache: Any) -> list[mx.array]:
    flat: list[tuple[str, Any]] = tree_flatten(cache.state)  # type: ignore[assignment] # a list without destination
    return [held for _, held in flat if isinstance(held, mx.array)]


def _layer(sources: Sequence[Any], arrangement: Arrangement, batching: Batching) -> Any:
    first = sources[0]
    if isinstance(first, CacheList):
        parts = zip(*(source.caches for source in sources), strict=True)
        return CacheList(*(_layer(part, arrangement, batching) for part in parts))
    if kind_of(first).has_slots:
        return _states(sources, arrangement.rows)
    if batching == "together" and (isinstance(first, RaggedKVCache) or kind_of(first).is_clustered):
        return _clustered(sources, arrangement)
    return _padded(sources, arrangement.rows)


def batch_form(caches: Sequence[Any], length: int, batching: Batching) -> Hashable | None:
    """The form that the caches of two rows must share to take steps together; None if this row must be alone.

    `length` is the number of tokens that the caches cover.
    """
    forms = tuple(_form(cache, length, batching) for cache in caches)
    return None if batching == "alone" or None in forms else forms


def token_bytes(caches: Sequence[Any]) -> int:
    """The bytes that one token takes in the growing layers of a row's own caches."""
    arrays = [array for _, kind in kinds(caches) if kind.is_clustered for array in _arrays(kind.leaf)]
    return sum(array.nbytes // array.shape[2] for array in arrays)


# --- recurrent states


def _states(sources: Sequence[ArraysCache], rows: Sequence[int]) -> ArraysCache:
    own = ArraysCache(len(sources[0].cache))
    own.cache = [_taken(slot, rows) for slot in zip(*(source.cache for source in sources), strict=True)]
    return own


def _taken(slot: Sequence[mx.array | None], rows: Sequence[int]) -> mx.array | None:
    """The rows of one slot, in a buffer of their own: a view would keep the whole batch alive."""
    arrays = [array for array in slot if array is not None]
    if not arrays:
        return None
    joined = mx.concatenate(arrays) if len(arrays) > 1 else arrays[0]
    return joined if list(rows) == list(range(joined.shape[0])) else mx.take(joined, mx.array(list(rows)), axis=0)


# --- growing keys and values, in clusters


def _clustered(sources: Sequence[Any], arrangement: Arrangement) -> Any:
    parts_before = [part for source in sources for part in _parts(source)]
    rows = [
        (part, layout, index)
        for part, layout in zip(parts_before, arrangement.before, strict=True)
        for index in range(len(layout.lengths))
    ]
    parts = [
        _part([rows[row] for row in cluster], layout)
        for cluster, layout in zip(arrangement.clusters, arrangement.positions.layouts, strict=True)
    ]
    return parts[0] if len(arrangement.rows) == 1 else RaggedKVCache(parts, arrangement.positions)


def _parts(source: Any) -> list[Any]:
    return source.parts if isinstance(source, RaggedKVCache) else [source]


def _part(rows: Sequence[tuple[Any, RowLayout, int]], layout: RowLayout) -> Any:
    """A cluster's cache: the existing one if its layout stays, else a copy of these rows. Each row is given by the part
    that it is in, the layout of that part, and its index there.
    """
    first, before, _ = rows[0]
    if before is layout:
        return first
    made = copy.copy(first)
    made.step = layout.growth
    made.offset = layout.tokens
    room = layout.tokens if isinstance(made, ConcatenateKVCache) else layout.room

    def filled(*arrays: mx.array) -> mx.array:
        pieces = [own.pieces(array, index) for (_, own, index), array in zip(rows, arrays, strict=True)]
        return layout.filled(pieces, room)

    made.keys, made.values = tree_map(filled, *((part.keys, part.values) for part, *_ in rows))
    return made


# --- what mlx-lm pads


def _padded(sources: Sequence[Any], rows: Sequence[int]) -> Any:
    if len(rows) == 1:
        return sources[0].extract(rows[0])
    batch = copy.copy(sources[0])  # mlx-lm changes a batch in place, but binds new arrays
    if not hasattr(batch, "extend"):
        batch = type(batch).merge(sources)
    elif len(sources) > 1:
        batch.extend(type(sources[1]).merge(sources[1:]))
    if list(rows) != list(range(batch.offset.shape[0])):
        batch.filter(mx.array(list(rows)))
    return batch


# --- which caches fit


def _form(cache: Any, length: int, batching: Batching) -> Hashable | None:
    if type(cache) is CacheList:
        parts = tuple(_form(part, length, batching) for part in cache.caches)
        return None if None in parts else parts
    kind = kind_of(cache)
    if kind.has_slots:
        return _state_form(cache)
    able = kind.is_padded or (batching == "together" and kind.is_clustered)
    if not able or cache.empty() or cache.offset != length:
        return None
    settings = [getattr(cache, name, None) for name in ("max_size", "group_size", "bits")]
    shapes = [(array.dtype, array.shape[:2], array.shape[3]) for array in _arrays(cache)]
    return (type(cache), *settings, *shapes)


def _state_form(cache: ArraysCache) -> Hashable | None:
    """A slot that is empty in one row only has no common form: models treat an empty slot differently from zeros."""
    if cache.left_padding is not None or cache.lengths is not None:
        return None
    return (ArraysCache, *(None if slot is None else (slot.dtype, slot.shape) for slot in cache.cache))


def _arrays(leaf: Any) -> list[mx.array]:
    flat: list[tuple[str, mx.array]] = tree_flatten((leaf.keys, leaf.values))  # type: ignore[assignment] # a list without destination
    return [array for _, array in flat]
