"""A row in a batch equals the row alone, padded or packed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache

from engine.cache.codec import codec
from engine.decode import clustering
from engine.decode.batch import Batch
from engine.decode.clustering import PackedRows
from engine.model.loader import LoadedModel
from engine.model.probes import measure
from engine.protocol.messages import Batching
from tests.fakes import tiny_models
from tests.fakes.batch_rows import ROUNDING, UNEQUAL, assert_leave_with_their_state, come_and_go, each
from tests.fakes.decoding import Listener, difference, ids, largest, quantised_rows, ready, run, widths

packing = [family for family in tiny_models.CONFIGS if family != "llama4"]
"""Models whose rows share a buffer. Chunked caches, as in llama4, cannot."""
each_layout = pytest.mark.parametrize(
    ("model", "batching", "packs"),
    [*((*one, False) for one in each.args[1]), *((family, "together", True) for family in packing)],
    indirect=["model", "packs"],
)
sharing = pytest.mark.parametrize(
    ("model", "batching"), [("lfm2", "together"), ("falcon_h1", "merged")], indirect=["model"]
)
"""Two of them, one in each way of batching."""


@pytest.fixture
def packs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a step may pass over any number of tokens. Tiny models have so few weights that no row would be packed
    otherwise.
    """
    if request.param:
        monkeypatch.setattr(clustering, "PASSED_SHARE", 1e9)
    return bool(request.param)


def packed(listener: Listener) -> int:
    """The number of rows in packed clusters."""
    layouts = [layout for group in listener.batch._groups for layout in group.positions.layouts]
    return sum(len(layout.lengths) for layout in layouts if isinstance(layout, PackedRows))


# --- at the logits


@pytest.mark.sweep(4)
@each_layout
def test_rows_in_a_batch_equal_rows_alone(listener: Listener, *, packs: bool) -> None:
    """Rows of 9 to 330 tokens join and leave while others decode. One that joins again loses no token, and a finished
    row continues from its caches with a new prompt. All logits equal those of each row alone. The token after an answer
    is noted before its row leaves, and a row that leaves takes exactly its state.
    """
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    for row in rows:
        listener.batch.join(row)
        listener.step(3)
    assert packed(listener) == 4 * packs
    for row in rows[:3]:
        row.caches = listener.batch.leave(row)
    listener.step(3)
    listener.batch.join_all(rows[:3])
    listener.step(3)
    listener.batch.drop(rows[1])
    caches, tokens = listener.batch.leave(rows[2]), [*listener.tokens(rows[2]), *ids(6, 9)]
    again = ready(listener.bare, caches, tokens, position=rows[2].position)
    listener.batch.join(again)
    listener.step(3)
    left = [rows[0], rows[4], again, rows[3]]
    for row in left:
        listener.batch.note_drawn(row)
    noted = [row.drawn for row in left]
    listener.step(1)
    assert noted == [row.emitted[-1] for row in left]
    assert [listener.error(row) < ROUNDING for row in [*rows, again]] == [True] * 6
    assert_leave_with_their_state(listener, left)


@each
def test_the_measure_sees_one_changed_token(listener: Listener) -> None:
    """One changed token in the history moves the logits by far more than these tests tolerate."""
    cold, changed = (listener.cold([*UNEQUAL[0][:-3], token, *UNEQUAL[0][-2:]])[-1] for token in (7, 8))
    assert largest(cold - changed) > 20 * ROUNDING * largest(cold)


@sharing
def test_rows_of_equal_length_are_not_padded(listener: Listener) -> None:
    """Alternatives of one answer share a buffer, without a mask."""
    rows = [listener.ready([*ids(30), last]) for last in (3, 4, 5)]
    listener.batch.join_all(rows)
    listener.step(4)
    assert widths(listener.batch) == [[3]]
    assert listener.batch._groups[0].positions.layouts[0].mask(40, mx.float32) is None
    assert [listener.error(row) < ROUNDING for row in rows] == [True] * 3


@pytest.mark.sweep(4)
@pytest.mark.usefixtures("packs")
@each_layout
def test_joining_and_leaving_in_any_order_leaves_no_trace(listener: Listener) -> None:
    """All logits equal those of each row alone."""
    come_and_go(listener, (2, 5, 40, 300, 330, 600, 930))
    assert max(listener.error(row) for row in listener.heard) < ROUNDING


@pytest.mark.parametrize("packs", [False, True], indirect=True)
def test_quantised_rows_in_a_batch_equal_rows_alone(tmp_path: Path, *, packs: bool) -> None:
    """With 8-bit keys and values, padded, packed or apart, every row gets the logits that it gets alone."""
    lone, many = quantised_rows(tmp_path, UNEQUAL)
    assert (widths(many.batch), packed(many)) == (([[4, 1]], 4) if packs else ([[2, 3]], 0))
    assert difference(lone, many) < ROUNDING


@pytest.mark.parametrize("model", packing, indirect=True)
def test_the_probe_finds_a_model_that_packing_changes(model: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """If packed rows saw each other, the model would not decode in clusters."""
    assert measure(model.model, model.fresh_caches) == "together"
    monkeypatch.setattr(PackedRows, "mask", lambda *_: None)
    assert measure(model.model, model.fresh_caches) != "together"


# --- who shares with whom


@sharing
def test_rows_share_by_length(listener: Listener, batching: Batching) -> None:
    """Long rows share a cluster, and short rows another; in one forward pass if the model can."""
    listener.batch.join_all([listener.ready(tokens) for tokens in UNEQUAL])
    expected = [[2, 3]] if batching == "together" else [[2], [3]]
    assert sorted(widths(listener.batch)) == sorted(expected)


@each
def test_one_row_has_plain_caches(listener: Listener) -> None:
    """A row alone decodes on plain caches, before other rows join and after they have left."""
    kinds = [type(leaf) for _, leaf in codec.leaves(listener.fresh_caches())]
    rows = [listener.ready(tokens) for tokens in UNEQUAL[:2]]
    listener.batch.join(rows[0])
    listener.step()
    assert [type(leaf) for _, leaf in codec.leaves(listener.model.caches)] == kinds
    listener.batch.join(rows[1])
    listener.step(2)
    listener.batch.drop(rows[0])
    listener.step(2)
    assert [type(leaf) for _, leaf in codec.leaves(listener.model.caches)] == kinds
    assert listener.error(rows[1]) < ROUNDING


def test_rows_with_partly_empty_states_stay_apart() -> None:
    """A slot that is empty in every row stays empty in the batch. If only some rows fill it, the rows stay apart."""
    model = Remembering()
    batch = Batch(model, batching="together")
    unset = [ready(model, [ArraysCache(2)], ids(5, n)) for n in (1, 2)]
    filled = ready(model, [ArraysCache(2)], ids(5, 3))
    filled.caches[0][1] = mx.zeros((1, 1))
    batch.join_all([*unset, filled])
    run(batch, 2)
    assert sorted(map(sum, widths(batch))) == [1, 2]
    assert batch.leave(unset[0])[0][1] is None


class Remembering:
    """A model whose only state is the sum of its tokens, in the first of two slots."""

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        before = 0 if cache[0][0] is None else cache[0][0]
        cache[0][0] = before + tokens.sum(axis=1, keepdims=True)
        return mx.broadcast_to(cache[0][0][:, :, None], (*tokens.shape, 4)).astype(mx.float32)

    def parameters(self) -> dict[str, Any]:
        return {}

    def modules(self) -> list[Any]:
        return []
