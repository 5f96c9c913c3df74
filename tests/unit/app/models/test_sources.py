"""The places where Hearth looks for models: its folder, the Hugging Face cache, LM Studio's and the user's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.models import local_models, sources
from app.models.sources import ModelSource, Origin

HUB = Path(".cache/huggingface/hub")


def _folders(home: Path, added: tuple[str, ...] = (), **environ: str) -> dict[Origin, list[Path]]:
    found: dict[Origin, list[Path]] = {}
    for source in sources.sources(home / "models", added, environ, home):
        found.setdefault(source.origin, []).append(source.folder)
    return found


def test_a_bare_machine_has_hearths_folder_and_the_hugging_face_cache(tmp_path: Path) -> None:
    """LM Studio is not there."""
    assert _folders(tmp_path) == {Origin.HEARTH: [tmp_path / "models"], Origin.HUGGING_FACE: [tmp_path / HUB]}


def test_the_variables_of_the_hugging_face_cache_are_honoured(tmp_path: Path) -> None:
    """HF_HUB_CACHE is the cache itself, and wins over HF_HOME."""
    assert _folders(tmp_path, HF_HOME="/data/hf")[Origin.HUGGING_FACE] == [Path("/data/hf/hub")]
    assert _folders(tmp_path, HF_HOME="/data/hf", HF_HUB_CACHE="/c")[Origin.HUGGING_FACE] == [Path("/c")]


def test_a_user_without_a_home_has_models_elsewhere(tmp_path: Path, without_home: None) -> None:
    """No system call that asks for the home may end the list of models."""
    del without_home
    hub = str(tmp_path / "hub")
    places = [one.folder for one in sources.sources(tmp_path / "models", (), {"HF_HUB_CACHE": hub})]
    assert places == [tmp_path / "models", tmp_path / "hub"]
    assert _folders(tmp_path, HF_HOME="~nobody-of-this-name/hf")[Origin.HUGGING_FACE] == [
        Path("~nobody-of-this-name/hf/hub")
    ]


@pytest.mark.parametrize("name", [".lmstudio", ".cache/lm-studio"])
def test_lm_studios_folder_is_found(tmp_path: Path, name: str) -> None:
    """Its newer and its older place."""
    folder = tmp_path / name / "models"
    folder.mkdir(parents=True)
    assert _folders(tmp_path)[Origin.LM_STUDIO] == [folder]


def test_lm_studios_home_and_models_may_lie_elsewhere(tmp_path: Path) -> None:
    """LM Studio keeps a file with its home, and the models' folder in its settings."""
    home, models = tmp_path / "disk" / "lm", tmp_path / "disk" / "models"
    home.mkdir(parents=True)
    models.mkdir()
    (tmp_path / ".lmstudio-home-pointer").write_text(f"{home}\n")
    (home / "settings.json").write_text(json.dumps({"downloadsFolder": str(models)}))
    assert _folders(tmp_path)[Origin.LM_STUDIO] == [models]


@pytest.mark.parametrize("content", ["", "relative/path", "\0", "{", '{"downloadsFolder": 3}'])
def test_damaged_files_of_lm_studio_are_ignored(tmp_path: Path, content: str) -> None:
    """The usual folder is found all the same."""
    folder = tmp_path / ".lmstudio" / "models"
    folder.mkdir(parents=True)
    (tmp_path / ".lmstudio-home-pointer").write_text(content)
    (tmp_path / ".lmstudio" / "settings.json").write_text(content)
    assert _folders(tmp_path)[Origin.LM_STUDIO] == [folder]


def test_a_folder_that_is_named_twice_is_looked_into_once(tmp_path: Path) -> None:
    """The user may add LM Studio's folder, or a link to it."""
    folder = tmp_path / ".lmstudio" / "models"
    folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder)
    found = _folders(tmp_path, (str(tmp_path / "link"), str(folder)))
    assert Origin.ADDED not in found


def test_a_folder_without_models_is_said(tmp_path: Path) -> None:
    """The user may have picked the wrong one. A model that cannot be used is one: its own row says why."""
    for name in ("empty", "broken"):
        (tmp_path / name).mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("no model")
    (tmp_path / "broken" / "config.json").write_text("{")
    (tmp_path / "broken" / "tokenizer.json").write_text("{}")
    added = (str(tmp_path / "empty"), str(tmp_path / "broken"))
    found = local_models.find(sources.sources(tmp_path / "models", added, {}, tmp_path))
    assert found.folders == ((added[0], "Hearth found no models in it."), (added[1], ""))


def test_a_folder_that_is_away_is_said_and_comes_back(tmp_path: Path) -> None:
    """Its models are listed again as soon as it is there."""
    folder = tmp_path / "disk"
    (tmp_path / "models").mkdir()
    places = sources.sources(tmp_path / "models", (str(folder),), {}, tmp_path)
    away = local_models.find(places)
    assert away.folders == ((str(folder), "It is not there now. Its models come back with it."),)
    model = folder / "m"
    model.mkdir(parents=True)
    (model / "config.json").write_text('{"model_type": "llama"}')
    (model / "tokenizer.json").touch()
    (model / "model.safetensors").touch()
    back = local_models.find(places)
    assert back.folders == ((str(folder), ""),)
    assert [found.folder for found in back.models[1:]] == [str(model)]
    assert back.models[1].source.words == "from disk"


def test_an_external_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user reads which disk to connect."""
    monkeypatch.setattr(sources, "_DISKS", tmp_path)
    source = ModelSource(Origin.ADDED, tmp_path / "Big SSD" / "models")
    assert source.absence == "The disk “Big SSD” is not connected. Its models come back with it."


def test_a_file_in_the_place_of_a_folder_is_said(tmp_path: Path) -> None:
    """The system's reason is given."""
    (tmp_path / "file").touch()
    assert ModelSource(Origin.ADDED, tmp_path / "file").absence == "Hearth cannot list it: Not a directory."


def test_a_folder_whose_name_no_system_has_is_away(tmp_path: Path) -> None:
    """Damaged settings may hold anything."""
    (source,) = (one for one in sources.sources(tmp_path, ("a\0b",), {}, tmp_path) if one.origin is Origin.ADDED)
    assert source.absence == "It is not there now. Its models come back with it."
    assert local_models.find((source,)).models[1:] == ()


def test_a_model_folder_itself_can_be_added(tmp_path: Path) -> None:
    """So can a folder in the form of the Hugging Face cache."""
    model = tmp_path / "m"
    model.mkdir()
    (model / "config.json").write_text('{"model_type": "llama"}')
    (model / "tokenizer.json").touch()
    (model / "model.safetensors").touch()
    (found,) = local_models.find((ModelSource(Origin.ADDED, model),)).models[1:]
    assert found.folder == str(model)


def test_a_whole_disk_is_not_searched_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search ends after so many folders, and what it found is listed."""
    monkeypatch.setattr("app.models.model_folders.MOST_FOLDERS", 3)
    for name in "abcdef":
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.gguf").touch()
    assert len(local_models.find((ModelSource(Origin.ADDED, tmp_path),)).models[1:]) == 2
