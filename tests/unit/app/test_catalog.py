"""Which models are offered, from which places, and which are left out."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from app import catalog


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty Hugging Face cache."""
    folder = tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(folder))
    return folder


def _model(folder: Path, **config: object) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3_5"} | config))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"0" * 2_000_000)
    return folder


def _found(models: Path) -> list[str]:
    return [view.id for view in catalog.find(models)[1:]]


def test_every_model_has_a_name_for_people(tmp_path: Path, hub: Path) -> None:
    """Neither where the demo lies nor a commit is one."""
    snapshot = hub / "models--maker--Small-4bit" / "snapshots" / "8f3a"
    folders = (Path(catalog.DEMO.id), snapshot, tmp_path / "Own")
    assert [catalog.name_of(folder) for folder in folders] == [catalog.DEMO.name, "Small-4bit", "Own"]


def test_the_demo_comes_first_and_says_what_it_is(tmp_path: Path) -> None:
    """On a bare machine there is one model, and its line promises nothing."""
    (demo,) = catalog.find(tmp_path)
    assert demo == catalog.DEMO
    assert "tiny demo model" in demo.detail


def test_folders_of_the_user_are_found(tmp_path: Path) -> None:
    """A model folder counts, also one level down in its owner's folder, with type, bits and size."""
    plain = _model(tmp_path / "b")
    deep = _model(tmp_path / "owner" / "A", quantization={"group_size": 64, "bits": 4})
    assert _found(tmp_path) == [str(deep), str(plain)]
    assert catalog.find(tmp_path)[1].detail == "qwen3_5 · 4-bit · 2 MB"


def test_hugging_face_snapshots_are_found(tmp_path: Path, hub: Path) -> None:
    """Of several snapshots the one that `main` names is offered, under the model's own name."""
    home = hub / "models--owner--Some-Model"
    _model(home / "snapshots" / "old")
    new = _model(home / "snapshots" / "new")
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("new")
    (view,) = catalog.find(tmp_path)[1:]
    assert (view.id, view.name) == (str(new), "Some-Model")


def test_model_in_use_is_offered_wherever_it_lies(tmp_path: Path) -> None:
    """The picker never shows less than what is loaded."""
    current = _model(tmp_path / "elsewhere" / "far" / "away")
    assert [view.id for view in catalog.find(tmp_path / "models", str(current))] == [catalog.DEMO.id, str(current)]


def _without_type(folder: Path) -> None:
    (folder / "config.json").write_text("{}")


def _broken(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def _without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def _without_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _half_there(folder: Path) -> None:
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "model-2.safetensors"}}))


def _foreign(folder: Path) -> None:
    (folder / "config.json").write_text(
        json.dumps({"model_type": "llama", "quantization_config": {"quant_method": "gptq"}})
    )


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_without_type, "names no model type"),
        (_broken, "cannot be read"),
        (_without_weights, "no safetensors"),
        (_without_tokenizer, "no tokenizer"),
        (_half_there, "not complete"),
        (_foreign, "gptq"),
    ],
)
def test_unfit_folders_are_left_out_with_a_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, spoil: object, reason: str
) -> None:
    """What cannot be loaded is not offered, and the log says why."""
    assert callable(spoil)
    spoil(_model(tmp_path / "m"))
    with caplog.at_level(logging.INFO):
        assert _found(tmp_path) == []
    assert reason in caplog.text


def test_picked_model_that_is_gone_falls_back_to_the_demo(tmp_path: Path) -> None:
    """A folder that was moved away does not keep Hearth from starting."""
    folder = _model(tmp_path / "m")
    assert catalog.default_model(str(folder)) == str(folder)
    assert catalog.default_model(str(tmp_path / "gone")) == catalog.DEMO.id
    assert catalog.default_model("") == catalog.DEMO.id
