"""The dialog that asks for files, or for a folder of code."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QFileSystemModel, QLineEdit, QListView

from tests.fakes.context import sent
from tests.fakes.intents import heard
from ui.composer.attachment_chips import AttachDialog, FolderDialog
from ui.composer.composer import Composer
from ui.intents.chat import Attach


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
    return found


def _select(dialog: AttachDialog, path: Path) -> None:
    """As a click does on a row that is current already: Qt emits no currentChanged then."""
    listed, model = dialog.findChild(QListView, "listView"), dialog.findChild(QFileSystemModel)
    assert isinstance(listed, QListView)
    assert isinstance(model, QFileSystemModel)
    flags = QItemSelectionModel.SelectionFlag
    listed.selectionModel().select(model.index(str(path)), flags.ClearAndSelect | flags.Rows)


def test_the_selected_folder_is_attached(dialog: AttachDialog, files: Path) -> None:
    """Opening it would only enter it. The button names the folder, and the dialog is closed."""
    said = heard(sent())
    _select(dialog, files / "sources")
    assert dialog.folder_button.text() == "Attach the folder “sources”"
    dialog.folder_button.click()
    assert said == [Attach((str(files / "sources"),))]
    assert not dialog.isVisible()


def test_beside_a_file_the_folder_is_the_one_that_is_shown(dialog: AttachDialog, files: Path) -> None:
    """Also after the user has entered another one."""
    said = heard(sent())
    _select(dialog, files / "a.txt")
    assert dialog.folder_button.text() == f"Attach the folder “{files.name}”"
    dialog.setDirectory(str(files / "sources"))
    dialog.folder_button.click()
    assert said == [Attach((str(files / "sources"),))]


def test_a_folder_that_is_typed_is_the_one_that_the_button_names(dialog: AttachDialog, files: Path) -> None:
    """Return enters it. Its parent was named before, and would have been attached."""
    said, field = heard(sent()), _field(dialog)
    field.setText(str(files / "sources"))
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dialog.directory().absolutePath() == str(files / "sources")
    assert dialog.folder_button.text() == "Attach the folder “sources”"
    dialog.folder_button.click()
    assert said == [Attach((str(files / "sources"),))]


def test_a_whole_path_that_is_typed_is_attached(dialog: AttachDialog, files: Path) -> None:
    """A folder that is selected in the list beside it is not entered."""
    (files / "sources" / "b.pdf").touch()
    said, field = heard(sent()), _field(dialog)
    _select(dialog, files / "sources")
    field.setText(str(files / "sources" / "b.pdf"))
    _select(dialog, files / "sources")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert said == [Attach((str(files / "sources" / "b.pdf"),))]
    assert not dialog.isVisible()


def _field(dialog: AttachDialog) -> QLineEdit:
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    return field


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
    _select(dialog, files / "a & b")
    assert dialog.folder_button.text() == "Attach the folder “a && b”"


def test_the_menu_asks_for_a_folder(composer: Composer, files: Path) -> None:
    """The system's dialog for files has no such button."""
    said = heard(sent())
    composer.ask_folder()
    dialog = composer.findChild(FolderDialog)
    assert isinstance(dialog, FolderDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    dialog.filesSelected.emit([str(files)])
    dialog.reject()
    assert said == [Attach((str(files),))]
