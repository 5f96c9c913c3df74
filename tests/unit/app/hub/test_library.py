"""Loading huggingface_hub: what Hearth's processes never ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from huggingface_hub import constants

from app.hub.client import HubClient
from tests.fakes.hub.downloads import REPOSITORY, Downloads, model_files
from tests.fakes.hub.server import Hub

Ask = Callable[[Hub, Path], None]


@pytest.fixture(autouse=True)
def _telemetry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a user's machine, where huggingface_hub keeps what its telemetry learned: here, nothing of use."""
    from huggingface_hub.utils import _detect_agent

    kept = tmp_path / ".agent_harnesses.json"
    kept.write_text("[1]")
    monkeypatch.delenv("HF_HUB_DISABLE_TELEMETRY", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", False)
    monkeypatch.setattr(constants, "AGENT_HARNESSES_PATH", str(kept))
    monkeypatch.setattr(_detect_agent, "_registry", None)


def search(_hub: Hub, _folder: Path) -> None:
    page = HubClient().model(HubClient().search("tiny")[0].id)
    HubClient().read(REPOSITORY, page.revision, "config.json", 1000)


def download(hub: Hub, folder: Path) -> None:
    Downloads(hub, folder / "models").fetch()


@pytest.mark.parametrize("ask", [search, download])
def test_what_telemetry_kept_breaks_no_question(ask: Ask, hub: Hub, tmp_path: Path) -> None:
    """Searches, pages and downloads never look at it."""
    hub.add(REPOSITORY, model_files())
    ask(hub, tmp_path)


@pytest.mark.parametrize("ask", [search, download])
def test_the_hub_is_asked_for_models_alone(ask: Ask, hub: Hub, tmp_path: Path) -> None:
    """It never gets the question which program may have started Hearth."""
    (tmp_path / ".agent_harnesses.json").unlink()
    hub.add(REPOSITORY, model_files())
    ask(hub, tmp_path)
    assert not [path for path in hub.paths() if "harness" in path]
