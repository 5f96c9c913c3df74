"""FileDialog: the system's dialog for files, or where it has none, Qt's dialog with Hearth's icons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QFileInfo, QSize
from PySide6.QtGui import QAbstractFileIconProvider, QIcon, QPalette
from PySide6.QtWidgets import QFileDialog, QToolButton

from ui.theme.theme import icon_pixmap

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_BUTTONS: Final = {
    "backButton": "chevron-left",
    "forwardButton": "chevron-right",
    "toParentButton": "arrow-up",
    "newFolderButton": "plus",
    "listModeButton": "layers",
    "detailModeButton": "sliders-horizontal",
}
"""Icons by the names that Qt gives its buttons. A button that is not there is passed over."""
_PX: Final = 16


class FileDialog(QFileDialog):
    """Opens with `open()`, so that the window goes on meanwhile."""

    def __init__(self, parent: QWidget, heading: str, folder: str = "") -> None:
        super().__init__(parent, heading, folder)
        self.setPalette(parent.palette())
        self._icons = _Icons(parent)
        self.setIconProvider(self._icons)
        for name, icon in _BUTTONS.items():
            button = self.findChild(QToolButton, name)
            if isinstance(button, QToolButton):
                button.setIcon(self._icons.named(icon))
                button.setIconSize(QSize(_PX, _PX))


class _Icons(QAbstractFileIconProvider):
    def __init__(self, parent: QWidget) -> None:
        super().__init__()
        self._colour = parent.palette().color(QPalette.ColorRole.WindowText).name()
        self._scale = parent.devicePixelRatioF()

    def named(self, name: str) -> QIcon:
        return QIcon(icon_pixmap(name, self._colour, _PX, self._scale))

    def icon(self, of: QAbstractFileIconProvider.IconType | QFileInfo) -> QIcon:
        """A folder, a disk or a file."""
        kinds = QAbstractFileIconProvider.IconType
        if isinstance(of, QFileInfo):
            return self.named("folder" if of.isDir() else "file-text")
        return self.named(
            "hard-drive" if of in {kinds.Computer, kinds.Drive} else "folder" if of is kinds.Folder else "file-text"
        )
