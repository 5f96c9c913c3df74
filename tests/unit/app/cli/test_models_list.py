"""`hearth models list` and `hearth models info` for models on this machine, with the real inspector."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.base import paths, settings
from app.base.paths import Paths
from app.base.settings import ModelSettings, Settings
from app.cli.commands import main
from tests.fakes.tiny_models import build

pytestmark = pytest.mark.usefixtures("preloaded")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """This test's home, without models of other programs."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    places = paths.find()
    paths.prepare(places)
    return places


@pytest.fixture
def model(places: Paths) -> Path:
    """A tiny hybrid in the folder of its publisher."""
    return build(places.models / "one" / "Tiny-4bit")


@pytest.fixture
def gguf(places: Paths) -> Path:
    """A model that MLX does not read."""
    folder = places.models / "one" / "big"
    folder.mkdir(parents=True)
    (folder / "big-Q4_K_M.gguf").touch()
    return folder


def _json(capfd: pytest.CaptureFixture[str], *words: str) -> object:
    assert main(["models", *words, "--json"]) == 0
    return json.loads(capfd.readouterr().out)


def test_the_list_says_what_fits_and_why_the_rest_cannot_be_used(
    model: Path, gguf: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The usable ones come first. A script gets numbers; a model that cannot be used has none.
    A person also sees the publisher/name that other commands take.
    """
    assert main(["models", "list"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "fits      Hearth demo                  For a first look · 7.7 MB · 8k context",
        "fits      Tiny · 4-bit  one/Tiny-4bit  Hybrid · 103 KB · 4k context",
        (
            "unusable  big           one/big        It is in the GGUF format, which MLX does not read. "
            "Look for the same model in MLX format."
        ),
    ]
    listed = _json(capfd, "list")
    assert isinstance(listed, list)
    (_demo, tiny, big) = listed
    assert (tiny["folder"], tiny["repository"], tiny["source"]) == (str(model), "one/Tiny-4bit", "hearth")
    assert (tiny["state"], tiny["fit"]["level"], tiny["hybrid"]) == ("ready", "fits", True)
    assert tiny["facts"]["layers"] == ["recurrent", "attention"]
    assert tiny["bytes_per_1000_tokens"] == 1000 * tiny["facts"]["token_bytes"] > 0
    assert (big["folder"], big["state"], big["facts"], big["fit"]) == (str(gguf), "unusable", None, None)


def test_a_model_is_found_by_each_of_its_names(places: Paths, model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Also by the user's own."""
    settings.save(Settings(models={str(model): ModelSettings(alias="Mine", context_limit=1000)}), places.settings)
    for name in (str(model), "one/Tiny-4bit", "Tiny-4bit", "Tiny · 4-bit", "Mine"):
        told = _json(capfd, "info", name)
        assert isinstance(told, dict)
        assert (told["folder"], told["name"], told["fit"]["longest"]) == (str(model), "Mine", 1000)


def test_info_says_everything_in_words(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each fact has a line."""
    assert main(["models", "info", "one/Tiny-4bit"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[:3] == ["Tiny · 4-bit", "one", "It fits well. A chat can be up to 4,096 tokens long."]
    facts = dict(line.split("  ", 1) for line in lines[3:])
    assert facts["Folder"].strip() == str(model)
    assert facts["Layers"].strip() == "1 attention layer · 1 recurrent layer"
    assert facts["Chats share one batch"].strip() == "yes"


def test_a_folder_outside_of_all_sources_can_be_examined(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Before the user adds it."""
    folder = build(tmp_path / "elsewhere")
    told = _json(capfd, "info", str(folder))
    assert isinstance(told, dict)
    assert (told["folder"], told["state"]) == (str(folder), "ready")


@pytest.mark.usefixtures("places")
def test_a_folders_name_cannot_command_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither by an escape sequence, nor by a mark that turns the text around, nor by a line of its own."""
    folder = build(tmp_path / "a\x1b[31mb\u202ec\nd")
    assert main(["models", "info", str(folder)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert f"{tmp_path}/a?[31mb?c d" in " ".join(lines)
    assert not any("\x1b" in line or "\u202e" in line or line.startswith("d") for line in lines)


@pytest.mark.usefixtures("places")
def test_an_unknown_model_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    """It is not looked up on the hub: a repository has a publisher."""
    assert main(["models", "info", "nothing"]) == 2
    assert capfd.readouterr().err == (
        "hearth: There is no model nothing on this machine; hearth models list names all.\n"
    )


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize("command", [["info"], ["verify"], ["remove", "--yes"]])
@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_one_line(capfd: pytest.CaptureFixture[str], command: list[str], name: str) -> None:
    """No model has it, not even the demo, which has no alias and no repository."""
    assert main(["models", *command, name]) == 2
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "hearth: The model's name is empty; hearth models list names all models.\n")


def test_a_name_that_two_models_have_is_one_line(places: Paths, model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The folders are named."""
    other = build(places.models / "two" / "Tiny-4bit")
    assert main(["models", "info", "Tiny-4bit"]) == 2
    assert capfd.readouterr().err == (
        f"hearth: Several models are called Tiny-4bit; name one by its folder: {model}, {other}.\n"
    )


def test_a_folder_that_is_away_is_said(places: Paths, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """On stderr, so that a script is not disturbed."""
    settings.save(Settings(model_folders=(str(tmp_path / "disk"),)), places.settings)
    assert main(["models", "list"]) == 0
    assert capfd.readouterr().err == (
        f"hearth: {tmp_path / 'disk'}: It is not there now. Its models come back with it.\n"
    )


@pytest.mark.usefixtures("places")
def test_a_home_with_a_name_too_long_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """After the models elsewhere, which can be used."""
    home = paths.find().data / ("h" * 300)
    monkeypatch.setenv("HEARTH_HOME", str(home))
    assert main(["models", "list"]) == 2
    said = capfd.readouterr()
    assert said.out.startswith("fits  Hearth demo")
    assert said.err.splitlines()[1:] == [f"hearth: Hearth cannot use the folder {home / 'models'}: File name too long."]
