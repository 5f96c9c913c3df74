"""`hearth models search`, against the loopback hub."""

from __future__ import annotations

import json

import pytest

from app.cli import models
from app.cli.commands import main
from app.models.fit import MemoryNow
from tests.fakes.hub.server import Hub

HEADER = b'{"w":{"dtype":"BF16","shape":[%d],"data_offsets":[0,%d]}}'
MEMORY = MemoryNow(total=2 * 10**9, available=10**9)


def weights(numbers: int) -> bytes:
    """The header of a file with so many numbers. The hub tells their bytes without looking at them."""
    header = HEADER % (numbers, 2 * numbers)
    return len(header).to_bytes(8, "little") + header


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "memory_now", lambda: MEMORY)


def test_a_table_lists_the_models_that_fit_first(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    """Each line says whether it fits, what to fetch, and what decides about it."""
    hub.add("one/big-lfm", {"model.safetensors": weights(10**9)}, downloads=9000)
    hub.add("one/lfm", {"model.safetensors": weights(10**8)}, downloads=70, card={"license": "mit"}, gated="manual")
    hub.add("one/npz-lfm", {"weights.npz": b""}, tags=["mlx"])
    assert main(["models", "search", "lfm"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "fits       one/lfm      gated · 191 MB · mit · 70 downloads",
        "too large  one/big-lfm  1.9 GB · 9.0k downloads",
        "unusable   one/npz-lfm",
    ]


def test_json_has_every_figure(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    """A script gets numbers, and the commit to pin."""
    made = hub.add("one/lfm", {"model.safetensors": weights(10**8)}, downloads=70, card={"license": "mit"})
    assert main(["models", "search", "lfm", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == [
        {
            "repository": "one/lfm",
            "revision": made.branches["main"],
            "bytes": 2 * 10**8,
            "fit": "fits",
            "licence": "mit",
            "downloads": 70,
            "gated": False,
            "note": "",
        }
    ]


def test_all_words_count_and_the_limit_holds(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    """Several words narrow a search."""
    for name in ("qwen-small-4bit", "qwen-large-4bit", "lfm-small-4bit"):
        hub.add(f"one/{name}", {"model.safetensors": weights(10)})
    assert main(["models", "search", "qwen", "small"]) == 0
    assert [line.split()[1] for line in capfd.readouterr().out.splitlines()] == ["one/qwen-small-4bit"]
    assert main(["models", "search", "--limit", "2"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2


def test_nothing_found_is_said(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    """An empty answer is no error."""
    assert hub
    assert main(["models", "search", "nothing"]) == 0
    assert capfd.readouterr().out == "The hub has no such model for MLX.\n"


def test_no_network_is_one_line(hub: Hub, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """The command ends with 2 and a sentence."""
    hub.url = "http://127.0.0.1:1"
    hub.lead(monkeypatch)
    assert main(["models", "search", "lfm"]) == 2
    assert capfd.readouterr().err == "hearth: 127.0.0.1 cannot be reached: this computer seems to be offline.\n"
