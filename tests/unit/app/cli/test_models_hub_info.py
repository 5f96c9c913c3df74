"""`hearth models info publisher/name`, against the loopback hub and with the real inspector."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli.commands import main
from tests.fakes.hub.repository import files_in
from tests.fakes.hub.server import Hub
from tests.fakes.tiny_models import build

pytestmark = pytest.mark.usefixtures("preloaded")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder: Path = build(tmp_path_factory.mktemp("model"))
    return files_in(folder) | {"README.md": b"# Tiny\n\nFor **tests**."}


def test_it_prints_licence_commit_layers_fit_facts_and_card(
    hub: Hub, files: dict[str, bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    """Everything that decides about a download, before it."""
    made = hub.add("one/Tiny-bf16", files, card={"license": "mit"})
    assert main(["models", "info", "one/Tiny-bf16"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("Tiny · bf16\n\n")
    assert f"one/Tiny-bf16 at {made.branches['main'][:12]}\n" in out
    assert "1 attention layer · 1 recurrent layer\n" in out
    assert "It fits well. A chat can be up to 4,096 tokens long.\n" in out
    assert out.endswith("\n\nTiny\n\nFor tests.\n")
    assert not any("safetensors" in path for path in hub.paths("GET"))


def test_json_has_every_figure(hub: Hub, files: dict[str, bytes], capfd: pytest.CaptureFixture[str]) -> None:
    """A script gets the facts of the inspector."""
    made = hub.add("one/tiny", files, card={"license": "mit"}, downloads=3)
    assert main(["models", "info", "one/tiny", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["revision"] == made.branches["main"]
    assert told["weight_bytes"] == len(files["model.safetensors"])
    assert told["fit"] == "fits"
    assert told["facts"]["layers"] == ["recurrent", "attention"]
    assert told["note"] == ""


def test_a_model_that_cannot_be_used_says_why(
    hub: Hub, files: dict[str, bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    """The refusal comes before gigabytes do."""
    hub.add("one/future", {**files, "config.json": b'{"model_type": "future"}'})
    assert main(["models", "info", "one/future", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["facts"] is None
    assert told["note"].startswith("This version of Hearth does not support this kind of model.")


def test_weights_of_another_kind_say_why(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    """A repository with PyTorch weights alone is of no use here."""
    hub.add("one/torch", {"config.json": b"{}", "pytorch_model.bin": b"\x80"})
    assert main(["models", "info", "one/torch"]) == 0
    assert "It has no safetensors weights, so Hearth cannot use it." in capfd.readouterr().out


def test_a_model_that_is_not_there_is_one_line(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    """The command ends with 2 and a sentence."""
    assert hub
    assert main(["models", "info", "no/body"]) == 2
    assert capfd.readouterr().err == "hearth: The hub has no such model, or your token does not show it.\n"
