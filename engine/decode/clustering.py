"""Decides which rows of a batch share one buffer, by their lengths and sizes, and how their tokens lie in it.

A cluster is a set of rows whose keys and values lie in one buffer. Sharing saves an attention call in every layer. It
costs a copy of the cluster for each row that joins or leaves. Rows of near lengths are padded to the longest, which
costs memory. Other rows are packed one after another: then the query of each row passes over the tokens of all rows, in
every step.

All layers of a group share the layouts of its clusters. A layout moves rows into and out of a buffer, and makes the
mask that a step needs. On the MLX thread; evaluates nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import KVCache

Pieces = list[mx.array]
"""One row's keys or values, in order: each piece has the shape (1, heads, tokens, size)."""


PADDING_SHARE = 0.1
PADDING_FLOOR = 256
"""Tokens that any row may be padded by: a cache of its own grows by as many at once."""

COPY_SHARE = 0.25
"""Of the weights. A step reads all weights and the caches too, so a copy of this size takes less time than a step."""
COPY_FLOOR_BYTES = 1 << 24
"""Any machine copies this much at once, however small the model."""

MOST_PACKED = 4
"""Rows in one packed cluster. MLX's Metal kernel for few queries takes at most 32 for each head of keys, and models
have up to eight query heads for it. The kernel skips the keys of other rows, but not for nothing.
"""
PASSED_SHARE = 0.25
"""Of the weights: the bytes of other rows' tokens that the queries of a packed cluster may pass over in a step."""


@dataclass(frozen=True, slots=True)
class ByteSizes:
    """Bytes of one token in the growing caches of one row (0 if no layer grows), and of the weights.

    `most_packed` is the number of rows that may be packed into one cluster; 1 if the caches cannot be packed.
    """

    token: int
    weights: int
    most_packed: int = MOST_PACKED


def assign_clusters(clusters: Sequence[Sequence[int]], newcomers: Sequence[int], sizes: ByteSizes) -> list[list[int]]:
    """The clusters after `newcomers` have joined, as row numbers: the rows of `clusters` in turn, then the newcomers.

    `clusters` and `newcomers` are given by their rows' lengths in tokens. No cluster is broken up. A newcomer joins the
    cluster nearest in length that it may share, or starts one at the end. The longest newcomers are assigned first.
    """
    lengths = [length for cluster in clusters for length in cluster] + list(newcomers)
    clusters_after = numbered(clusters)
    first = len(lengths) - len(newcomers)
    for row in sorted(range(first, len(lengths)), key=lambda row: -lengths[row]):
        allowed = [cluster for cluster in clusters_after if may_share([lengths[r] for r in (*cluster, row)], sizes)]
        if allowed:
            min(allowed, key=lambda cluster: abs(max(lengths[r] for r in cluster) - lengths[row])).append(row)
        else:
            clusters_after.append([row])
    return [sorted(cluster) for cluster in clusters_after]


def may_share(lengths: Sequence[int], sizes: ByteSizes) -> bool:
    """Whether rows of these lengths may share a buffer. If they may, so may any subset of them."""
    if not sizes.token:
        return True
    if near(lengths):
        return len(lengths) * max(lengths) * sizes.token <= max_copy_bytes(sizes.weights)
    passed = (len(lengths) - 1) * sum(lengths) * sizes.token
    return len(lengths) <= sizes.most_packed and passed <= PASSED_SHARE * sizes.weights


def near(lengths: Sequence[int]) -> bool:
    """Whether rows of these lengths may be padded to the longest."""
    return max(lengths) <= (1 + PADDING_SHARE) * min(lengths) + PADDING_FLOOR


def max_copy_bytes(weights: int) -> int:
    """The most bytes that a cluster may take, and so the most that is copied when a row joins or leaves it."""
    return max(int(COPY_SHARE * weights), COPY_FLOOR_BYTES)


def numbered(clusters: Sequence[Sequence[int]]) -> list[list[int]]:
    """The rows of `clusters`, numbered through them."""
    clusters_after: list[list[int]] = []
    start = 0
    for cluster in clusters:
        clusters_after.append(list(range(start, start + len(cluster))))
        start += len(cluster)
    return clusters_after


_STEP: int = KVCache.step
"""The tokens by which a cache of one row grows."""


class PaddedRows:
    """Rows beside each other in a buffer as wide as the cluster, each padded on the left to the longest."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = list(lengths)
        self.growth = _STEP
        self._masks: dict[int, mx.array] = {}

    @property
    def tokens(self) -> int:
        """The tokens along the buffer."""
        return max(self.lengths)

    @property
    def room(self) -> int:
        """The tokens along a new buffer, with room for the next ones."""
        return (self.tokens // _STEP + 1) * _STEP

    def advance(self) -> None:
        """Count one more token for every row."""
        self.lengths = [length + 1 for length in self.lengths]
        self._masks = {}

    def turned(self, array: mx.array) -> mx.array:
        """An array of the step, shape (rows, heads, 1, size), as the buffer takes it. Turning it again undoes this."""
        return array

    def update_and_fetch(self, cache: Any, keys: mx.array, values: mx.array) -> tuple[Any, Any]:
        """Append the step's keys and values, each of shape (rows, heads, 1, size), to the cluster's cache."""
        fetched: tuple[Any, Any] = cache.update_and_fetch(keys, values)
        return fetched

    def keys_and_values(self, cache: Any) -> tuple[Any, Any]:
        """The keys and values that the rows attend to."""
        held: tuple[Any, Any] = cache.keys_and_values()
        return held

    def mask(self, room: int, dtype: mx.Dtype) -> mx.array | None:  # noqa: ARG002 # a mask of booleans serves every dtype
        """The mask for `room` tokens of keys, shape (rows, 1, 1, room). None if all rows are equally long."""
        if min(self.lengths) == max(self.lengths):
            return None
        if room not in self._masks:
            # The step's own token is already in the buffer.
            padding = mx.array([room - length - 1 for length in self.lengths])
            self._masks[room] = mx.arange(room) >= padding[:, None, None, None]
        return self._masks[room]

    def pieces(self, array: mx.array, row: int) -> Pieces:
        """One row's tokens in an array of the buffer."""
        return [array[row : row + 1, :, self.tokens - self.lengths[row] : self.tokens]]

    def filled(self, rows: Sequence[Pieces], room: int) -> mx.array:
        """An array of a new buffer, with the rows' tokens and zeros."""
        first = rows[0][0]
        made = mx.zeros((len(rows), first.shape[1], room, first.shape[3]), first.dtype)
        for row, (pieces, length) in enumerate(zip(rows, self.lengths, strict=True)):
            at = self.tokens - length
            for piece in pieces:
                made[row : row + 1, :, at : at + piece.shape[2]] = piece
                at += piece.shape[2]
        return made


class PackedRows:
    """Rows of any lengths one after another in a buffer of width one, then a token of every row in turn for each step.

    A step appends one run of tokens and attends once, and nothing is padded. But the query of each row passes over the
    tokens of all rows. A step attends to the whole buffer, whose length stays: CUDA prepares attention with a mask anew
    for each length.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        self._packed = list(lengths)
        self._steps = 0
        self.growth = _STEP * len(lengths)
        self._owned: dict[tuple[int, mx.Dtype], mx.array] = {}
        self._masks: dict[tuple[int, mx.Dtype], mx.array] = {}

    @property
    def lengths(self) -> list[int]:
        """The tokens of every row."""
        return [length + self._steps for length in self._packed]

    @property
    def tokens(self) -> int:
        """The tokens along the buffer."""
        return sum(self.lengths)

    @property
    def room(self) -> int:
        """The tokens along a new buffer, with room for the next ones."""
        return (self.tokens // _STEP + 1) * _STEP + self.growth

    def advance(self) -> None:
        """Count one more token for every row."""
        self._steps += 1
        self._masks = {}

    def turned(self, array: mx.array) -> mx.array:
        """An array of the step, shape (rows, heads, 1, size), as the buffer takes it. Turning it again undoes this."""
        return array.transpose(2, 1, 0, 3)

    def update_and_fetch(self, cache: Any, keys: mx.array, values: mx.array) -> tuple[Any, Any]:
        """Append the step's keys and values, each of shape (rows, heads, 1, size), to the cluster's cache."""
        cache.update_and_fetch(self.turned(keys), self.turned(values))
        return self.keys_and_values(cache)

    def keys_and_values(self, cache: Any) -> tuple[Any, Any]:
        """The keys and values that the rows attend to: the whole buffer."""
        return cache.keys, cache.values

    def mask(self, room: int, dtype: mx.Dtype) -> mx.array:
        """The additive mask over `room` tokens of keys, shape (1, 1, rows, room): 0 or minus infinity."""
        if (room, dtype) not in self._masks:
            end = self.tokens + len(self._packed)
            past = mx.where(mx.arange(room) < end, mx.array(0, dtype), mx.array(-mx.inf, dtype))
            self._masks[room, dtype] = self._owners(room, dtype) + past
        return self._masks[room, dtype]

    def pieces(self, array: mx.array, row: int) -> Pieces:
        """One row's tokens in an array of the buffer."""
        start, rows, packed = sum(self._packed[:row]), len(self._packed), sum(self._packed)
        first = array[:, :, start : start + self._packed[row]]
        return [first, array[:, :, packed + row : self.tokens : rows]] if self._steps else [first]

    def filled(self, rows: Sequence[Pieces], room: int) -> mx.array:
        """An array of a new buffer, with the rows' tokens and zeros."""
        every = [piece for pieces in rows for piece in pieces]
        _, heads, _, size = every[0].shape
        return mx.concatenate([*every, mx.zeros((1, heads, room - self.tokens, size), every[0].dtype)], axis=2)

    def _owners(self, room: int, dtype: mx.Dtype) -> mx.array:
        """The mask of `room` tokens if all of them were there. It stays until the buffer grows."""
        if (room, dtype) not in self._owned:
            rows, packed = len(self._packed), sum(self._packed)
            ends = mx.cumsum(mx.array(self._packed))[:, None]
            token = mx.arange(room)
            owner = mx.where(token < packed, (token >= ends).sum(axis=0), (token - packed) % rows)
            own = owner == mx.arange(rows)[:, None]
            self._owned = {(room, dtype): mx.where(own, mx.array(0, dtype), mx.array(-mx.inf, dtype))[None, None]}
        return self._owned[room, dtype]


RowLayout = PaddedRows | PackedRows


def layout_of(lengths: Sequence[int]) -> RowLayout:
    """The layout of rows that share a buffer."""
    return PaddedRows(lengths) if near(lengths) else PackedRows(lengths)
