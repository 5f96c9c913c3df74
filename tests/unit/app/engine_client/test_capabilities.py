"""What a loaded model says about how its chats are kept."""

from __future__ import annotations

import pytest

from app.engine_client import wanted_model
from engine.protocol.messages import KvBits, ModelLoaded


def _loaded(**values: object) -> ModelLoaded:
    return ModelLoaded("m", 4096, **values)  # type: ignore[arg-type]  # the fields under test


def test_lines_say_one_fact_each() -> None:
    """The lines are about a draft head that is not used, why nothing is kept, and the precision of the cache. What the
    model's card says is not repeated.
    """
    shown = wanted_model.model_capabilities(_loaded(uncached="Not kept.", thinks=True, head="unfit", kv_bits=8), 8)
    assert shown.thinks
    assert shown.kv_bits == 8
    assert [line.split()[0] for line in shown.lines] == ["Faster", "Not", "What"]
    assert all(line.endswith(".") for line in shown.lines)


@pytest.mark.parametrize(("wanted", "words"), [(0, 0), (4, 1)])
def test_a_precision_that_is_not_supported_is_reported(wanted: KvBits, words: int) -> None:
    """There is no line only if no precision was asked for."""
    assert len(wanted_model.model_capabilities(_loaded(), wanted).lines) == words
