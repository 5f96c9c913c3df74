"""Which rows share a buffer: little padding, no large copies, and every row once."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.decode.clustering import (
    COPY_FLOOR_BYTES,
    COPY_SHARE,
    MOST_PACKED,
    PADDING_FLOOR,
    PADDING_SHARE,
    PASSED_SHARE,
    ByteSizes,
    assign_clusters,
    may_share,
    near,
)

LFM2 = ByteSizes(token=16 * 1024, weights=5_200_000_000)
"""LFM2-2.6B in bfloat16: eight attention layers."""
SMALL = ByteSizes(token=3 * 1024, weights=20_000_000)
RECURRENT = ByteSizes(token=0, weights=5_200_000_000)

lengths = st.integers(1, 40_000)
rows = st.lists(lengths, min_size=1, max_size=8)
sizes = st.builds(
    ByteSizes,
    token=st.integers(0, 1 << 18),
    weights=st.integers(0, 1 << 34),
    most_packed=st.sampled_from((1, MOST_PACKED)),
)


def numbers(clusters: list[list[int]]) -> list[int]:
    return [row for cluster in clusters for row in cluster]


@given(before=rows, newcomers=rows, given_sizes=sizes)
def test_every_row_is_in_one_cluster_and_no_cluster_is_broken_up(
    before: list[int], newcomers: list[int], given_sizes: ByteSizes
) -> None:
    """Every row is in exactly one cluster, and a cluster only ever gains rows."""
    first = [[before[row] for row in joined] for joined in assign_clusters([], before, given_sizes)]
    all_joined = assign_clusters(first, newcomers, given_sizes)
    assert sorted(numbers(all_joined)) == list(range(len(before) + len(newcomers)))
    start = 0
    for cluster, joined in zip(first, all_joined, strict=False):
        assert joined[: len(cluster)] == list(range(start, start + len(cluster)))
        start += len(cluster)


@given(before=rows, newcomers=rows, given_sizes=sizes)
def test_padding_passes_and_copies_stay_small(before: list[int], newcomers: list[int], given_sizes: ByteSizes) -> None:
    """All buffers together hold at most a tenth more than the rows and one growth step each. Copies are bounded, and so
    are the passes over other rows' tokens.
    """
    first = [[before[row] for row in joined] for joined in assign_clusters([], before, given_sizes)]
    every = numbers(first) + newcomers
    clusters = [[every[row] for row in joined] for joined in assign_clusters(first, newcomers, given_sizes)]
    if not given_sizes.token:
        assert len(clusters) == 1
        return
    padded = [len(cluster) * max(cluster) if near(cluster) else sum(cluster) for cluster in clusters]
    assert sum(padded) <= (1 + PADDING_SHARE) * sum(every) + PADDING_FLOOR * len(every)
    most = max(COPY_SHARE * given_sizes.weights, COPY_FLOOR_BYTES)
    assert all(len(c) == 1 or held * given_sizes.token <= most for c, held in zip(clusters, padded, strict=True))
    for packed in [cluster for cluster in clusters if not near(cluster)]:
        assert len(packed) <= given_sizes.most_packed
        assert (len(packed) - 1) * sum(packed) * given_sizes.token <= PASSED_SHARE * given_sizes.weights


@given(cluster=st.lists(st.tuples(lengths, st.booleans()), min_size=2, max_size=8), given_sizes=sizes)
def test_rows_that_stay_may_still_share(cluster: list[tuple[int, bool]], given_sizes: ByteSizes) -> None:
    """Rows that may share a buffer still may after some have left."""
    everybody = [length for length, _ in cluster]
    left = [length for length, stays in cluster if stays] or everybody
    assert may_share(left, given_sizes) or not may_share(everybody, given_sizes)


def test_a_long_row_and_short_ones_are_packed_if_the_model_is_large() -> None:
    """A row of 16k beside three of 100 tokens: passing over 16k tokens three times is little beside large weights."""
    assert assign_clusters([], [16_384, 100, 100, 100], LFM2) == [[0, 1, 2, 3]]
    assert assign_clusters([[100, 100, 100]], [16_384], LFM2) == [[0, 1, 2, 3]]


def test_a_long_row_does_not_share_if_the_model_is_small() -> None:
    """The short ones share, the long one is never copied."""
    assert assign_clusters([], [16_384, 100, 100, 100], SMALL) == [[0], [1, 2, 3]]
    assert assign_clusters([[100, 100, 100]], [16_384], SMALL) == [[0, 1, 2], [3]]
    assert assign_clusters([[16_384], [100, 120]], [90], SMALL) == [[0], [1, 2, 3]]


def test_equal_rows_share() -> None:
    """Eight rows of 8k that arrive together share a buffer: copying it is cheap beside the weights."""
    assert assign_clusters([], [8_192] * 8, LFM2) == [list(range(8))]


def test_equal_rows_that_are_costly_to_copy_do_not_all_share() -> None:
    """Eight rows of 32k would be copied whole at each arrival. As many share as the copy limit allows."""
    all_joined = assign_clusters([], [32_768] * 8, LFM2)
    assert len(all_joined) > 1
    assert {len(joined) * 32_768 * LFM2.token <= COPY_SHARE * LFM2.weights for joined in all_joined} == {True}


def test_very_different_lengths_are_packed_if_the_caches_allow_it() -> None:
    """Rows of 16k, 4k, 1k and 256 tokens share one buffer, or have one each."""
    lengths = [16_384, 4_096, 1_024, 256]
    assert assign_clusters([], lengths, LFM2) == [[0, 1, 2, 3]]
    assert assign_clusters([], lengths, replace(LFM2, most_packed=1)) == [[0], [1], [2], [3]]


def test_eight_rows_of_all_lengths_are_packed_by_four() -> None:
    """A packed cluster has a few rows only: each row's query passes over the tokens of all."""
    lengths = [4_000, 2_000, 2_000, 1_000, 700, 300, 100, 50]
    assert sorted(map(len, assign_clusters([], lengths, LFM2))) == [4, 4]


def test_a_newcomer_joins_the_nearest_cluster() -> None:
    """Of two clusters that it may join, a row joins the one nearer in length."""
    assert assign_clusters([[1_000], [1_250]], [1_200], LFM2) == [[0], [1, 2]]
    assert assign_clusters([[1_000], [1_250]], [1_050], LFM2) == [[0, 2], [1]]
    assert assign_clusters([[9_000], [20]], [1_050], LFM2) == [[0], [1, 2]]


def test_without_growing_layers_all_share() -> None:
    """A model with states alone pads nothing: its rows need no clusters."""
    assert assign_clusters([[30_000]], [1, 2], RECURRENT) == [[0, 1, 2]]
