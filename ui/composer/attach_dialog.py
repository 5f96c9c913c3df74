"""AttachDialog: asks for files for a message, or for a folder of code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDir, QFileInfo, Qt
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QFileSystemModel, QGridLayout, QLabel, QListView

from resources.language.text import tr
from ui.theme.long_texts import shortened
from ui.widgets.file_dialog import FileDialog
from ui.widgets.push_button import PushButton

if TYPE_CHECKING:
    from PySide6.QtCore import QItemSelectionModel
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
        self._selection: QItemSelectionModel | None = None
        self.folder_button = PushButton("", "attachThisFolder")
        self.folder_button.clicked.connect(self._attach_folder)
        self._lay_out_button()
        self._follow()
        self._offer()

    def _lay_out_button(self) -> None:
        """In the place of the types of files: there is one for all."""
        layout = self.layout()
        if isinstance(layout, QGridLayout):
            for kind, name in ((QLabel, "fileTypeLabel"), (QComboBox, "fileTypeCombo")):
                if isinstance(found := self.findChild(kind, name), kind):
                    found.hide()
            layout.addWidget(self.folder_button, layout.rowCount() - 1, 1, Qt.AlignmentFlag.AlignLeft)

    def _follow(self) -> None:
        """Qt's own signals leave out folders that were typed, and a click on the row that was current before."""
        shown, files = self.findChild(QFileSystemModel), self.findChild(QListView, "listView")
        if isinstance(shown, QFileSystemModel) and isinstance(files, QListView):
            shown.rootPathChanged.connect(self._offer)
            self._selection = files.selectionModel()
            self._selection.selectionChanged.connect(self._offer)

    def _selected(self) -> list[str]:
        rows = self._selection.selectedRows() if self._selection is not None else []
        return [str(row.data(QFileSystemModel.Roles.FilePathRole)) for row in rows]

    def _offer(self, *_: object) -> None:
        """Offer the folder that is selected alone, or the one that is shown."""
        shown, selected = self.directory().absolutePath(), self._selected()
        lies_here = len(selected) == 1 and QFileInfo(selected[0]).absolutePath() == shown
        self._folder = selected[0] if lies_here and QFileInfo(selected[0]).isDir() else shown
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
