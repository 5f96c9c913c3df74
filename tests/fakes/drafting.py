"""Rows that use drafts, in a batch that finds them worth their time."""

from __future__ import annotations

from collections.abc import Sequence as Many

import mlx.core as mx
import pytest

from engine.cache.codec import codec
from engine.decode.batch import Batch
from engine.decode.drafts.budget import LENGTHS
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.speculation import Speculation
from engine.memory.machine import THIS_MACHINE, Machine
from engine.protocol.messages import Batching
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from tests.fakes.decoding import ids, largest, ready
from tests.fakes.rigs import NAMES, Rig

NEVER = ("llama4", "mamba", "ring")
"""Rigs whose caches do not give tokens back: they do not speculate."""

SAMPLINGS = {
    "greedy": Sampling(temperature=0.0),
    "penalised": Sampling(temperature=0.0, repetition_penalty=1.2),
    "sampled": Sampling(temperature=0.9, top_p=0.9, top_k=40, seed=5),
    "all": Sampling(temperature=1.3, min_p=0.01, repetition_penalty=1.1, seed=6),
}
restorable = pytest.mark.parametrize("rig", [name for name in NAMES if name not in NEVER], indirect=True)
each_sampling = pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS)
PROMPT = ids(60)
ROUNDING = 1e-4
LONG = 48
"""Tokens of an answer."""


def batch_of(
    rig: Rig,
    batching: Batching = "alone",
    *,
    speculates: bool = True,
    context_limit: int = 0,
    machine: Machine = THIS_MACHINE,
) -> Batch:
    """A batch, with drafts or without. It has found that a pass over a draft takes as long as a step."""
    speculation = Speculation(rig.model, context_limit) if speculates and rig.name not in NEVER else None
    for budget in speculation._budgets.values() if speculation else ():
        for _ in range(20):
            budget.ordinary(1.0)
        for length in LENGTHS * 3:
            budget.drafted(length, length + 1, 1.0)
    return Batch(rig.model, batching=batching, speculation=speculation, agree=machine.agree)


def step(batch: Batch, seconds: float = 1.0) -> list[tuple[Sequence, int]]:
    """One step. Each takes as long as any other, with a draft or without."""
    emitted = batch.step()
    if batch._speculation:
        batch._speculation.took(seconds, undisturbed=True)
    return emitted


def row_of(rig: Rig, sampling: Sampling, hints: Many[int] = (), prompt: Many[int] = PROMPT) -> Sequence:
    """A row ready to decode. Its drafter believes that `hints` came before the prompt."""
    row = ready(rig.model, rig.fresh_caches(), list(prompt), sampling)
    row.drafter = Drafter([*hints, *prompt])
    row.drafter.known = len(prompt)
    return row


def write(batch: Batch, row: Sequence, count: int, seconds: float = 1.0) -> int:
    """Decode until `row` has at least `count` tokens. Returns the number of steps."""
    steps = 0
    while len(row.emitted) < count:
        for sequence, token in step(batch, seconds):
            sequence.emitted.append(token)
        steps += 1
    return steps


_answers: dict[tuple[str, Sampling, tuple[int, ...]], list[int]] = {}


def answer(rig: Rig, sampling: Sampling, prompt: Many[int] = PROMPT) -> list[int]:
    """The first tokens without drafts. Many tests expect the same ones, so they are decoded once."""
    wanted = rig.name, sampling, tuple(prompt)
    if wanted not in _answers:
        batch, row = batch_of(rig, speculates=False), row_of(rig, sampling, (), prompt)
        batch.join(row)
        write(batch, row, LONG)
        _answers[wanted] = row.emitted
    return list(_answers[wanted])


def mostly(tokens: Many[int]) -> list[int]:
    """The tokens with an error at irregular places: some drafts are right, some to a part, some not at all."""
    return [(token + 1) % 250 if place % 17 == 3 or place % 23 == 20 else token for place, token in enumerate(tokens)]


def assert_covered(rig: Rig, row: Sequence) -> None:
    """The row's caches cover its prompt and its emitted tokens."""
    tokens = [*row.prompt.ids, *row.emitted]
    assert row.position == len(tokens)
    assert codec.covers(row.caches, len(tokens))
    layout, caches = rig.layout, rig.fresh_caches()
    codec.restore(layout, caches, [codec.Piece(0, len(tokens), codec.take(row.caches, 0, len(tokens)))])
    warm, cold = rig.model(mx.array([[5]]), cache=caches), rig.model(mx.array([[*tokens, 5]]), cache=rig.fresh_caches())
    assert largest(warm[0, -1] - cold[0, -1]) < ROUNDING * largest(cold)
