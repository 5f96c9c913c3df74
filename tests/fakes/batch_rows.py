"""Models and rows that every test of a batch compares."""

from __future__ import annotations

import random
from collections.abc import Sequence as Many

import mlx.core as mx
import pytest

from engine.cache.codec import codec
from engine.schedule.sequence import Sequence
from tests.fakes import tiny_models
from tests.fakes.decoding import Listener, ids, largest

ROUNDING = 1e-4
"""Of the largest logit: what the order of sums makes in float32."""
UNEQUAL = [ids(9, 1), ids(23, 2), ids(330, 3), ids(14, 4), ids(310, 5)]
"""Rows that are padded to each other, and rows that are packed."""

each = pytest.mark.parametrize(
    ("model", "batching"),
    [*((family, "together") for family in tiny_models.CONFIGS), ("falcon_h1", "merged"), ("gemma3_text", "merged")],
    indirect=["model"],
)


def assert_leave_with_their_state(listener: Listener, rows: list[Sequence]) -> None:
    """Let all rows leave, in this order. The caches of each hold its prompt and every emitted token, as a cold prefill
    shows.
    """
    for row in rows:
        caches, tokens = listener.batch.leave(row), listener.tokens(row)
        assert row.position == len(row.prompt.ids) + len(row.emitted)
        assert codec.covers(caches, len(tokens))
        warm = listener.bare(mx.array([[5]]), cache=caches)[0, -1]
        cold = listener.cold([*tokens, 5])[-1]
        assert largest(warm - cold) < ROUNDING * largest(cold)
    assert len(listener.batch) == 0


def come_and_go(listener: Listener, lengths: Many[int]) -> None:
    """Rows with prompts of these lengths join, burst, pause, resume and are dropped in a random order."""
    chance = random.Random(5)  # noqa: S311 # a play of events, no secret
    paused: list[Sequence] = []
    for turn in range(20):
        inside = listener.batch.sequences
        act = chance.choice(("join", "join", "burst", "pause", "drop", "resume"))
        if act in ("join", "burst") and len(inside) < 6:
            chosen = [chance.choice(lengths) for _ in range(1 if act == "join" else 3)]
            listener.batch.join_all([listener.ready(ids(length, turn + length)) for length in chosen])
        elif act == "pause" and inside:
            paused.append(chance.choice(inside))
            paused[-1].caches = listener.batch.leave(paused[-1])
        elif act == "drop" and len(inside) > 3:
            listener.batch.drop(chance.choice(inside))
        elif act == "resume" and paused:
            listener.batch.join(paused.pop(0))
        listener.step(chance.randint(1, 3))
    assert len(listener.heard) > 8
