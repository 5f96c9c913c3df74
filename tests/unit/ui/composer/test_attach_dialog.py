"""The dialog that asks for files, or for a folder of code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog

from tests.fakes.intents import heard
from ui.composer.attach_dialog import AttachDialog, FolderDialog
from ui.intents.chat import Attach

if TYPE_CHECKING:
    from pathlib import Path

    from ui.composer.composer import Composer


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "sources").mkdir()
    (tmp_path / "a.txt").touch()
    return tmp_path


@pytest.fixture
def dialog(composer: Composer, files: Path) -> AttachDialog:
    composer.ask_files()
    found = composer.findChild(AttachDialog)
    assert isinstance(found, AttachDialog)
    found.setDirectory(str(files))
    found.directoryEntered.emit(str(files))
    return found


def test_the_selected_folder_is_attached(composer: Composer, dialog: AttachDialog, files: Path) -> None:
    """Opening it would only enter it. The button names the folder, and the dialog is closed."""
    said = heard(composer)
    dialog.currentChanged.emit(str(files / "sources"))
    assert dialog.folder_button.text() == "Attach the folder “sources”"
    dialog.folder_button.click()
    assert said == [Attach((str(files / "sources"),))]
    assert not dialog.isVisible()


def test_beside_a_file_the_folder_is_the_one_that_is_shown(
    composer: Composer, dialog: AttachDialog, files: Path
) -> None:
    """Also after the user has entered another one."""
    said = heard(composer)
    dialog.currentChanged.emit(str(files / "a.txt"))
    assert dialog.folder_button.text() == f"Attach the folder “{files.name}”"
    dialog.setDirectory(str(files / "sources"))
    dialog.directoryEntered.emit(str(files / "sources"))
    dialog.folder_button.click()
    assert said == [Attach((str(files / "sources"),))]


def test_the_button_stands_where_the_types_were(dialog: AttachDialog) -> None:
    """There is one type for all files, so that the list of types says nothing."""
    QApplication.processEvents()
    types = dialog.findChild(QComboBox, "fileTypeCombo")
    assert isinstance(types, QComboBox)
    assert not types.isVisible()
    assert dialog.folder_button.isVisible()


def test_a_name_with_an_ampersand_is_no_shortcut(dialog: AttachDialog, files: Path) -> None:
    """It is written twice, as Qt wants it."""
    (files / "a & b").mkdir()
    dialog.currentChanged.emit(str(files / "a & b"))
    assert dialog.folder_button.text() == "Attach the folder “a && b”"


def test_the_menu_asks_for_a_folder(composer: Composer, files: Path) -> None:
    """The system's dialog for files has no such button."""
    said = heard(composer)
    composer.ask_folder()
    dialog = composer.findChild(FolderDialog)
    assert isinstance(dialog, FolderDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    dialog.filesSelected.emit([str(files)])
    dialog.reject()
    assert said == [Attach((str(files),))]
