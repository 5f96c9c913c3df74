"""Shows Hearth's folders in the system's file browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

if TYPE_CHECKING:
    from app.base.paths import Paths


class Folders:
    """The folders that the settings page names."""

    def __init__(self, paths: Paths) -> None:
        self._folders = {"data": paths.data, "logs": paths.logs, "backups": paths.backups}

    def reveal(self, name: str) -> None:
        """Show "data", "logs" or "backups". If that folder does not exist yet, show the data folder."""
        folder = self._folders[name]
        shown = folder if folder.is_dir() else self._folders["data"]
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(shown)))
