"""Loaded tiny models, one for each mix of caches, and rigs, one for each kind of cache; each built once a run."""

from __future__ import annotations

from functools import cache

import pytest

from engine.process.imports import unused_hidden

with unused_hidden():  # as in the engine
    import mlx_lm  # noqa: F401 - later imports find it loaded

from collections.abc import Callable
from pathlib import Path

from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel
from engine.protocol.messages import LoadModel
from tests.fakes import rigs, tiny_models
from tests.fakes.engine_life import load_once
from tests.fakes.rigs import Rig

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
        _loaded[family] = load_once(LoadModel(str(folder)), WeightDigests(folder / "weights.json"))
    return _loaded[family]


@pytest.fixture(scope="session")
def rig_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Rig]:
    """The rig of a name."""
    return cache(lambda name: rigs.rig(name, tmp_path_factory.mktemp("rigs")))


@pytest.fixture(params=rigs.NAMES)
def rig(request: pytest.FixtureRequest, rig_of: Callable[[str], Rig]) -> Rig:
    """Each of the rigs in turn."""
    return rig_of(str(request.param))


@pytest.fixture
def llama(rig_of: Callable[[str], Rig]) -> Rig:
    """Keys and values alone."""
    return rig_of("llama")
