"""AttachDialog: asks for files for a message, or for a folder of code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDir, QFileInfo, Qt
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QGridLayout, QLabel

from resources.language.text import tr
from ui.theme.phrases import shortened
from ui.widgets.dialog_button import DialogButton
from ui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_LONGEST_NAME: Final = 32


class AttachDialog(FileDialog):
    """Asks for files. `filesSelected` carries their paths, or that of one folder.

    Qt's own dialog only enters a folder that is opened there. So it gets a button that attaches the selected folder, or
    the one that it shows. The system's dialog cannot have that button; the menu asks for a folder there.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Attach files"))
        self.setObjectName("attachDialog")
        self.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self.finished.connect(self.deleteLater)
        self._folder = ""
        self.folder_button = DialogButton("", "attachThisFolder")
        self.folder_button.clicked.connect(self._attach_folder)
        self.currentChanged.connect(self._offer)
        self.directoryEntered.connect(self._offer)
        self._lay_out_button()
        self._offer(self.directory().absolutePath())

    def _lay_out_button(self) -> None:
        """In the place of the types of files: there is one for all."""
        layout = self.layout()
        if isinstance(layout, QGridLayout):
            for kind, name in ((QLabel, "fileTypeLabel"), (QComboBox, "fileTypeCombo")):
                if isinstance(found := self.findChild(kind, name), kind):
                    found.hide()
            layout.addWidget(self.folder_button, layout.rowCount() - 1, 1, Qt.AlignmentFlag.AlignLeft)

    def _offer(self, path: str) -> None:
        """Offer the folder that is selected, or the one that is shown."""
        self._folder = path if QFileInfo(path).isDir() else self.directory().absolutePath()
        name = shortened(QDir(self._folder).dirName() or self._folder, _LONGEST_NAME)
        self.folder_button.setText(tr("Attach the folder “{name}”", name=name).replace("&", "&&"))

    def _attach_folder(self) -> None:
        self.filesSelected.emit([self._folder])
        self.done(QDialog.DialogCode.Accepted)


class FolderDialog(FileDialog):
    """Asks for a folder of code. `filesSelected` carries its path."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Attach a folder"))
        self.setObjectName("attachFolderDialog")
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        self.finished.connect(self.deleteLater)
