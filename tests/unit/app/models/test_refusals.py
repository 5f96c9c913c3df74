"""Each model that cannot be used is listed, with a sentence that says why and what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.base.model_names import DEMO
from app.models import local_models, views
from app.models.facts import offered
from app.models.local_models import LocalModel
from app.models.sources import ModelSource, Origin
from app.models.views import KnownModel
from engine.protocol.errors import ModelIncomplete
from engine.protocol.inspection import InspectionFailed
from ui.state.models import ModelState

Spoil = Callable[[Path], object]


def _model(folder: Path, **config: object) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "llama"} | config))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"0" * 1000)
    return folder


def _listed(models: Path) -> list[LocalModel]:
    """The models beside the demo."""
    return list(local_models.find((ModelSource(Origin.HEARTH, models),)).models[1:])


def _gguf(folder: Path) -> None:
    for file in list(folder.iterdir()):
        file.unlink()
    (folder / "model-Q4_K_M.gguf").write_bytes(b"GGUF")


def _pytorch(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _sharded(folder: Path) -> None:
    names = {f"layer.{number}": f"model-{number}.safetensors" for number in range(4)}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}))
    for number in (0, 3):
        (folder / f"model-{number}.safetensors").write_bytes(b"0")


def _unfinished(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").symlink_to("../../blobs/missing")


REFUSALS: tuple[tuple[Spoil, ModelState, str], ...] = (
    (
        _gguf,
        ModelState.UNUSABLE,
        "It is in the GGUF format, which MLX does not read. Look for the same model in MLX format.",
    ),
    (
        _pytorch,
        ModelState.UNUSABLE,
        (
            "Its weights are PyTorch files, which can hold program code, so Hearth never opens them. "
            "Look for it in MLX format."
        ),
    ),
    (
        _sharded,
        ModelState.INCOMPLETE,
        "2 of its 4 files with weights are missing. Get its files again, or remove the folder.",
    ),
    (
        _unfinished,
        ModelState.INCOMPLETE,
        "Its weights are missing. Get its files again, or remove the folder.",
    ),
    (
        lambda folder: (folder / "model.safetensors").unlink(),
        ModelState.INCOMPLETE,
        "It has no safetensors weights. Get its files again, or remove the folder.",
    ),
    (
        lambda folder: (folder / "tokenizer.json").unlink(),
        ModelState.INCOMPLETE,
        "It has no tokenizer. Get its files again, or remove the folder.",
    ),
    (
        lambda folder: (folder / "config.json").write_text("{"),
        ModelState.UNUSABLE,
        "It cannot be read: config.json: it is not valid JSON. Get its files again, or remove the folder.",
    ),
)


@pytest.mark.parametrize(("spoil", "state", "sentence"), REFUSALS)
def test_a_model_that_cannot_be_used_is_listed_with_the_reason(
    tmp_path: Path, spoil: Spoil, state: ModelState, sentence: str
) -> None:
    """It is not hidden, and the picker does not offer it."""
    spoil(_model(tmp_path / "m"))
    (model,) = _listed(tmp_path)
    assert (model.state, model.note) == (state, sentence)
    assert [view.id for view in offered([views.row(KnownModel(model))])] == []


@pytest.mark.parametrize(("folder", "advice"), [("maker/m", "Download it again."), ("m", "Get its files again,")])
def test_only_a_model_of_the_hub_is_to_be_downloaded_again(tmp_path: Path, folder: str, advice: str) -> None:
    """For a folder that was put here by hand there is nothing to download from. The inspector's refusals say the
    same as the first look.
    """
    (_model(tmp_path / folder) / "tokenizer.json").unlink()
    (model,) = _listed(tmp_path)
    cut = InspectionFailed(model.folder, ModelIncomplete.code, "Its file model.safetensors is damaged or incomplete.")
    assert model.note.startswith(f"It has no tokenizer. {advice}")
    assert views.row(KnownModel(model, cut)).note.startswith(f"{cut.message} {advice}")


@pytest.mark.parametrize("method", ["mxfp4", "awq", "bitsandbytes"])
def test_a_form_of_quantisation_is_left_to_the_inspector(tmp_path: Path, method: str) -> None:
    """mlx-lm reads most of them, and knows which."""
    _model(tmp_path / "m", quantization_config={"quant_method": method, "bits": None})
    (model,) = _listed(tmp_path)
    assert model.state is ModelState.READY


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("BertModel", False),
        ("DistilBertForSequenceClassification", False),
        ("Wav2Vec2ForCTC", False),
        ("LlamaForCausalLM", True),
        ("GPT2LMHeadModel", True),
        ("InternVLChatModel", True),
        ("Qwen3_5ForConditionalGeneration", True),
        ("MiniCPMV", True),
    ],
)
def test_a_model_that_writes_no_text_is_left_out(tmp_path: Path, name: str, *, listed: bool) -> None:
    """The Hugging Face cache also holds models that find similar texts or see pictures. In doubt a model is listed."""
    _model(tmp_path / "m", architectures=[name])
    assert bool(_listed(tmp_path)) == listed


def _adapter(folder: Path, base: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "adapter_config.json").write_text(json.dumps({"model": base, "fine_tune_type": "lora"}))
    (folder / "adapters.safetensors").write_bytes(b"0" * 10)
    return folder


def test_a_merged_model_is_no_adapter(tmp_path: Path) -> None:
    """It may still have the configuration of the adapter that was merged into it."""
    folder = _model(tmp_path / "merged")
    (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA"}))
    assert [(one.folder, one.state) for one in _listed(tmp_path)] == [(str(folder), ModelState.READY)]


@pytest.mark.parametrize("by_folder", [True, False])
def test_an_adapter_is_listed_behind_its_base(tmp_path: Path, *, by_folder: bool) -> None:
    """Its maker named the base by its folder or by its repository."""
    base = _model(tmp_path / "maker" / "base")
    other = _model(tmp_path / "maker" / "zebra")
    adapter = _adapter(tmp_path / "mine", str(base) if by_folder else "maker/base")
    found = _listed(tmp_path)
    assert [(model.folder, model.base) for model in found] == [
        (str(base), ""),
        (str(adapter), str(base)),
        (str(other), ""),
    ]


def test_an_adapter_without_its_base_says_what_to_download(tmp_path: Path) -> None:
    """The base is named."""
    _adapter(tmp_path / "mine", "maker/base")
    (model,) = _listed(tmp_path)
    assert model.state is ModelState.INCOMPLETE
    assert model.note == ("It is an adapter for maker/base, which is not on this machine. Download maker/base first.")


def test_an_adapter_of_peft_is_refused(tmp_path: Path) -> None:
    """mlx-lm reads only its own adapters."""
    folder = _adapter(tmp_path / "mine", "")
    (folder / "adapters.safetensors").rename(folder / "adapter_model.safetensors")
    (model,) = _listed(tmp_path)
    assert model.note == (
        "It is an adapter in the format of PEFT, which MLX does not read. Train or convert it with mlx-lm."
    )


def test_an_adapter_without_weights_is_incomplete(tmp_path: Path) -> None:
    """The missing file is named."""
    (_adapter(tmp_path / "mine", "") / "adapters.safetensors").unlink()
    (model,) = _listed(tmp_path)
    assert model.note == (
        "It is an adapter without its weights: adapters.safetensors is missing. "
        "Get its files again, or remove the folder."
    )


def test_a_download_that_another_program_broke_off_is_incomplete(tmp_path: Path) -> None:
    """The Hugging Face cache has only parts of blobs."""
    home = tmp_path / "models--maker--Big-4bit"
    (home / "blobs").mkdir(parents=True)
    (home / "blobs" / "abc.incomplete").write_bytes(b"0")
    (model,) = _listed(tmp_path)
    assert (model.name, model.state) == ("Big · 4-bit", ModelState.INCOMPLETE)
    assert model.note == "Its config.json is missing. Download it again."


def test_unfinished_downloads_of_hearth_are_no_models(tmp_path: Path) -> None:
    """A download gets its name when it is whole."""
    _model(tmp_path / ".partial" / "maker--name@8f3a")
    assert _listed(tmp_path) == []


def test_usable_models_come_first(tmp_path: Path) -> None:
    """Then the incomplete ones, then the others."""
    _gguf(_model(tmp_path / "a"))
    _sharded(_model(tmp_path / "b"))
    _model(tmp_path / "c")
    found = local_models.find((ModelSource(Origin.HEARTH, tmp_path),)).models
    assert [model.name for model in found[1:]] == ["c", "b", "a"]
    assert found[0].folder == DEMO
