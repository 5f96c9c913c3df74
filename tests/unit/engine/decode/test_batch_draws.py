"""What rows of a batch draw: the same as alone, with the same seed, from the first token on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx
import pytest

from engine.cache.codec import codec
from engine.decode.batch import Batch
from engine.decode.sampling import RowSampler, draw_all, recent_tokens
from engine.protocol.sampling_settings import Sampling
from tests.fakes.batch_rows import UNEQUAL, each
from tests.fakes.decoding import GREEDY, ids, ready, run

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from engine.protocol.messages import Batching


RICH = Sampling(temperature=1.3, top_p=0.9, top_k=40, repetition_penalty=1.2, seed=5)
"""Everything that a draw can depend on."""


def sampled(*others: Sampling) -> pytest.MarkDecorator:
    """Each model with a draw that depends on everything, and one model with `others`: a draw sees only logits."""
    combinations = [(*one, RICH) for one in each.args[1]] + [("llama", "together", other) for other in others]
    return pytest.mark.parametrize(("model", "batching", "sampling"), combinations, indirect=["model"])


def alone(model: LoadedModel, tokens: list[int], steps: int, sampling: Sampling) -> list[int]:
    batch, row = Batch(model.model, batching="alone"), ready(model.model, model.fresh_caches(), tokens, sampling)
    batch.join(row)
    run(batch, steps)
    return row.emitted


@sampled(Sampling(seed=11))
def test_the_same_seed_draws_the_same_in_a_batch(model: LoadedModel, sampling: Sampling, batching: Batching) -> None:
    """A seed belongs to its row: neighbours with other settings and lengths do not affect it."""
    expected = alone(model, UNEQUAL[0], 8, sampling)
    batch = Batch(model.model, batching=batching)
    row, near, far = (
        ready(model.model, model.fresh_caches(), tokens, settings)
        for tokens, settings in zip(UNEQUAL, (sampling, Sampling(temperature=0.9, seed=3), Sampling()), strict=False)
    )
    batch.join_all([near, far, row])
    run(batch, 8)
    assert row.emitted == expected
    assert alone(model, UNEQUAL[0], 8, Sampling(temperature=1.3, seed=77)) != expected


def stepped(model: LoadedModel, tokens: list[int], steps: int, sampling: Sampling) -> list[int]:
    """The tokens drawn if every token from the prompt's last one on is fed in a step of its own."""
    caches, sampler, prompt, emitted = model.fresh_caches(), RowSampler(sampling), len(tokens), list[int]()
    if tokens[:-1]:
        model.model(mx.array([tokens[:-1]]), cache=caches)
    for position in range(prompt, prompt + steps):
        fed = mx.array([[*tokens, *emitted][-1]])
        logits = model.model(fed[None], cache=caches)[:, -1]
        before = recent_tokens(tokens, emitted, position - 1)
        emitted.append(int(draw_all(logits, [sampler], [position], [before], fed).item()))  # type: ignore[arg-type] # an id
    return emitted


@sampled(GREEDY, Sampling(temperature=0.0, repetition_penalty=1.4), Sampling(temperature=1.0, seed=5))
def test_a_first_token_is_the_one_that_a_step_would_draw(
    model: LoadedModel, sampling: Sampling, batching: Batching
) -> None:
    """The token drawn after a whole prompt, of one token or many, alone or in a batch, is the one drawn if the prompt's
    last token is fed by itself: same key, same penalties.
    """
    prompts = [ids(length, 3) for length in (1, 2, 9, 32, 33, 34, 90)]
    expected = [stepped(model, tokens, 3, sampling) for tokens in prompts]
    assert [alone(model, tokens, 3, sampling) for tokens in prompts] == expected
    batch = Batch(model.model, batching=batching)
    rows = [ready(model.model, model.fresh_caches(), tokens, sampling) for tokens in prompts]
    batch.join_all(rows)
    run(batch, 3)
    assert [row.emitted for row in rows] == expected


@each
def test_a_row_that_leaves_before_its_first_step_loses_nothing(model: LoadedModel, batching: Batching) -> None:
    """Its caches hold the prompt, and its first token is kept. Whenever it joins again, it emits the same tokens."""
    sampling = Sampling(temperature=1.0, seed=5)
    batch = Batch(model.model, batching=batching)
    rows = [ready(model.model, model.fresh_caches(), tokens, sampling) for tokens in UNEQUAL[:2]]
    batch.join_all(rows)
    rows[0].caches = batch.leave(rows[0])
    assert codec.covers(rows[0].caches, len(UNEQUAL[0]))
    assert rows[0].position == len(UNEQUAL[0])
    run(batch, 3)
    batch.join(rows[0])
    run(batch, 5)
    assert [row.emitted for row in rows] == [
        alone(model, UNEQUAL[0], 5, sampling),
        alone(model, UNEQUAL[1], 8, sampling),
    ]
