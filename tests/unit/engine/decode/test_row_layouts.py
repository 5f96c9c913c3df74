"""Rows keep their own tokens, and see no others, in either layout and through any change of their company."""

from __future__ import annotations

import copy
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from mlx.utils import tree_flatten
from mlx_lm.models.cache import ConcatenateKVCache, KVCache, QuantizedKVCache

from engine.decode import ragged_attention
from engine.decode.clustering import numbered
from engine.decode.ragged_attention import RowPositions
from engine.decode.regroup import Arrangement, regrouped
from engine.decode.row_layouts import PackedRows, PaddedRows, RowLayout, layout_of
from tests.fakes.decoding import largest

HEADS, KV_HEADS, SIZE = 4, 2, 32
KINDS: dict[str, Any] = {
    "growing": KVCache,
    "quantised": lambda: QuantizedKVCache(32, 8),
    "concatenated": ConcatenateKVCache,
}
SINKS = mx.array([0.5, -1.0, 2.0, 0.0])


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(0, 4))
def test_a_packed_row_sees_its_own_tokens_alone(lengths: list[int], steps: int) -> None:
    """In each step the mask leaves exactly the tokens of the row, the step's own one included."""
    layout = PackedRows(lengths)
    for _ in range(steps):
        layout.advance()
    owners = [row for row, length in enumerate(lengths) for _ in range(length)]
    owners += list(range(len(lengths))) * (steps + 1)
    mask = layout.mask(layout.room, mx.float32)
    assert mask.shape == (1, 1, len(lengths), layout.room)
    seen = [np.flatnonzero(np.array(row) == 0).tolist() for row in mask[0, 0]]
    assert seen == [[token for token, owner in enumerate(owners) if owner == row] for row in range(len(lengths))]


def test_a_padded_row_does_not_see_the_padding() -> None:
    """The shorter row of a cluster does not see the padding before its first token, but sees the step's own token."""
    mask = PaddedRows([2, 4]).mask(5, mx.float32)
    assert mask is not None
    assert mask[:, 0, 0].tolist() == [[False, False, True, True, True], [True] * 5]
    assert PaddedRows([4, 4]).mask(5, mx.float32) is None


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

    def __init__(self, kind: str) -> None:
        self._kind = KINDS[kind]
        self._sinks = None if kind == "quantised" else SINKS  # mlx-lm allows no sinks beside quantised keys
        self.alone: list[Any] = []
        self.cache: Any = None

    @property
    def layouts(self) -> list[RowLayout]:
        return self.cache.positions.layouts if self.cache else []

    def join(self, lengths: list[int], layout: type[PaddedRows | PackedRows]) -> None:
        """The newcomers and the last cluster share a buffer from now on. The other clusters stay."""
        own = [self._filled(length) for length in lengths]
        before: list[RowLayout] = [*self.layouts, *(PaddedRows([length]) for length in lengths)]
        kept, last = self.layouts[:-1], self.layouts[-1:]
        shared = layout([length for one in [*last, *before[len(self.layouts) :]] for length in one.lengths])
        after = [*kept, shared]
        arrangement = Arrangement(numbered([one.lengths for one in after]), RowPositions(after), before)
        self.cache = regrouped([*([self.cache] if self.cache else []), *copy.deepcopy(own)], arrangement, "together")[0]
        self.alone += own

    def leave(self, index: int) -> None:
        """A row leaves. Its neighbours get a new buffer, in the layout that suits their lengths."""
        left = regrouped([self.cache], Arrangement.of([[index]], self.layouts), "together")[0]
        own = self.alone.pop(index)
        assert left.offset == own.offset
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


class Company(RuleBasedStateMachine):
    """Rows of random lengths join, step and leave in a random order, in either layout: each attends as if it were
    alone, and takes exactly its tokens with it.
    """

    company: _Company

    @initialize(
        kind=st.sampled_from(sorted(KINDS)), seed=st.integers(0, 1000), layout=st.sampled_from((PaddedRows, PackedRows))
    )
    def begin(self, kind: str, seed: int, layout: type[PaddedRows | PackedRows]) -> None:
        mx.random.seed(seed)
        self.company = _Company(kind)
        self.company.join([7, 40], layout)

    @precondition(lambda self: len(self.company.alone) < 5)
    @rule(
        lengths=st.lists(st.integers(1, 300), min_size=1, max_size=2),
        layout=st.sampled_from((PaddedRows, PackedRows)),
    )
    def join(self, lengths: list[int], layout: type[PaddedRows | PackedRows]) -> None:
        self.company.join(lengths, layout)

    @precondition(lambda self: len(self.company.alone) > 2)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        self.company.leave(data.draw(st.integers(0, len(self.company.alone) - 1)))

    @rule(steps=st.integers(1, 3))
    def step(self, steps: int) -> None:
        self.company.step(steps)


TestCompany = Company.TestCase


def _tokens(cache: Any) -> list[mx.array]:
    """The arrays of a row's own cache, up to its last token."""
    flat: list[tuple[str, mx.array]] = tree_flatten((cache.keys, cache.values))  # type: ignore[assignment] # a list without destination
    return [array[:, :, : cache.offset] for _, array in flat]
