"""The sketch of a model: the same for a copy, another for other weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.workers.model_sketch import sketch
from storage.untrusted import UntrustedDataError


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Files like those of a model."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
    (folder / "model.safetensors").write_bytes(bytes(range(256)) * 2000)
    return folder


def test_a_copy_has_the_same_sketch(tmp_path: Path, model: Path) -> None:
    """Under any name, with any other files."""
    shutil.copytree(model, tmp_path / "copy")
    (tmp_path / "copy" / "README.md").write_text("Read me")
    assert sketch(tmp_path / "copy") == sketch(model)


@pytest.mark.parametrize("change", ["config", "a byte", "a longer file", "another file", "another name"])
def test_other_files_have_another_sketch(model: Path, change: str) -> None:
    """Whatever differs, if the sample sees it: the identity, which is compared at the load, sees all."""
    before, weights = sketch(model), model / "model.safetensors"
    if change == "config":
        (model / "config.json").write_text("{}")
    elif change == "a byte":
        weights.write_bytes(b"\1" + weights.read_bytes()[1:])
    elif change == "a longer file":
        weights.write_bytes(weights.read_bytes() + b"\0")
    elif change == "another file":
        (model / "model-2.safetensors").write_bytes(b"")
    else:
        weights.rename(model / "model-1.safetensors")
    assert sketch(model) != before


def test_an_adapter_has_one_too(tmp_path: Path) -> None:
    """It has no config.json of its own."""
    (tmp_path / "adapter_config.json").write_text("{}")
    before = sketch(tmp_path)
    (tmp_path / "adapters.safetensors").write_bytes(b"1")
    assert sketch(tmp_path) != before


def test_a_folder_without_a_model_has_none(tmp_path: Path) -> None:
    """An error, which callers show or pass over."""
    with pytest.raises(UntrustedDataError):
        sketch(tmp_path)
