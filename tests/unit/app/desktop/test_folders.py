"""Hearth's folders in the system's own file browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QDesktopServices

from app.desktop.folders import Folders

if TYPE_CHECKING:
    import pytest

    from app.base.paths import Paths


def test_each_name_shows_its_folder(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data folder replaces one that does not exist yet."""
    shown: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()))
    folders = Folders(places)
    for name in ("data", "logs", "backups"):
        folders.reveal(name)
    places.backups.mkdir()
    folders.reveal("backups")
    assert shown == [str(path) for path in (places.data, places.logs, places.data, places.backups)]
