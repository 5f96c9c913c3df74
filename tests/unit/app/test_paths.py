"""Where things lie, and who may look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app import paths
from app.errors import FolderRefused

if TYPE_CHECKING:
    from pathlib import Path

    from app.paths import Paths


def test_home_holds_everything(home: Path, places: Paths) -> None:
    """HEARTH_HOME moves all data, and nothing lies outside it."""
    assert all(
        place.is_relative_to(home)
        for place in (places.library_file, places.segments, places.logs, places.models, places.settings)
    )


def test_without_home_the_platform_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default data lies where the system keeps it, under Hearth's name."""
    monkeypatch.delenv("HEARTH_HOME")
    assert paths.find().data.name == "Hearth"


def test_folders_are_for_the_owner_alone(places: Paths) -> None:
    """Nobody else on the machine can list or read conversations."""
    for folder in (places.data, places.library, places.segments, places.logs, places.models):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file where the home should be is one sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderRefused, match="cannot use the folder"):
        paths.prepare(paths.under(tmp_path / "file" / "home"))
