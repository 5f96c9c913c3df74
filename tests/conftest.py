"""What every test gets: no display, no run-time compiler, and a home of its own that is thrown away."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["MLX_DISABLE_COMPILE"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pathlib import Path

# A busy machine is no failure of a property. CI judges a change, so there a test does the same each time; new examples
# are looked for wherever else the tests run.
settings.register_profile("hearth", deadline=None, derandomize="CI" in os.environ)
settings.register_profile("brief", settings.get_profile("hearth"), max_examples=20)
settings.load_profile("hearth")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty HEARTH_HOME."""
    folder = tmp_path / "hearth-home"
    monkeypatch.setenv("HEARTH_HOME", str(folder))
    return folder
