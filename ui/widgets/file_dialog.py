"""FileDialog: the system's dialog for files, or if it has none, Qt's dialog with Hearth's icons, and with sizes and
dates as the rest of the app writes them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import (
    QDir,
    QEvent,
    QFileInfo,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    QStandardPaths,
    Qt,
    QTimer,
)
from PySide6.QtGui import QAbstractFileIconProvider, QIcon, QPalette
from PySide6.QtWidgets import (
    QFileDialog,
    QFileSystemModel,
    QHeaderView,
    QLineEdit,
    QListView,
    QMessageBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QWidget,
)

from resources.language.text import tr
from ui.theme.phrases import date_and_time, size
from ui.theme.theme import icon_pixmap

_BUTTONS: Final = {
    "backButton": "chevron-left",
    "forwardButton": "chevron-right",
    "toParentButton": "arrow-up",
    "newFolderButton": "plus",
    "listModeButton": "list",
    "detailModeButton": "table",
}
"""Icons by the names that Qt gives its buttons. A button that is not there is passed over."""
_NAME_COLUMN, _SIZE_COLUMN, _TYPE_COLUMN, _DATE_COLUMN = range(4)
_Index = QModelIndex | QPersistentModelIndex
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


class FileDialog(QFileDialog):
    """Opens with `open()`, so that the window goes on meanwhile. It begins in the folder of the last file that was
    chosen, whatever that was for, or else in the documents. `filesSelected` carries what was chosen.
    """

    _last_folder = ""

    def __init__(self, parent: QWidget, heading: str, folder: str = "") -> None:
        super().__init__(parent, heading, folder or self._last_folder or documents_folder())
        self.filesSelected.connect(self._remember)
        self.setLabelText(QFileDialog.DialogLabel.LookIn, tr("Folder:"))
        self.setViewMode(QFileDialog.ViewMode.Detail)
        self._window = window = parent.window()  # a part of it may have the colours of another theme
        self._dress()
        self.resize(_SIZE.boundedTo(window.size() - _ROUND_IT).expandedTo(_LEAST))
        if isinstance(read := self.findChild(QFileSystemModel), QFileSystemModel):
            # Qt's thread may have begun to read the folder, and have taken icons of its own for it
            read.directoryLoaded.connect(lambda _folder: read.setIconProvider(self._icons))
            read.directoryLoaded.connect(lambda _folder: self.setHistory(self.history()))  # it has icons, too
        if isinstance(places := self.findChild(QListView, "sidebar"), QListView):
            places.setIconSize(QSize(_PX, _PX))
            places.setMinimumWidth(_PLACES_PX)
            places.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if isinstance(files := self.findChild(QTreeView, "treeView"), QTreeView):
            _lay_out_columns(files)

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
            if isinstance(button := self.findChild(QToolButton, name), QToolButton):
                button.setIcon(self._icons.named(icon))
                button.setIconSize(QSize(_PX, _PX))
        self.setHistory(self.history())  # it has icons, too
        field = self.findChild(QLineEdit, "fileNameEdit")
        completer = field.completer() if isinstance(field, QLineEdit) else None
        if completer is not None and (found := completer.popup()) is not None:
            # the list of completions is a window of its own, which gets no style sheet from the dialog
            found.setObjectName("fileCompletions")
            found.setPalette(self._window.palette())
            found.setStyleSheet(self._window.styleSheet())

    def accept(self) -> None:
        """Take the files that are typed. Qt would enter a folder that is still selected in the list, and leave out a
        file that is not there if another one is.
        """
        typed = self._typed_files()
        found = [path for path in typed if QFileInfo(path).isFile()]
        missing = next((path for path in typed if not QFileInfo.exists(path)), "")
        if found and missing:
            words = tr("There is no file {path}.", path=missing)
            box = QMessageBox(QMessageBox.Icon.Warning, self.windowTitle(), words, parent=self)
            box.setTextFormat(Qt.TextFormat.PlainText)
            box.finished.connect(box.deleteLater)
            box.open()
        elif typed and found == typed:
            self.filesSelected.emit(typed)
            self.done(self.DialogCode.Accepted)
        else:
            super().accept()

    def _remember(self, paths: list[str]) -> None:
        FileDialog._last_folder = QFileInfo(paths[0]).absolutePath()

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
        names = {kinds.Computer: "hard-drive", kinds.Drive: "hard-drive", kinds.Folder: "folder"}
        return self.named(names.get(of, "file-text"))


def _lay_out_columns(files: QTreeView) -> None:
    """Give names the room that sizes and dates leave. The icon tells folders from files, so no column does. Names
    begin in order, however the last dialog was left.
    """
    files.setItemDelegateForColumn(_SIZE_COLUMN, _SizeDelegate(files))
    files.setItemDelegateForColumn(_DATE_COLUMN, _DateDelegate(files))
    files.hideColumn(_TYPE_COLUMN)
    files.sortByColumn(_NAME_COLUMN, Qt.SortOrder.AscendingOrder)
    files.header().setStretchLastSection(False)
    files.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    files.header().setSectionResizeMode(_NAME_COLUMN, QHeaderView.ResizeMode.Stretch)


class _SizeDelegate(QStyledItemDelegate):
    """The size of a file. Qt counts in KiB, and names no size of a folder."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:  # noqa: N802 - Qt's name
        super().initStyleOption(option, index)
        files = index.model()
        if isinstance(files, QFileSystemModel) and not files.isDir(index):
            option.text = size(files.size(index))


class _DateDelegate(QStyledItemDelegate):
    """When a file or a folder was last changed. Qt writes the month as a number."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:  # noqa: N802 - Qt's name
        super().initStyleOption(option, index)
        files = index.model()
        if isinstance(files, QFileSystemModel):
            seconds = files.lastModified(index).toSecsSinceEpoch()
            option.text = date_and_time(datetime.fromtimestamp(seconds).astimezone())
