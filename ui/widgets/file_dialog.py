"""FileDialog: the system's dialog for files, or where it has none, Qt's dialog with Hearth's icons."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QDir, QEvent, QFileInfo, QSize, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QAbstractFileIconProvider, QIcon, QPalette
from PySide6.QtWidgets import (
    QFileDialog,
    QFileSystemModel,
    QLineEdit,
    QListView,
    QMessageBox,
    QToolButton,
    QTreeView,
    QWidget,
)

from resources.language.text import tr
from ui.theme.theme import icon_pixmap
from ui.widgets.file_columns import lay_out_columns

_BUTTONS: Final = {
    "backButton": "chevron-left",
    "forwardButton": "chevron-right",
    "toParentButton": "arrow-up",
    "newFolderButton": "plus",
    "listModeButton": "list",
    "detailModeButton": "table",
}
"""Icons by the names that Qt gives its buttons. A button that is not there is passed over."""
_PX: Final = 16
_PLACES_PX: Final = 130
_SIZE: Final = QSize(820, 520)
_LEAST: Final = QSize(600, 400)
_ROUND_IT: Final = QSize(60, 80)
"""The part of the window that stays visible around the dialog, if the window is large enough."""


def documents_folder() -> str:
    """The folder of the user's documents, or the home folder if there is none."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return documents if QDir(documents).exists() else QDir.homePath()


class _Last:
    """The folder of the last file that the user chose, in which the next dialog begins; "" for none yet."""

    folder = ""


class FileDialog(QFileDialog):
    """Opens with `open()`, so that the window goes on meanwhile. It begins in the folder of the last file that was
    chosen, whatever that was for, or else in the documents. `filesSelected` carries what was chosen.
    """

    def __init__(self, parent: QWidget, heading: str, folder: str = "") -> None:
        super().__init__(parent, heading, folder or _Last.folder or documents_folder())
        self.filesSelected.connect(_remember)
        self.setLabelText(QFileDialog.DialogLabel.LookIn, tr("Folder:"))
        self.setViewMode(QFileDialog.ViewMode.Detail)
        self._window = window = parent.window()  # a part of it may have the colours of another theme
        self._dress()
        self.resize(_SIZE.boundedTo(window.size() - _ROUND_IT).expandedTo(_LEAST))
        self._keep_icons()
        self._lay_out_places()
        if isinstance(files := self.findChild(QTreeView, "treeView"), QTreeView):
            lay_out_columns(files)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Follow the window to another theme, once the window has its colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            QTimer.singleShot(0, self, self._dress)

    def _dress(self) -> None:
        """Take the colours of the window, and icons in them."""
        self.setPalette(self._window.palette())
        self._icons = _Icons(self._window)
        self.setIconProvider(self._icons)
        for name, icon in _BUTTONS.items():
            button = self.findChild(QToolButton, name)
            if isinstance(button, QToolButton):
                button.setIcon(self._icons.named(icon))
                button.setIconSize(QSize(_PX, _PX))
        self.setHistory(self.history())  # it has icons, too
        self._dress_completions(self._window)

    def accept(self) -> None:
        """Take the files that are typed. Qt would enter a folder that is still selected in the list, and leave out a
        file that is not there if another one is.
        """
        typed = self._typed_files()
        found = [path for path in typed if QFileInfo(path).isFile()]
        missing = next((path for path in typed if not QFileInfo.exists(path)), "")
        if found and missing:
            self._say_missing(missing)
        elif typed and found == typed:
            self.filesSelected.emit(typed)
            self.done(self.DialogCode.Accepted)
        else:
            super().accept()

    def _typed_files(self) -> list[str]:
        """The path in the field for the name, or the quoted paths, if this dialog asks for files that are there."""
        field = self.findChild(QLineEdit, "fileNameEdit")
        asks = self.fileMode() in {QFileDialog.FileMode.ExistingFile, QFileDialog.FileMode.ExistingFiles}
        if not (isinstance(field, QLineEdit) and asks and self.acceptMode() is QFileDialog.AcceptMode.AcceptOpen):
            return []
        whole = self.directory().absoluteFilePath(field.text())
        if '"' not in field.text() or QFileInfo(whole).isFile():
            return [whole]
        return [self.directory().absoluteFilePath(name) for name in dict.fromkeys(field.text().split('"')[1::2])]

    def _say_missing(self, path: str) -> None:
        words = tr("There is no file {path}.", path=path)
        box = QMessageBox(QMessageBox.Icon.Warning, self.windowTitle(), words, parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.finished.connect(box.deleteLater)
        box.open()

    def _keep_icons(self) -> None:
        """Qt's thread may have begun to read the folder, and have taken icons of its own for it."""
        files = self.findChild(QFileSystemModel)
        if isinstance(files, QFileSystemModel):
            files.directoryLoaded.connect(lambda _folder: files.setIconProvider(self._icons))
            files.directoryLoaded.connect(lambda _folder: self.setHistory(self.history()))  # it has icons, too

    def _lay_out_places(self) -> None:
        places = self.findChild(QListView, "sidebar")
        if isinstance(places, QListView):
            places.setIconSize(QSize(_PX, _PX))
            places.setMinimumWidth(_PLACES_PX)
            places.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _dress_completions(self, window: QWidget) -> None:
        """The list of completions is a window of its own, which gets no style sheet from the dialog."""
        field = self.findChild(QLineEdit, "fileNameEdit")
        completer = field.completer() if isinstance(field, QLineEdit) else None
        if completer is not None and (found := completer.popup()) is not None:
            found.setObjectName("fileCompletions")
            found.setPalette(window.palette())
            found.setStyleSheet(window.styleSheet())


def _remember(paths: list[str]) -> None:
    _Last.folder = QFileInfo(paths[0]).absolutePath()


class _Icons(QAbstractFileIconProvider):
    def __init__(self, parent: QWidget) -> None:
        super().__init__()
        palette, text = parent.palette(), QPalette.ColorRole.WindowText
        self._colour = palette.color(text).name()
        self._disabled = palette.color(QPalette.ColorGroup.Disabled, text).name()
        self._scale = parent.devicePixelRatioF()

    def named(self, name: str) -> QIcon:
        """The style would make up an icon for what is disabled, which differs too little on a dark ground. The list of
        places would scale a small icon up.
        """
        icon = QIcon(icon_pixmap(name, self._colour, _PX, self._scale))
        icon.addPixmap(icon_pixmap(name, self._colour, 2 * _PX, self._scale))
        icon.addPixmap(icon_pixmap(name, self._disabled, _PX, self._scale), QIcon.Mode.Disabled)
        return icon

    def icon(self, of: QAbstractFileIconProvider.IconType | QFileInfo) -> QIcon:
        """A folder, a disk or a file."""
        kinds = QAbstractFileIconProvider.IconType
        if isinstance(of, QFileInfo):
            return self.named("folder" if of.isDir() else "file-text")
        return self.named(
            "hard-drive" if of in {kinds.Computer, kinds.Drive} else "folder" if of is kinds.Folder else "file-text"
        )
