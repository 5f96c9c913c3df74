"""The built-in model's draft head is right about most tokens of chats that it has not seen."""

from __future__ import annotations

import pytest

from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model
from engine.protocol.messages import LoadModel
from resources import DEMO_MODEL
from tests.bench import acceptance


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    digests = WeightDigests(tmp_path_factory.mktemp("digests") / "weights.json")
    return load_model(LoadModel(str(DEMO_MODEL)), digests)


@pytest.mark.parametrize("temperature", acceptance.TEMPERATURES)
def test_the_built_in_head_is_right_about_most_tokens(temperature: float, model: LoadedModel) -> None:
    """Greedy and drawn, through the loader and the drafts that the engine uses."""
    drafted, accepted = acceptance.counted(model, temperature, 2, range(2))
    assert drafted > 20
    assert accepted > 0.7 * drafted
