from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fakes import tiny_models


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model that no test changes."""
    return tiny_models.build(tmp_path_factory.mktemp("pristine") / "model", "llama")


@pytest.fixture
def folder(pristine: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return shutil.copytree(pristine, tmp_path / "model")
