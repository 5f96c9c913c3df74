"""Decides which rows of a batch share one padded cache, by their lengths and sizes. Pure.

A cluster is a set of rows whose keys and values lie in one buffer, the shorter ones padded to the longest. Sharing
saves an attention call in every layer. It costs the padding, in memory and in every step, and a copy of the cluster for
each row that joins or leaves.
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


@dataclass(frozen=True, slots=True)
class ByteSizes:
    """Bytes of one token in the growing caches of one row (0 if no layer grows), and of the weights."""

    token: int
    weights: int


def assign_clusters(clusters: Sequence[Sequence[int]], newcomers: Sequence[int], sizes: ByteSizes) -> list[list[int]]:
    """The clusters after `newcomers` have joined, as row numbers: the rows of `clusters` in turn, then the newcomers.

    `clusters` and `newcomers` are given by their rows' lengths in tokens. No cluster is broken up. A newcomer joins the
    cluster nearest in length that it may share, or starts one at the end. The longest newcomers are assigned first.
    """
    lengths = [length for cluster in clusters for length in cluster] + list(newcomers)
    clusters_after = _numbered(clusters)
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
    longest, shortest = max(lengths), min(lengths)
    copied = len(lengths) * longest * sizes.token
    near = longest <= (1 + PADDING_SHARE) * shortest + PADDING_FLOOR
    return near and copied <= max_copy_bytes(sizes.weights)


def max_copy_bytes(weights: int) -> int:
    """The most bytes that a cluster may take, and so the most that is copied when a row joins or leaves it."""
    return max(int(COPY_SHARE * weights), COPY_FLOOR_BYTES)


def _numbered(clusters: Sequence[Sequence[int]]) -> list[list[int]]:
    clusters_after: list[list[int]] = []
    start = 0
    for cluster in clusters:
        clusters_after.append(list(range(start, start + len(cluster))))
        start += len(cluster)
    return clusters_after
