"""Rows of unequal length that are packed into one buffer equal rows alone, at the logits of whole models.

Tiny models have so few weights that their rows would not be packed: here a step may pass over any number of tokens.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import mlx.core as mx
import pytest

from engine.cache.codec import codec
from engine.decode import clustering
from engine.decode.clustering import PackedRows
from engine.model.batching_probe import measure
from tests.fakes import tiny_models
from tests.fakes.decoding import Listener, difference, ids, largest, quantised_rows

if TYPE_CHECKING:
    from pathlib import Path

    from engine.model.loader import LoadedModel
    from engine.schedule.sequence import Sequence

ROUNDING = 1e-4
"""Of the largest logit: what the order of sums makes in float32."""
UNEQUAL = [ids(9, 1), ids(700, 2), ids(330, 3), ids(14, 4), ids(310, 5)]

families = pytest.mark.parametrize("model", [name for name in tiny_models.CONFIGS if name != "llama4"], indirect=True)
"""Whose rows share a buffer. Chunked caches, as in llama4, cannot."""


@pytest.fixture(autouse=True)
def _unlimited_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clustering, "PASSED_SHARE", 1e9)


@pytest.fixture
def listener(model: LoadedModel) -> Listener:
    return Listener(model.model, model.fresh_caches, "together")


def packed(listener: Listener) -> int:
    """The number of rows in packed clusters."""
    layouts = [layout for group in listener.batch._groups for layout in group.positions.layouts]
    return sum(len(layout.lengths) for layout in layouts if isinstance(layout, PackedRows))


@pytest.mark.sweep(3)
@families
def test_packed_rows_equal_rows_alone(listener: Listener) -> None:
    """Rows of 9 to 700 tokens join one by one, leave and are dropped. All logits equal those of each row alone."""
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    for row in rows:
        listener.batch.join(row)
        listener.step(3)
    assert packed(listener) >= 4
    for remove in (listener.batch.leave, listener.batch.drop, listener.batch.leave):
        remove(rows[len(listener.batch) - 3])
        listener.step(2)
    assert [listener.error(row) < ROUNDING for row in rows] == [True] * 5


@pytest.mark.sweep(3)
@families
def test_a_row_that_leaves_a_packed_buffer_takes_exactly_its_state(listener: Listener) -> None:
    """Its caches hold its prompt and every emitted token: a cold prefill gives the same logits."""
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    listener.batch.join_all(rows)
    listener.step(12)
    for row in (rows[1], rows[0], rows[4], rows[3], rows[2]):
        caches, tokens = listener.batch.leave(row), listener.tokens(row)
        assert codec.covers(caches, len(tokens))
        warm = listener.bare(mx.array([[5]]), cache=caches)[0, -1]
        cold = listener.cold([*tokens, 5])[-1]
        assert largest(warm - cold) < ROUNDING * largest(cold)


@pytest.mark.parametrize("model", ["lfm2", "llama"], indirect=True)
def test_packed_rows_come_and_go_without_a_trace(listener: Listener) -> None:
    """Rows join, burst, pause, resume and are dropped in a random order. All logits equal those of each row alone."""
    chance = random.Random(7)  # noqa: S311 # a play of events, no secret
    paused: list[Sequence] = []
    for turn in range(30):
        inside = listener.batch.sequences
        act = chance.choice(("join", "burst", "pause", "drop", "resume"))
        if act in ("join", "burst") and len(inside) < 6:
            lengths = [chance.choice((2, 40, 330, 700, 1100)) for _ in range(1 if act == "join" else 3)]
            listener.batch.join_all([listener.ready(ids(length, turn + length)) for length in lengths])
        elif act == "pause" and inside:
            paused.append(chance.choice(inside))
            paused[-1].caches = listener.batch.leave(paused[-1])
        elif act == "drop" and len(inside) > 3:
            listener.batch.drop(chance.choice(inside))
        elif act == "resume" and paused:
            listener.batch.join(paused.pop(0))
        listener.step(chance.randint(1, 3))
    assert max(listener.error(row) for row in listener.heard) < ROUNDING


def test_packed_quantised_rows_equal_rows_alone(tmp_path: Path) -> None:
    """With 8-bit keys and values every row gets the logits that it gets alone."""
    lone, many = quantised_rows(tmp_path, UNEQUAL)
    assert packed(many) == 4
    assert difference(lone, many) < ROUNDING


@families
def test_the_probe_finds_a_model_that_packing_changes(model: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """If packed rows saw each other, the model would not decode in clusters."""
    assert measure(model.model, model.fresh_caches) == "together"
    monkeypatch.setattr(PackedRows, "mask", lambda *_: None)
    assert measure(model.model, model.fresh_caches) != "together"
