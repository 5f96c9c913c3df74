"""The dialogs that ask for files to import, for a file to export, or for a folder. They only return the paths."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QFileDialog, QWidget

from resources.language.text import mark, tr
from ui.theme.phrases import one_line
from ui.widgets.file_dialog import FileDialog, documents_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    Callback = Callable[[str], object]

_PRESETS = mark("Presets (*.json)")
_PROMPTS = mark("Prompts (*.json)")
_CHATS = mark("Chats (*.hearth *.json *.zip *.md)")
_SUFFIXES = {mark("Markdown (*.md)"): "md", mark("Hearth chats (*.hearth)"): "hearth"}
_NOT_IN_A_NAME = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_LONGEST_NAME = 80


def ask_import(parent: QWidget, on_accept: Callback) -> None:
    """Ask for files that contain chats. `on_accept` is called with each of them."""
    dialog = _make_dialog(parent, "importDialog", tr("Import chats"), on_accept)
    _ask_file(dialog, tr(_CHATS), QFileDialog.FileMode.ExistingFiles)


def ask_preset_file(parent: QWidget, on_accept: Callback) -> None:
    """Ask for a file that contains a preset."""
    _ask_file(_make_dialog(parent, "importPresetDialog", tr("Import preset"), on_accept), tr(_PRESETS))


def ask_preset_target(parent: QWidget, name: str, on_accept: Callback) -> None:
    """Ask for the file to export a preset to."""
    _ask_target(
        _make_dialog(parent, "exportPresetDialog", tr("Export preset"), on_accept),
        tr(_PRESETS),
        file_name(name),
        "json",
    )


def ask_prompts_file(parent: QWidget, on_accept: Callback) -> None:
    """Ask for a file that contains prompts."""
    _ask_file(_make_dialog(parent, "importPromptsDialog", tr("Import prompts"), on_accept), tr(_PROMPTS))


def ask_prompts_target(parent: QWidget, on_accept: Callback) -> None:
    """Ask for the file to export all prompts to."""
    _ask_target(
        _make_dialog(parent, "exportPromptsDialog", tr("Export prompts"), on_accept),
        tr(_PROMPTS),
        tr("Prompts"),
        "json",
    )


def ask_model_folder(parent: QWidget, on_accept: Callback) -> None:
    """Ask for a folder that contains models."""
    dialog = _make_dialog(parent, "modelFolderDialog", tr("Add a folder with models"), on_accept)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setDirectory(QDir.homePath())
    dialog.open()


def ask_export(parent: QWidget, title: str, on_accept: Callback) -> None:
    """Ask for the file to export a chat to. Markdown is the default format."""
    _ask_export(parent, (tr("Export chat"), file_name(title)), tuple(_SUFFIXES), on_accept)


def ask_pdf(parent: QWidget, title: str, on_accept: Callback) -> None:
    """Ask for the file to write a chat to as a PDF."""
    _ask_target(
        _make_dialog(parent, "pdfDialog", tr("Export as PDF"), on_accept), "PDF (*.pdf)", file_name(title), "pdf"
    )


def ask_copy(parent: QWidget, name: str, on_accept: Callback) -> None:
    """Ask for the file to write a copy of an attached file to."""
    dialog = _make_dialog(parent, "copyDialog", tr("Save a copy"), on_accept)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    dialog.open()


def ask_export_all(parent: QWidget, on_accept: Callback) -> None:
    """Ask for the file to export all chats to. Hearth's own format is the default."""
    _ask_export(parent, (tr("Export all chats"), tr("Hearth chats")), tuple(reversed(_SUFFIXES)), on_accept)


def ask_export_chosen(parent: QWidget, on_accept: Callback) -> None:
    """Ask for the file to export several chats to. Hearth's own format is the default."""
    _ask_export(parent, (tr("Export chats"), tr("Hearth chats")), tuple(reversed(_SUFFIXES)), on_accept)


def file_name(title: str) -> str:
    """A title as a file name that is valid on any system, without a suffix."""
    return one_line(_NOT_IN_A_NAME.sub(" ", title))[:_LONGEST_NAME].strip(" .") or tr("Chat")


def _ask_export(parent: QWidget, names: tuple[str, str], filters: tuple[str, ...], on_accept: Callback) -> None:
    heading, name = names
    dialog = _make_dialog(parent, "exportDialog", heading, on_accept)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    suffixes = {tr(one): _SUFFIXES[one] for one in filters}
    dialog.setNameFilters(tuple(suffixes))
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(suffixes[chosen]))
    dialog.setDefaultSuffix(_SUFFIXES[filters[0]])
    dialog.selectFile(f"{name}.{_SUFFIXES[filters[0]]}")
    dialog.open()


def _ask_file(dialog: QFileDialog, files: str, mode: QFileDialog.FileMode = QFileDialog.FileMode.ExistingFile) -> None:
    dialog.setFileMode(mode)
    dialog.setNameFilters([files, tr("All files (*)")])
    dialog.open()


def _ask_target(dialog: QFileDialog, files: str, name: str, suffix: str) -> None:
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([files])
    dialog.setDefaultSuffix(suffix)
    dialog.selectFile(f"{name}.{suffix}")
    dialog.open()


def documents_path(title: str, suffix: str) -> str:
    """The path of a file for a chat in the user's documents. It has a number if there is such a file."""
    folder, name = QDir(documents_folder()), file_name(title)
    numbered = (f"{name}.{suffix}" if number == 1 else f"{name} {number}.{suffix}" for number in count(1))
    return folder.filePath(next(file for file in numbered if not folder.exists(file)))


def _make_dialog(parent: QWidget, name: str, heading: str, on_accept: Callback) -> QFileDialog:
    """`on_accept` is called with each path, as several can be typed even where one can be selected."""
    dialog = FileDialog(parent, heading)
    dialog.setObjectName(name)
    dialog.filesSelected.connect(lambda paths: list(map(on_accept, paths)))
    dialog.finished.connect(dialog.deleteLater)
    return dialog
