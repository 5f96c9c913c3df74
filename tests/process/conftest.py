"""Fixtures for tests that start processes: the test's home and a tiny model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from app.base import paths
from tests.fakes.tiny_models import build

if TYPE_CHECKING:
    from pathlib import Path

    from app.base.paths import Paths
    from tests.fakes.preloaded import Nursery


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model, built once for all tests."""
    return build(tmp_path_factory.mktemp("model"))


@pytest.fixture
def preloaded(nursery: Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that need not import anything, if this system can fork them: for tests of what engines and commands do
    together. All others start processes as users do.
    """
    if sys.platform == "linux":
        monkeypatch.setattr(sys, "executable", nursery.python)


@pytest.fixture
def places() -> Paths:
    """The folders of the test's home, created."""
    places = paths.find()
    paths.prepare(places)
    return places
