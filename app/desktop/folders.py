"""Shows Hearth's folders in the system's file browser."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QFileInfo, QUrl
from PySide6.QtGui import QDesktopServices

from app.base.paths import Paths
from app.base.ports import NoticeSink
from app.models.presenter import LocalModelsPresenter
from resources.language.text import tr
from storage.library.backups import replaced_folder
from ui.intents.notice import Notice

NOTICE: Final = "folder"


class Folders:
    """The folders that the settings and notices name, and those of `models`. `sink` shows what cannot be opened."""

    def __init__(self, paths: Paths, models: LocalModelsPresenter, sink: NoticeSink) -> None:
        self._models = models
        self._sink = sink
        replaced = replaced_folder(paths.library_file)
        self._folders = {"data": paths.data, "logs": paths.logs, "backups": paths.backups, "replaced": replaced}

    def reveal(self, name: str) -> None:
        """Show "data", "logs", "backups", or "replaced" with the libraries that were damaged. If that folder does not
        exist yet, show the data folder.
        """
        folder = self._folders[name]
        self._show(folder if folder.is_dir() else self._folders["data"])

    def reveal_model(self, model: str) -> None:
        """Show the files of one of the models on this machine."""
        if self._models.has(model):
            self._show(Path(model))

    def _show(self, folder: Path) -> None:
        """Show a folder in the system's file browser. If there is none, tell the user where the folder is. A model's
        folder may be named like a program, which macOS would start: show the folder around it.
        """
        folder = folder.parent if QFileInfo(str(folder)).isBundle() else folder
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            told = tr("No program on this computer shows folders. This one is at {path}.", path=folder)
            self._sink.show_notice(Notice(NOTICE, told, about="folders"))
