"""Labels: owns the small sheets that ask for a word: a title, a folder, tags; what becomes of it is the asker's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QComboBox, QInputDialog, QLineEdit, QStyledItemDelegate, QWidget

from ui.theme.phrases import one_line
from ui.theme.theme import MAC, icon_pixmap

if TYPE_CHECKING:
    from collections.abc import Callable

    Taker = Callable[[str], object]

_FIELD_PX = 320
_ARROW_PX = 16


def ask_title(parent: QWidget, title: str, taker: Taker) -> None:
    """Ask for another title. A blank one is none."""
    dialog = _sheet(parent, "renameDialog", "Rename chat", "Title")
    dialog.setTextValue(title)
    dialog.textValueSelected.connect(lambda text: taker(one_line(text)) if one_line(text) else None)
    _open(dialog)


def ask_folder(parent: QWidget, folders: tuple[str, ...], folder: str, taker: Taker) -> None:
    """Ask for a folder: one of `folders` or a new one, "" for none."""
    dialog = _sheet(parent, "folderDialog", "Move to folder", "Folder")
    dialog.setComboBoxEditable(True)
    dialog.setComboBoxItems(sorted({folder, *folders} - {""}, key=str.casefold))
    dialog.setTextValue(folder)
    dialog.textValueSelected.connect(lambda text: taker(one_line(text)))
    if folders and not MAC:  # platform: a combo box has its own arrow there
        _show_arrow(parent, dialog)
    _open(dialog)


def ask_folder_name(parent: QWidget, folder: str, taker: Taker) -> None:
    """Ask for the name of a folder. A blank one is none."""
    dialog = _sheet(parent, "folderNameDialog", "Rename folder" if folder else "New folder", "Name")
    dialog.setTextValue(folder)
    dialog.textValueSelected.connect(lambda text: taker(one_line(text)) if one_line(text) else None)
    _open(dialog)


def ask_tags(parent: QWidget, tags: tuple[str, ...], taker: Taker) -> None:
    """Ask for tags, which come separated by commas."""
    dialog = _sheet(parent, "tagsDialog", "Tags", "Tags, separated by commas")
    dialog.setTextValue(", ".join(tags))
    dialog.textValueSelected.connect(lambda text: taker(one_line(text)))
    _open(dialog)


def _sheet(parent: QWidget, name: str, heading: str, label: str) -> QInputDialog:
    dialog = QInputDialog(parent)
    dialog.setObjectName(name)
    dialog.setWindowTitle(heading)
    dialog.setLabelText(label)
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def _show_arrow(parent: QWidget, dialog: QInputDialog) -> None:
    """As an icon in the field: Qt's own one stands on a bevel."""
    box = dialog.findChild(QComboBox)
    field = box.lineEdit() if box is not None else None
    assert box is not None, "the folders there are stand in a combo box"
    assert field is not None, "any name can be written into it"
    box.setItemDelegate(QStyledItemDelegate(box))  # the default one takes no padding
    colour = parent.palette().color(QPalette.ColorRole.PlaceholderText).name()
    arrow = QIcon(icon_pixmap("chevron-down", colour, _ARROW_PX, parent.devicePixelRatioF()))
    show = field.addAction(arrow, QLineEdit.ActionPosition.TrailingPosition)
    show.setText("Show folders")
    show.triggered.connect(lambda _on: box.showPopup())  # Qt made the box: it takes no slot of ours


def _open(dialog: QInputDialog) -> None:
    for field in (*dialog.findChildren(QLineEdit), *dialog.findChildren(QComboBox)):
        field.setMinimumWidth(_FIELD_PX)  # the sheet itself takes no size
    dialog.open()
