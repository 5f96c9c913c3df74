"""Rows of unequal length that are packed into one buffer equal rows alone, at the logits of whole models.

Tiny models have so few weights that their rows would not be packed: here a step may pass over any number of tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.decode import clustering
from engine.decode.clustering import PackedRows
from engine.model.probes import measure
from tests.fakes import tiny_models
from tests.fakes.batch_rows import ROUNDING, assert_leave_with_their_state, come_and_go
from tests.fakes.decoding import Listener, difference, ids, quantised_rows

if TYPE_CHECKING:
    from pathlib import Path

    from engine.model.loader import LoadedModel

UNEQUAL = [ids(9, 1), ids(600, 2), ids(300, 3), ids(14, 4), ids(290, 5)]

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
    """Rows of 9 to 600 tokens join one by one, leave and are dropped. All logits equal those of each row alone, and a
    row that leaves takes exactly its state.
    """
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    for row in rows:
        listener.batch.join(row)
        listener.step(3)
    assert packed(listener) >= 4
    listener.batch.drop(rows[3])
    listener.step(3)
    assert [listener.error(row) < ROUNDING for row in rows] == [True] * 5
    assert_leave_with_their_state(listener, [rows[1], rows[0], rows[4], rows[2]])


@pytest.mark.parametrize("model", ["lfm2", "llama"], indirect=True)
def test_packed_rows_come_and_go_without_a_trace(listener: Listener) -> None:
    """All logits equal those of each row alone."""
    come_and_go(listener, (2, 40, 300, 600, 930))
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
