"""Hearth's folders in the system's own file browser."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QFileInfo, QUrl
from PySide6.QtGui import QDesktopServices

from app.base.paths import Paths
from app.desktop.folders import Folders
from app.models.presenter import LocalModelsPresenter
from tests.fakes.window import FakeWindow

MODELS = cast("LocalModelsPresenter", SimpleNamespace(has=lambda model: model in {"/models/Tiny", "/models/Tiny.app"}))


def test_each_name_shows_its_folder(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data folder replaces one that does not exist yet."""
    shown: list[str] = []

    def opened(url: QUrl) -> bool:
        shown.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", opened)
    window = FakeWindow()
    folders = Folders(places, MODELS, window)
    for name in ("data", "logs", "backups"):
        folders.reveal(name)
    replaced = places.library / "replaced"
    for name, folder in (("backups", places.backups), ("replaced", replaced)):
        folder.mkdir()
        folders.reveal(name)
    assert shown == [str(path) for path in (places.data, places.logs, places.data, places.backups, replaced)]
    assert window.notices == {}


def test_a_folder_that_nothing_shows_is_told(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without a file browser does nothing; the user reads where the folder is."""
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    window = FakeWindow()
    Folders(places, MODELS, window).reveal("data")
    (notice,) = window.notices.values()
    assert (str(places.data) in notice.text, notice.about) == (True, "folders")


def test_only_listed_models_are_revealed(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system opens no other path. macOS would start a folder that is named like a program, so it opens the folder
    around that.
    """
    shown: list[str] = []

    def opened(url: QUrl) -> bool:
        shown.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", opened)
    monkeypatch.setattr(QFileInfo, "isBundle", lambda file: file.fileName().endswith(".app"))
    folders = Folders(places, MODELS, FakeWindow())
    for folder in ("/etc", "/models/Tiny", "/models/Tiny.app"):
        folders.reveal_model(folder)
    assert shown == ["/models/Tiny", "/models"]
