"""Fixtures for tests that start processes: the test's home and a tiny model."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.base import paths
from app.base.paths import Paths
from tests.fakes.tiny_models import build


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model, built once for all tests."""
    return build(tmp_path_factory.mktemp("model"))


@pytest.fixture
def places() -> Paths:
    """The folders of the test's home, created."""
    places = paths.find()
    paths.prepare(places)
    return places
