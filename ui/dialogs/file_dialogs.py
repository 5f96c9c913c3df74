"""Files: owns the sheets that ask where a file is or shall be; reading and writing it is the app's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from ui.theme.phrases import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    Taker = Callable[[str], object]

_CHATS = "Chats (*.hearth *.json *.zip *.md)"
_SUFFIXES = {"Markdown (*.md)": "md", "Hearth chats (*.hearth)": "hearth"}
_NOT_IN_A_NAME = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_LONGEST_NAME = 80


def ask_import(parent: QWidget, taker: Taker) -> None:
    """Ask for a file with chats."""
    dialog = _sheet(parent, "importDialog", "Import chats", taker)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([_CHATS, "All files (*)"])
    dialog.open()


def ask_export(parent: QWidget, title: str, taker: Taker) -> None:
    """Ask where a chat shall be written: readable, unless the user picks the whole of it."""
    _ask_export(parent, ("Export chat", file_name(title)), tuple(_SUFFIXES), taker)


def ask_export_all(parent: QWidget, taker: Taker) -> None:
    """Ask where all chats shall be written: whole, unless the user picks the readable form."""
    _ask_export(parent, ("Export all chats", "Hearth chats"), tuple(reversed(_SUFFIXES)), taker)


def file_name(title: str) -> str:
    """A title as the name of a file on any system, without a suffix."""
    return one_line(_NOT_IN_A_NAME.sub(" ", title))[:_LONGEST_NAME].strip(" .") or "Chat"


def _ask_export(parent: QWidget, names: tuple[str, str], filters: tuple[str, ...], taker: Taker) -> None:
    heading, name = names
    dialog = _sheet(parent, "exportDialog", heading, taker)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(filters)
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(_SUFFIXES[chosen]))
    dialog.setDefaultSuffix(_SUFFIXES[filters[0]])
    dialog.selectFile(f"{name}.{_SUFFIXES[filters[0]]}")
    dialog.open()


def _sheet(parent: QWidget, name: str, heading: str, taker: Taker) -> QFileDialog:
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    folder = documents if QDir(documents).exists() else QDir.homePath()
    dialog = QFileDialog(parent, heading, folder)
    dialog.setObjectName(name)
    dialog.fileSelected.connect(taker)
    dialog.finished.connect(dialog.deleteLater)
    return dialog
