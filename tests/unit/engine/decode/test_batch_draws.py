"""What rows of a batch draw: the same as alone, with the same seed, from the first token on."""

from __future__ import annotations

import mlx.core as mx
import pytest
from msgspec.structs import replace

from engine.decode.batch import Batch
from engine.decode.sampling import RowSampler, draw_all, recent_tokens
from engine.model.loader import LoadedModel
from engine.protocol.messages import Batching
from engine.protocol.sampling_settings import Sampling
from tests.fakes.batch_rows import each
from tests.fakes.decoding import GREEDY, ids, ready, run

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


OTHERS = Sampling(temperature=0.9, seed=3), Sampling()


@sampled(GREEDY, Sampling(temperature=0.0, repetition_penalty=1.4), Sampling(seed=11))
def test_a_row_draws_what_it_draws_alone_in_single_steps(
    model: LoadedModel, sampling: Sampling, batching: Batching
) -> None:
    """From the first token on, which is drawn after a whole prompt of one token or many, a row draws with the key and
    the penalties of a step that feeds the token before. Neighbours with other settings and lengths do not affect it.
    """
    prompts = [ids(length, 3) for length in (1, 2, 9, 32, 33, 34, 90)]
    expected = [stepped(model, tokens, 4, sampling) for tokens in prompts]
    assert [alone(model, tokens, 4, sampling) for tokens in prompts] == expected
    batch = Batch(model.model, batching=batching)
    rows = [ready(model.model, model.fresh_caches(), tokens, sampling) for tokens in prompts]
    others = [ready(model.model, model.fresh_caches(), ids(20, n), other) for n, other in enumerate(OTHERS)]
    batch.join_all([*rows[:3], *others, *rows[3:]])
    run(batch, 4)
    assert [row.emitted for row in rows] == expected
    assert sampling.seed is None or alone(model, prompts[-1], 4, replace(sampling, seed=77)) != expected[-1]
