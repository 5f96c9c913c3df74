"""The list of models on this machine: where they are found, and why some cannot be used."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from app.base.model_names import DEMO, DEMO_NAME
from app.models import local_models, views
from app.models.facts import offered
from app.models.local_models import LocalModel, LocalModels
from app.models.sources import sources
from app.models.views import KnownModel
from tests.fakes.foreign import IN_THE_WAY, flipped, forbid
from ui.state.engine import ModelView
from ui.state.models import ModelState


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty Hugging Face cache, and a user who has no LM Studio."""
    folder = tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


def _model(folder: Path, **config: object) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3_5"} | config))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"0" * (2 << 20))
    return folder


def _find(models: Path, current: str = "", added: tuple[str, ...] = ()) -> LocalModels:
    return local_models.find(sources(models, added), current)


def _offered(found: LocalModels) -> tuple[ModelView, ...]:
    """The models that the picker offers."""
    return offered(views.row(KnownModel(model)) for model in found.models)


def _found(models: Path) -> list[str]:
    """The models that the picker offers beside the demo."""
    return [view.id for view in _offered(_find(models))[1:]]


def _listed(models: Path) -> LocalModel:
    """The one model beside the demo."""
    (model,) = _find(models).models[1:]
    return model


def test_the_demo_comes_first_and_says_what_it_is(tmp_path: Path) -> None:
    """A bare machine has one model, whose line promises nothing."""
    (demo,) = _offered(_find(tmp_path))
    assert (demo.id, demo.name) == (DEMO, DEMO_NAME)
    assert demo.detail.startswith("For a first look · ")


def test_folders_of_the_user_are_found(tmp_path: Path) -> None:
    """A model folder counts, also one level down, with type, bits and size."""
    plain = _model(tmp_path / "b")
    deep = _model(tmp_path / "owner" / "A", quantization={"group_size": 64, "bits": 4})
    assert _found(tmp_path) == [str(deep), str(plain)]
    assert _offered(_find(tmp_path))[1].detail == "qwen3_5 · 4-bit · 2 MB"
    assert [model.repository for model in _find(tmp_path).models[1:]] == ["owner/A", "b"]


def test_the_draft_head_of_a_model_is_no_model(tmp_path: Path) -> None:
    """It comes with a configuration and weights of its own. A model of the same name is one."""
    plain = _model(tmp_path / "plain")
    (_model(plain / "mtp") / "tokenizer.json").unlink()
    named = _model(tmp_path / "owner" / "mtp")
    assert [model.folder for model in _find(tmp_path).models[1:]] == [str(named), str(plain)]


@pytest.mark.parametrize("name", ["config.json", "adapter_config.json", "x.gguf"])
def test_a_folder_named_like_a_file_of_a_model_makes_no_model_of_the_one_around_it(tmp_path: Path, name: str) -> None:
    """The user would be told to delete that folder, with all models in it."""
    plain, named = _model(tmp_path / name), _model(tmp_path / "owner" / name)
    assert {model.folder for model in _find(tmp_path).models[1:]} == {str(plain), str(named)}


def test_hearths_own_folder_is_no_model(tmp_path: Path) -> None:
    """A stray file makes none of it: the user would be told to delete the folder. One that the user adds may be one."""
    plain = _model(tmp_path / "models" / "plain")
    (tmp_path / "models" / "adapter_config.json").write_text("{}")
    assert _listed(tmp_path / "models").folder == str(plain)
    assert _find(tmp_path / "others", added=(str(plain),)).models[1].folder == str(plain)


def test_hugging_face_snapshots_are_found(tmp_path: Path, hub: Path) -> None:
    """Of several snapshots the one that `main` names is offered, under the model's own name."""
    home = hub / "models--owner--Some-Model"
    _model(home / "snapshots" / "old")
    new = _model(home / "snapshots" / "new")
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("new")
    model = _listed(tmp_path / "models")
    assert (model.folder, model.name, model.repository) == (str(new), "Some-Model", "owner/Some-Model")
    assert model.source.words == "from your Hugging Face cache"


def test_model_in_use_is_offered_wherever_it_lies(tmp_path: Path) -> None:
    """The picker always includes the loaded model."""
    current = _model(tmp_path / "elsewhere" / "far" / "away")
    assert [view.id for view in _offered(_find(tmp_path / "models", str(current)))] == [DEMO, str(current)]


def _broken(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def _without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def _without_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _half_there(folder: Path) -> None:
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "model-2.safetensors"}}))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_broken, "config.json: it is not valid JSON"),
        (_without_weights, "no safetensors"),
        (_without_tokenizer, "no tokenizer"),
        (_half_there, "1 of its 1 files with weights are missing"),
    ],
)
def test_unfit_folders_are_left_out_with_a_reason(tmp_path: Path, spoil: object, reason: str) -> None:
    """A model that cannot be loaded is not offered, and its line says why."""
    assert callable(spoil)
    spoil(_model(tmp_path / "m"))
    assert _found(tmp_path) == []
    assert reason in _listed(tmp_path).note


def test_a_folder_that_names_no_model_type_is_no_model(tmp_path: Path) -> None:
    """Other programs write files of that name."""
    (_model(tmp_path / "m") / "config.json").write_text("{}")
    assert [model.folder for model in _find(tmp_path).models] == [DEMO]


_NAMES = ("config.json", "model.safetensors.index.json")


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("thing", IN_THE_WAY)
def test_one_bad_folder_hides_no_other(tmp_path: Path, name: str, thing: str) -> None:
    """Nothing blocks, the others are offered, and one line names the unreadable folder and its fault."""
    good, bad = _model(tmp_path / "good"), _model(tmp_path / "bad")
    (bad / name).unlink(missing_ok=True)
    IN_THE_WAY[thing](bad / name)
    found = _find(tmp_path)
    assert [view.id for view in _offered(found)] == [DEMO, str(good)]
    if (thing, name) == ("folder", _NAMES[0]):  # a folder of that name makes no model
        assert not found.trouble
    elif (thing, name) != ("not text", _NAMES[1]):  # valid JSON of another form, where text is not looked at
        assert found.trouble.startswith(f"Hearth cannot offer 1 model folder: “bad” ({name}: it is ")


@pytest.mark.parametrize(
    "name", ["x" * 300, "x/" * 3000, "half\0name", "/etc/passwd", "../whole/model.safetensors", ""], ids=range(6)
)
def test_an_index_that_names_no_file_of_its_folder_hides_no_model(tmp_path: Path, name: str) -> None:
    """The maker of a model writes its index. The system refuses to look for some names, and others lead elsewhere."""
    _model(tmp_path / "whole")
    index = {"weight_map": {"model.embed_tokens.weight": name}}
    (_model(tmp_path / "odd") / "model.safetensors.index.json").write_text(json.dumps(index))
    found = {model.name: model.state for model in _find(tmp_path).models[1:]}
    assert found == {"whole": ModelState.READY, "odd": ModelState.INCOMPLETE}


def test_an_index_of_more_tensors_than_a_model_has_is_not_decoded(tmp_path: Path) -> None:
    """Another Mac can copy a model here. No other thread runs while millions of names are decoded, at each listing."""
    names = ",".join(f'"{number:x}":"model.safetensors"' for number in range((1 << 18) + 1))
    (_model(tmp_path / "m") / "model.safetensors.index.json").write_text(f'{{"weight_map":{{{names}}}}}')
    assert "model.safetensors.index.json: it does not have the expected form" in _listed(tmp_path).note


def test_a_damaged_model_in_two_places_is_named_once(tmp_path: Path) -> None:
    """The user has added a folder that has Hearth's own within it."""
    _broken(_model(tmp_path / "models" / "bad"))
    found = _find(tmp_path / "models", added=(str(tmp_path),))
    assert found.trouble.startswith("Hearth cannot offer 1 model folder: “bad” (")


def test_a_config_of_another_owner_hides_no_other_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice says that a permission is missing."""
    good, bad = _model(tmp_path / "good"), _model(tmp_path / "bad")
    forbid(bad / "config.json", monkeypatch)
    found = _find(tmp_path)
    assert [view.id for view in _offered(found)] == [DEMO, str(good)]
    assert "“bad” (config.json: Hearth has no permission to read it)" in found.trouble


def test_one_changed_bit_anywhere_hides_no_other_model(tmp_path: Path, hub: Path) -> None:
    """In any of the small files from which the list is made."""
    good, bad = _model(tmp_path / "good"), _model(tmp_path / "bad", quantization={"group_size": 64, "bits": 4})
    (bad / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "model.safetensors"}}))
    home = hub / "models--owner--Some"
    snapshot = _model(home / "snapshots" / "8f3a")
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("8f3a")
    troubles = 0
    for file in (bad / "config.json", bad / "model.safetensors.index.json", home / "refs" / "main"):
        whole = file.read_bytes()
        for content in flipped(whole):
            file.write_bytes(content)
            found = _find(tmp_path)
            assert {str(good), str(snapshot)} <= {view.id for view in _offered(found)}
            troubles += bool(found.trouble)
        file.write_bytes(whole)
    assert troubles > 20, "the check sees damage"


@pytest.mark.parametrize("ref", [b"caf\xe9", b"", b"..", b"a\0b", b"gone", b"x" * 5000, b"../snapshots/old"])
def test_a_reference_that_leads_nowhere_gives_the_newest_snapshot(tmp_path: Path, hub: Path, ref: bytes) -> None:
    """It never leads to a folder outside the model's own."""
    home = hub / "models--owner--Some"
    old, new = _model(home / "snapshots" / "old"), _model(home / "snapshots" / "new")
    os.utime(old, (1, 1))
    (home / "refs").mkdir()
    (home / "refs" / "main").write_bytes(ref)
    assert _found(tmp_path) == [str(new)]


@pytest.mark.parametrize("thing", IN_THE_WAY)
def test_what_stands_in_the_place_of_a_reference_hides_no_model(tmp_path: Path, hub: Path, thing: str) -> None:
    """A pipe does not block."""
    home = hub / "models--owner--Some"
    snapshot = _model(home / "snapshots" / "8f3a")
    (home / "refs").mkdir()
    IN_THE_WAY[thing](home / "refs" / "main")
    assert _found(tmp_path) == [str(snapshot)]


def test_a_folder_whose_name_is_not_utf8_is_reported(tmp_path: Path) -> None:
    """The protocol could not carry its name to the engine."""
    good, odd = _model(tmp_path / "good"), tmp_path / os.fsdecode(b"caf\xe9")
    try:
        _model(odd)
    except OSError:  # a Mac has no such names
        return
    found = _find(tmp_path)
    assert [view.id for view in _offered(found)] == [DEMO, str(good)]
    assert "“caf?” (its name is not valid UTF-8)" in found.trouble


def test_many_folders_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    """Three are named with their faults."""
    for number in range(5):
        (_model(tmp_path / f"m{number}") / "config.json").write_text("{")
    trouble = _find(tmp_path).trouble
    assert trouble.startswith("Hearth cannot offer 5 model folders: “m0” (config.json: it is not valid JSON), “m1” (")
    assert trouble.endswith("), 2 more, which the log names.")


_WRONG_FORMS = (
    b'{"model_type": ["a"]}',
    b'{"model_type": "x", "quantization": "yes"}',
    b'{"model_type": "x", "quantization": {"bits": 3.7}}',
    b"[]",
    b"[" * (5 << 20),
)


@pytest.mark.parametrize("content", _WRONG_FORMS)
def test_a_config_of_another_kind_is_left_out_without_a_notice(tmp_path: Path, content: bytes) -> None:
    """A cache holds more than language models."""
    folder = tmp_path / "m"
    folder.mkdir()
    (folder / "config.json").write_bytes(content)
    found = _find(tmp_path)
    assert ([model.folder for model in found.models], found.trouble) == ([DEMO], "")


@pytest.mark.parametrize("part", ["tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("content", _WRONG_FORMS)
def test_a_model_with_a_damaged_config_is_listed_with_the_reason(tmp_path: Path, content: bytes, part: str) -> None:
    """Its weights or its tokenizer tell it from what other programs keep."""
    folder = _model(tmp_path / "m")
    (folder / "config.json").write_bytes(content)
    (folder / part).unlink()
    model = _listed(tmp_path)
    assert (model.state, model.note) == (
        ModelState.UNUSABLE,
        (
            "It cannot be read: config.json: it does not have the expected form. "
            "Get its files again, or remove the folder."
        ),
    )
