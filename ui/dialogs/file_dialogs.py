"""The dialogs that ask for files to import, for a file to export, or for a folder. They only return the paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import count

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QFileDialog, QWidget

from resources.language.text import mark, tr
from ui.theme.phrases import one_line
from ui.widgets.file_dialog import FileDialog, documents_folder

Callback = Callable[[str], object]

_PRESETS = mark("Presets (*.json)")
_PROMPTS = mark("Prompts (*.json)")
_CHATS = mark("Chats (*.hearth *.json *.zip *.md)")
_FORMATS = (
    (mark("Markdown (*.md)"), "md"),
    ("JSON (*.json)", "json"),
    (mark("Hearth chats (*.hearth)"), "hearth"),
)
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
    dialog = _make_dialog(parent, "exportPresetDialog", tr("Export preset"), on_accept)
    _ask_target(dialog, file_name(name), {tr(_PRESETS): "json"})


def ask_prompts_file(parent: QWidget, on_accept: Callback) -> None:
    """Ask for a file that contains prompts."""
    _ask_file(_make_dialog(parent, "importPromptsDialog", tr("Import prompts"), on_accept), tr(_PROMPTS))


def ask_prompts_target(parent: QWidget, on_accept: Callback) -> None:
    """Ask for the file to export all prompts to."""
    dialog = _make_dialog(parent, "exportPromptsDialog", tr("Export prompts"), on_accept)
    _ask_target(dialog, tr("Prompts"), {tr(_PROMPTS): "json"})


def ask_model_folder(parent: QWidget, on_accept: Callback) -> None:
    """Ask for a folder that contains models."""
    dialog = _make_dialog(parent, "modelFolderDialog", tr("Add a folder with models"), on_accept)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setDirectory(QDir.homePath())
    dialog.open()


def ask_export(parent: QWidget, title: str, on_accept: Callback) -> None:
    """Ask for the file to export a chat to. Markdown is the default format."""
    dialog = _make_dialog(parent, "exportDialog", tr("Export chat"), on_accept)
    _ask_target(dialog, file_name(title), {tr(kind): suffix for kind, suffix in _FORMATS})


def ask_pdf(parent: QWidget, title: str, on_accept: Callback) -> None:
    """Ask for the file to write a chat to as a PDF."""
    dialog = _make_dialog(parent, "pdfDialog", tr("Export as PDF"), on_accept)
    _ask_target(dialog, file_name(title), {"PDF (*.pdf)": "pdf"})


def ask_copy(parent: QWidget, name: str, on_accept: Callback) -> None:
    """Ask for the file to write a copy of an attached file to."""
    dialog = _make_dialog(parent, "copyDialog", tr("Save a copy"), on_accept)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    dialog.open()


def ask_export_all(parent: QWidget, on_accept: Callback) -> None:
    """Ask for the file to export all chats to. Hearth's own format is the default."""
    _ask_export_many(parent, tr("Export all chats"), on_accept)


def ask_export_chosen(parent: QWidget, on_accept: Callback) -> None:
    """Ask for the file to export several chats to. Hearth's own format is the default."""
    _ask_export_many(parent, tr("Export chats"), on_accept)


def _ask_export_many(parent: QWidget, heading: str, on_accept: Callback) -> None:
    dialog = _make_dialog(parent, "exportDialog", heading, on_accept)
    _ask_target(dialog, tr("Hearth chats"), {tr(kind): suffix for kind, suffix in reversed(_FORMATS)})


def file_name(title: str) -> str:
    """A title as a file name that is valid on any system, without a suffix."""
    return one_line(_NOT_IN_A_NAME.sub(" ", title))[:_LONGEST_NAME].strip(" .") or tr("Chat")


def _ask_file(dialog: QFileDialog, files: str, mode: QFileDialog.FileMode = QFileDialog.FileMode.ExistingFile) -> None:
    dialog.setFileMode(mode)
    dialog.setNameFilters([files, tr("All files (*)")])
    dialog.open()


def _ask_target(dialog: QFileDialog, name: str, suffixes: Mapping[str, str]) -> None:
    """Ask where to save. `suffixes` has the suffix of each kind of file that is offered, that of the first first."""
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(tuple(suffixes))
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(suffixes[chosen]))
    first = next(iter(suffixes.values()))
    dialog.setDefaultSuffix(first)
    dialog.selectFile(f"{name}.{first}")
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
