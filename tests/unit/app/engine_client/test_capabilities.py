"""Every property of a model has a sentence."""

from __future__ import annotations

from typing import get_args

import pytest

from app.engine_client import wanted_model
from engine.protocol.messages import Batching, HeadState, History, KvBits, ModelLoaded


def _loaded(**values: object) -> ModelLoaded:
    return ModelLoaded("m", 4096, **values)  # type: ignore[arg-type]  # the fields under test


def test_every_value_of_the_protocol_is_known() -> None:
    """No model is shown without its properties."""
    assert set(wanted_model._HISTORY) == set(get_args(History))
    assert set(wanted_model._BATCHING) == set(get_args(Batching))
    assert set(wanted_model._HEAD) == set(get_args(HeadState))


def test_lines_say_one_fact_each() -> None:
    """The lines are about history, batching, the draft head, why nothing is kept, and the precision of the cache."""
    shown = wanted_model.model_capabilities(
        _loaded(history="stripped", batching="alone", uncached="Not kept.", thinks=True, head="ready", kv_bits=8), 8
    )
    assert shown.thinks
    assert shown.kv_bits == 8
    assert [line.split()[0] for line in shown.lines] == ["Leaves", "Answers", "Faster", "Not", "What"]
    assert all(line.endswith(".") for line in shown.lines)


@pytest.mark.parametrize(("wanted", "words"), [(0, 2), (4, 3)])
def test_a_precision_that_is_not_supported_is_reported(wanted: KvBits, words: int) -> None:
    """There is no line only if no precision was asked for."""
    assert len(wanted_model.model_capabilities(_loaded(), wanted).lines) == words
