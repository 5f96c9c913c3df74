"""A row in company equals the row alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx
import pytest

from engine.batch import Batch
from engine.cache import codec
from engine.prefill import prefill_chunk
from engine.prompt import Rendered, lay_out
from engine.protocol import Generate, Sampling
from engine.sequence import Sequence

if TYPE_CHECKING:
    from engine.loader import LoadedModel

GREEDY = Sampling(temperature=0.0)
PROMPTS = ["a short one", "one that is a good deal longer than the others, to force padding", "middling, 23 letters"]


def sequence(model: LoadedModel, text: str, sampling: Sampling = GREEDY) -> Sequence:
    made = Sequence(Generate(text, text, (), sampling), 0)
    made.prompt = lay_out(Rendered(text, 0, 0, len(text)), [], model.encode)
    made.caches = model.fresh_caches()
    made.phase = "prefill"
    while made.position < made.prefill_end:
        prefill_chunk(model.model, made, decoding=0)
    return made


def run(batch: Batch, steps: int) -> None:
    for _ in range(steps):
        for row, token in batch.step():
            row.emitted.append(token)


def alone(model: LoadedModel, text: str, steps: int, sampling: Sampling = GREEDY) -> list[int]:
    batch, row = Batch(model.model, alone=False), sequence(model, text, sampling)
    batch.join(row)
    run(batch, steps + 1)
    return row.emitted


def test_rows_in_company_equal_rows_alone(model: LoadedModel) -> None:
    """Three prompts of unequal length, joining and leaving while the others decode: every token is the same."""
    expected = {text: alone(model, text, 24) for text in PROMPTS}
    batch = Batch(model.model, alone=model.alone)
    rows = [sequence(model, text) for text in PROMPTS]
    batch.join(rows[0])
    run(batch, 4)
    batch.join(rows[1])
    run(batch, 4)
    batch.join(rows[2])
    run(batch, 9)
    batch.leave(rows[0])
    run(batch, 4)
    batch.leave(rows[1])
    run(batch, 4)
    for row in rows:
        assert row.emitted == expected[row.request][: len(row.emitted)]
        assert len(row.emitted) > 10
    assert len({tuple(tokens) for tokens in expected.values()}) == 3, "the prompts do lead to different answers"


def test_a_row_that_leaves_takes_exactly_its_state(model: LoadedModel) -> None:
    """The caches of a row that left hold its prompt and every token it emitted: read cold, the logits are the same."""
    batch = Batch(model.model, alone=model.alone)
    rows = [sequence(model, text) for text in PROMPTS]
    for row in rows:
        batch.join(row)
    run(batch, 12)
    for row in (rows[1], rows[0], rows[2]):
        caches = batch.leave(row)
        ids = [*row.laid_out.ids, *row.emitted]
        assert row.position == len(ids)
        assert codec.covers(caches, len(ids))
        warm = model.model(mx.array([[5]]), cache=caches)[0, -1]
        cold = model.model(mx.array([[*ids, 5]]), cache=model.fresh_caches())[0, -1]
        assert abs(mx.abs(warm - cold).max().item()) < 1e-4 * abs(mx.abs(cold).max().item())
    assert len(batch) == 0


@pytest.mark.parametrize("sampling", [Sampling(seed=11), Sampling(temperature=1.3, top_p=0.9, top_k=40, seed=5)])
def test_the_same_seed_draws_the_same_in_company(model: LoadedModel, sampling: Sampling) -> None:
    """A seed belongs to its row: neighbours with other settings do not disturb it."""
    expected = alone(model, PROMPTS[0], 16, sampling)
    batch = Batch(model.model, alone=model.alone)
    row = sequence(model, PROMPTS[0], sampling)
    batch.join(sequence(model, PROMPTS[1], Sampling(temperature=0.9, seed=3)))
    batch.join(row)
    batch.join(sequence(model, PROMPTS[2]))
    run(batch, 17)
    assert row.emitted == expected
    assert alone(model, PROMPTS[0], 16, Sampling(temperature=1.3, seed=77)) != expected


def test_a_row_that_left_does_not_hold_the_batch(model: LoadedModel) -> None:
    """Extracted state has buffers of its own: once the batch is dropped, its memory is free."""
    batch = Batch(model.model, alone=model.alone)
    rows = [sequence(model, PROMPTS[i % 3] + str(i)) for i in range(6)]
    for row in rows:
        batch.join(row)
    run(batch, 3)
    kept = batch.leave(rows[0])
    batch.clear()
    del batch
    mx.clear_cache()
    held = sum(leaf.nbytes for _, leaf in codec.leaves(kept))
    before = mx.get_active_memory()
    del kept
    mx.clear_cache()
    assert before - mx.get_active_memory() < 2.5 * held, "six rows would be six times as much"
