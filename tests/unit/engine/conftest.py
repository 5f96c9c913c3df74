"""Loaded tiny models, one for each mix of caches, built once a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.identity import WeightDigests
from engine.loader import LoadedModel, load_model
from tests.fakes import tiny_models

if TYPE_CHECKING:
    from pathlib import Path

_loaded: dict[str, LoadedModel] = {}


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny qwen3_5 on disk."""
    return tiny_models.build(tmp_path_factory.mktemp("models") / "qwen3_5")


@pytest.fixture(params=tiny_models.CONFIGS)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Each of the tiny models in turn."""
    family = str(request.param)
    if family not in _loaded:
        folder = tiny_models.build(tmp_path_factory.mktemp("models") / family, family)
        _loaded[family] = load_model(str(folder), WeightDigests(folder / "weights.json"))
    return _loaded[family]
