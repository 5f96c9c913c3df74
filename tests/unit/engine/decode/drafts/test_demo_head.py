"""The built-in model's draft head is right about most tokens of chats that it has not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.model.identity import WeightDigests
from engine.model.loader import load_model
from engine.protocol.messages import LoadModel
from resources import DEMO_MODEL
from tests.bench import acceptance

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("temperature", acceptance.TEMPERATURES)
def test_the_built_in_head_is_right_about_most_tokens(temperature: float, tmp_path: Path) -> None:
    """Greedy and drawn, through the loader and the drafts that the engine uses."""
    model = load_model(LoadModel(str(DEMO_MODEL)), WeightDigests(tmp_path / "weights.json"))
    drafted, accepted = acceptance.counted(model, temperature, 2, range(4))
    assert drafted > 40
    assert accepted > 0.8 * drafted
