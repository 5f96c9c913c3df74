"""Which rows share a buffer: little padding, no large copies, every row once. Rows keep their own tokens in it, and see
no others, in either layout and through any change of their company.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import mlx.core as mx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from mlx.utils import tree_flatten
from mlx_lm.models.cache import ConcatenateKVCache, KVCache, QuantizedKVCache

from engine.decode import ragged_attention
from engine.decode.cache_merging import Arrangement, regrouped
from engine.decode.clustering import (
    COPY_FLOOR_BYTES,
    COPY_SHARE,
    MOST_PACKED,
    PADDING_FLOOR,
    PADDING_SHARE,
    PASSED_SHARE,
    ByteSizes,
    PackedRows,
    PaddedRows,
    RowLayout,
    assign_clusters,
    layout_of,
    may_share,
    near,
    numbered,
)
from engine.decode.ragged_attention import RowPositions
from tests.fakes.decoding import largest

LFM2 = ByteSizes(token=16 * 1024, weights=5_200_000_000)
"""LFM2-2.6B in bfloat16: eight attention layers."""
SMALL = ByteSizes(token=3 * 1024, weights=20_000_000)

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


@pytest.mark.parametrize(
    ("before", "newcomers", "given_sizes", "expected"),
    [
        # Passing over 16k tokens three times is little beside large weights, and much beside small ones.
        ([], [16_384, 100, 100, 100], LFM2, [[0, 1, 2, 3]]),
        ([[100, 100, 100]], [16_384], LFM2, [[0, 1, 2, 3]]),
        ([], [16_384, 100, 100, 100], SMALL, [[0], [1, 2, 3]]),
        ([[16_384], [100, 120]], [90], SMALL, [[0], [1, 2, 3]]),
        # Copying equal rows is cheap beside the weights, up to the limit.
        ([], [8_192] * 8, LFM2, [list(range(8))]),
        # Different lengths are packed if the caches allow it, by four: each row's query passes over the tokens of all.
        ([], [16_384, 4_096, 1_024, 256], LFM2, [[0, 1, 2, 3]]),
        ([], [16_384, 4_096, 1_024, 256], replace(LFM2, most_packed=1), [[0], [1], [2], [3]]),
        ([], [4_000, 2_000, 2_000, 1_000, 700, 300, 100, 50], LFM2, [[0, 1, 2, 3], [4, 5, 6, 7]]),
        # Of two clusters that it may join, a row joins the one nearer in length.
        ([[1_000], [1_250]], [1_200], LFM2, [[0], [1, 2]]),
        ([[1_000], [1_250]], [1_050], LFM2, [[0, 2], [1]]),
        ([[9_000], [20]], [1_050], LFM2, [[0], [1, 2]]),
        # A model with states alone pads nothing: its rows need no clusters.
        ([[30_000]], [1, 2, 3, 4], replace(LFM2, token=0), [[0, 1, 2, 3, 4]]),
    ],
)
def test_rows_share_if_that_costs_little(
    before: list[list[int]], newcomers: list[int], given_sizes: ByteSizes, expected: list[list[int]]
) -> None:
    """The clusters of rows that have arrived together or one after another."""
    assert assign_clusters(before, newcomers, given_sizes) == expected


HEADS, KV_HEADS, SIZE = 4, 2, 32
KINDS: dict[str, Any] = {
    "growing": KVCache,
    "quantised": lambda: QuantizedKVCache(32, 8),
    "concatenated": ConcatenateKVCache,
}
SINKS = mx.array([0.5, -1.0, 2.0, 0.0])


@pytest.mark.parametrize("layout", [PaddedRows([2, 4]), PackedRows([2, 4])])
def test_all_layers_share_a_steps_mask(layout: RowLayout) -> None:
    """The mask is made once for each step."""
    first = layout.mask(9, mx.float32)
    assert layout.mask(9, mx.float32) is first
    layout.advance()
    assert layout.mask(9, mx.float32) is not first


def test_rows_of_near_lengths_are_padded_and_others_packed() -> None:
    """Packing costs passes over other rows' tokens in each step, padding a little memory."""
    assert isinstance(layout_of([1_000, 1_200]), PaddedRows)
    assert isinstance(layout_of([1_000, 100, 4_000]), PackedRows)


def test_a_packed_buffer_grows_by_as_many_steps_as_a_row_alone() -> None:
    """Three rows fill it three times as fast, so it grows by three times as much. No token is lost."""
    company = _Company("growing")
    company.join([300, 5, 40], PackedRows)
    room = company.cache.parts[0].keys.shape[2]
    company.step(320)
    assert room < company.cache.parts[0].keys.shape[2] <= room + 3 * KVCache.step


class _Company:
    """One layer of a group whose rows change, and each row's own cache as it would be alone."""

    def __init__(self, kind: str, sinks: mx.array | None = None) -> None:
        self._kind = KINDS[kind]
        self._sinks = None if kind == "quantised" else sinks  # mlx-lm allows no sinks beside quantised keys
        self.alone: list[Any] = []
        self.cache: Any = None

    @property
    def layouts(self) -> list[RowLayout]:
        return self.cache.positions.layouts if self.cache else []

    def join(self, lengths: list[int], layout: type[PaddedRows | PackedRows], host: int = 0) -> None:
        """The newcomers share a buffer with the rows of cluster `host` from now on, or have one of their own if there
        are not so many. The other clusters stay.
        """
        everyone = [*self.alone, *(self._filled(length) for length in lengths)]
        before: list[RowLayout] = [*self.layouts, *(PaddedRows([length]) for length in lengths)]
        after, clusters = self.layouts, numbered([one.lengths for one in self.layouts])
        host = min(host, len(clusters))
        joined = [*(clusters[host : host + 1] or [[]])[0], *range(len(self.alone), len(everyone))]
        clusters[host : host + 1] = [joined]
        after = [*after[:host], layout([everyone[row].offset for row in joined]), *after[host + 1 :]]
        arrangement = Arrangement(clusters, RowPositions(after), before)
        own = copy.deepcopy(everyone[len(self.alone) :])
        self.cache = regrouped([*([self.cache] if self.cache else []), *own], arrangement, "together")[0]
        self.alone = [everyone[row] for row in arrangement.rows]

    def leave(self, index: int) -> None:
        """A row leaves. Its neighbours get a new buffer, in the layout that suits their lengths."""
        left = regrouped([self.cache], Arrangement.of([[index]], self.layouts), "together")[0]
        own = self.alone.pop(index)
        assert (type(left), left.offset) == (type(own), own.offset)
        for mine, expected in zip(_tokens(left), _tokens(own), strict=True):
            assert mx.array_equal(mine, expected)
        rest = [[row for row in cluster if row != index] for cluster in numbered([one.lengths for one in self.layouts])]
        arrangement = Arrangement.of([cluster for cluster in rest if cluster], self.layouts)
        self.cache = regrouped([self.cache], arrangement, "together")[0]

    def step(self, steps: int) -> None:
        """Each row's attention equals that over its own cache."""
        for _ in range(steps):
            rows = len(self.alone)
            queries = mx.random.normal((rows, HEADS, 1, SIZE))
            keys, values = (mx.random.normal((rows, KV_HEADS, 1, SIZE)) for _ in range(2))
            got = self._attended(queries, self.cache, keys, values)
            for index, own in enumerate(self.alone):
                one = slice(index, index + 1)
                expected = self._attended(queries[one], own, keys[one], values[one])
                assert largest(expected - got[one]) < 1e-5
            self.cache.positions.advance()

    def _filled(self, length: int) -> Any:
        cache, shape = self._kind(), (1, KV_HEADS, length, SIZE)
        cache.update_and_fetch(mx.random.normal(shape), mx.random.normal(shape))
        return cache

    def _attended(self, queries: mx.array, cache: Any, keys: mx.array, values: mx.array) -> mx.array:
        held = cache.update_and_fetch(keys, values)
        own = mx.array(queries)  # mlx-lm scales the queries to quantised keys in place
        return ragged_attention.scaled_dot_product_attention(own, held[0], held[1], cache, 0.3, sinks=self._sinks)


_layouts = st.sampled_from((PaddedRows, PackedRows))


class Company(RuleBasedStateMachine):
    """Rows of random lengths join, step and leave in a random order, in either layout and in several clusters, with
    sinks and without: each attends as if it were alone, and takes exactly its tokens with it.
    """

    company: _Company

    @initialize(
        kind=st.sampled_from(sorted(KINDS)),
        sinks=st.sampled_from((None, SINKS)),
        seed=st.integers(0, 1000),
        layout=_layouts,
    )
    def begin(self, kind: str, sinks: mx.array | None, seed: int, layout: type[PaddedRows | PackedRows]) -> None:
        mx.random.seed(seed)
        self.company = _Company(kind, sinks)
        self.company.join([7, 40], layout)

    @precondition(lambda self: len(self.company.alone) < 5)
    @rule(
        lengths=st.lists(st.integers(1, 300), min_size=1, max_size=2),
        layout=_layouts,
        host=st.integers(0, 2),
    )
    def join(self, lengths: list[int], layout: type[PaddedRows | PackedRows], host: int) -> None:
        self.company.join(lengths, layout, host)

    @precondition(lambda self: len(self.company.alone) > 2)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        self.company.leave(data.draw(st.integers(0, len(self.company.alone) - 1)))

    @rule(steps=st.integers(1, 3))
    def step(self, steps: int) -> None:
        self.company.step(steps)


TestCompany = Company.TestCase
TestCompany.settings = settings(stateful_step_count=30)


def _tokens(cache: Any) -> list[mx.array]:
    """The arrays of a row's own cache, up to its last token."""
    flat: list[tuple[str, mx.array]] = tree_flatten((cache.keys, cache.values))  # type: ignore[assignment] # a list without destination
    return [array[:, :, : cache.offset] for _, array in flat]
