"""What the maker of a model suggests for its sampling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.model.configuration import suggested_sampling
from engine.protocol import messages as protocol
from engine.protocol.sampling_settings import OwnSampling
from tests.fakes import tiny_models
from tests.fakes.engine_life import Engine


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"temperature": 0.6, "top_p": 0.95, "top_k": 20}, OwnSampling(0.6, 0.95, 20)),
        ({"temperature": 1}, OwnSampling(1.0)),
        ({"temperature": 0.6, "do_sample": False}, OwnSampling()),
        ({"temperature": 11, "top_p": 1.5, "top_k": -3}, OwnSampling()),
        ({"temperature": "hot", "top_p": True, "top_k": 2.5}, OwnSampling()),
        ({"top_k": 1 << 40}, OwnSampling()),
    ],
)
def test_suggestions_that_can_be_sampled_with_are_taken(
    tmp_path: Path, given: dict[str, Any], found: OwnSampling
) -> None:
    """Values out of range and of other types count as none."""
    (tmp_path / "generation_config.json").write_text(json.dumps(given))
    assert suggested_sampling(tmp_path) == found


@pytest.mark.parametrize("content", ["[]", "{", "[" * 100_000, '{"temperature": 1e999}'])
def test_a_damaged_file_suggests_nothing(tmp_path: Path, content: str) -> None:
    """It never prevents a load."""
    (tmp_path / "generation_config.json").write_text(content)
    assert suggested_sampling(tmp_path) == OwnSampling()
    assert suggested_sampling(tmp_path / "nowhere") == OwnSampling()


def test_a_load_tells_what_the_maker_suggests(tmp_path: Path) -> None:
    """The app samples with it unless the user wants otherwise."""
    folder = tiny_models.build(tmp_path / "model", "llama")
    (folder / "generation_config.json").write_text('{"temperature": 0.6}')
    life = Engine(tmp_path, folder).live()
    (loaded,) = [event for event in life.events if isinstance(event, protocol.ModelLoaded)]
    assert loaded.sampling == OwnSampling(0.6)
