"""Decides which rows of a batch share one cache, by their lengths and sizes. Pure.

A cluster is a set of rows whose keys and values lie in one buffer. Sharing saves an attention call in every layer. It
costs a copy of the cluster for each row that joins or leaves. Rows of near lengths are padded to the longest, which
costs memory. Other rows are packed one after another (`engine.decode.row_layouts`): then the query of each row passes
over the tokens of all rows, in every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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
