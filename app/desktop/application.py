"""Qt's application object. It receives what the system addresses to the app as a whole, such as a file or a link to
open.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from PySide6.QtCore import QEvent, QSettings, Signal
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from resources import ROOT

MAC: Final = sys.platform == "darwin"  # platform: the icon is the bundle's there


class Application(QApplication):
    """Does not end with its last window: the app's shutdown ends it. `opened` carries the path or the link that was
    opened.
    """

    opened = Signal(str)

    def __init__(self) -> None:
        super().__init__(["hearth"])
        self.setApplicationName("Hearth")
        self.setApplicationDisplayName("Hearth")
        self.setQuitOnLastWindowClosed(False)
        # Qt's own file dialog would write the folders that were visited to a file of all its programs.
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, os.devnull)
        if not MAC:
            self.setWindowIcon(icon())

    def event(self, event: QEvent) -> bool:
        """Handle only events that are sent to the application itself, not those of every widget."""
        if isinstance(event, QFileOpenEvent):
            self.opened.emit(event.file() or event.url().toString())
            return True
        return super().event(event)


def icon() -> QIcon:
    """Return Hearth's icon, in every size that was drawn."""
    found = QIcon()
    for picture in sorted((ROOT / "icon").glob("hearth-*.png")):
        found.addFile(str(picture))
    return found
