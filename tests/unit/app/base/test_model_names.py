"""The names of models for people, and the model that a start begins with."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.base import model_names
from app.base.model_names import DEMO, DEMO_NAME


def _model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


def test_every_model_has_a_name_for_people(tmp_path: Path) -> None:
    """The name is neither the demo's path nor a commit."""
    snapshot = tmp_path / "models--maker--Small-4bit" / "snapshots" / "8f3a"
    folders = (Path(DEMO), snapshot, tmp_path / "Own")
    assert [model_names.name_of(folder) for folder in folders] == [DEMO_NAME, "Small · 4-bit", "Own"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("LFM2-2.6B-8bit", "LFM2 2.6B · 8-bit"),
        ("Qwen3.5-4B-MLX-4bit", "Qwen3.5 4B · 4-bit"),
        ("Falcon-H1-34B-bf16", "Falcon H1 34B · bf16"),
        ("gemma-3n-E4B-it", "gemma-3n-E4B-it"),
        ("4bit", "4bit"),
    ],
)
def test_the_precision_stands_apart_from_the_name(name: str, shown: str) -> None:
    """A name without a precision stays as its maker wrote it."""
    assert model_names.display_name(name) == shown


def test_a_name_that_no_folder_has_is_cut() -> None:
    """An export of another program may name a model of any length, and the page shows its name in one line."""
    assert len(model_names.name_of(Path("\u2066a\u2069" * 10_000))) == 255


@pytest.mark.parametrize("picked", ["a" * 5000, "nul\0", "half\ud800"])
def test_picked_model_whose_name_no_folder_has_falls_back_to_the_demo(picked: str) -> None:
    """Damaged settings may hold anything."""
    assert model_names.default_model(picked) == DEMO


def test_picked_model_that_is_gone_falls_back_to_the_demo(tmp_path: Path) -> None:
    """A folder that was moved away does not prevent a start."""
    folder = _model(tmp_path / "m")
    assert model_names.default_model(str(folder)) == str(folder)
    (tmp_path / "adapter").mkdir()
    (tmp_path / "adapter" / "adapter_config.json").write_text("{}")
    assert model_names.default_model(str(tmp_path / "adapter")) == str(tmp_path / "adapter")
    assert model_names.default_model(str(tmp_path / "gone")) == DEMO
    assert model_names.default_model("") == DEMO
